;; Names row -1.
(func (export "orma_run") (param $p i32) (param i32) (result i32)
  (f32.store (i32.add (local.get $p) (i32.load (i32.add (local.get $p) (i32.const 40)))) (f32.const 9))
  (i32.store (i32.add (local.get $p) (i32.const 48)) (i32.const -1)) (i32.const 0))
