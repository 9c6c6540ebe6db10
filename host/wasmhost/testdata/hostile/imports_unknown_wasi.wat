(import "wasi_snapshot_preview1" "sock_connect" (func (param i32 i32) (result i32)))
