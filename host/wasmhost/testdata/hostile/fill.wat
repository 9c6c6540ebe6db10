;; Fills all the memory there is, over and over.
(func (export "orma_run") (param i32 i32) (result i32)
  (drop (memory.grow (i32.const 1000)))
  (loop $l
    (memory.fill (i32.const 131072) (i32.const 7) (i32.const 60000000))
    (memory.copy (i32.const 131072) (i32.const 262144) (i32.const 60000000))
    (br $l))
  (i32.const 0))
