;; Returns an error and never says which.
(func (export "orma_run") (param i32 i32) (result i32) (i32.const 3))
(func (export "orma_error") (param i32) (result i64) (loop $l (br $l)) (i64.const 0))
