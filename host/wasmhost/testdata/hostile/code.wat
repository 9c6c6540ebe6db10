;; Returns an error code with a message of 4 GiB.
(func (export "orma_run") (param i32 i32) (result i32) (i32.const 3))
(func (export "orma_error") (param i32) (result i64) (i64.const 0x10_ffffffff))
