;; Starts well and hangs when it is asked for a larger arena.
(func (export "orma_alloc") (param i32) (result i32)
  (if (i32.gt_u (local.get 0) (i32.const 4096)) (then (loop $l (br $l)))) (i32.const 65536))
