;; Divides by zero.
(func (export "orma_run") (param i32 i32) (result i32) (i32.div_s (i32.const 1) (i32.sub (local.get 0) (local.get 0))))
