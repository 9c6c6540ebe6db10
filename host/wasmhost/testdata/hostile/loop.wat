;; An endless loop.
(func (export "orma_run") (param i32 i32) (result i32) (loop $l (br $l)) (i32.const 0))
