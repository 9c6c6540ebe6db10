;; Recursion without an end: the stack overflows.
(func $deeper (param i64) (result i64) (i64.add (call $deeper (i64.add (local.get 0) (i64.const 1))) (i64.const 1)))
(func (export "orma_run") (param i32 i32) (result i32) (i32.wrap_i64 (call $deeper (i64.const 0))))
