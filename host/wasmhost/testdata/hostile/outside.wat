;; Reads outside its memory.
(func (export "orma_run") (param i32 i32) (result i32) (i32.load (i32.const -4)))
