(import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
(func (export "orma_run") (param i32 i32) (result i32) (call $exit (i32.const 0)) (i32.const 0))
