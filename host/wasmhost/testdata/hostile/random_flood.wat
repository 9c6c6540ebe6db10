;; Asks WASI for all it can give, over and over.
(import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
(func (export "orma_run") (param i32 i32) (result i32)
  (loop $l
    (drop (call $random (i32.const 0) (i32.const 65536)))
    (drop (call $random (i32.const 0) (i32.const -1)))
    (drop (call $write (i32.const 2) (i32.const 0) (i32.const -1) (i32.const -1)))
    (br $l))
  (i32.const 0))
