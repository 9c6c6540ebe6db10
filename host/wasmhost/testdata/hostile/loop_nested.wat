;; Loops that each end, 2^96 rounds together.
(func (export "orma_run") (param i32 i32) (result i32)
  (local $a i32) (local $b i32) (local $c i32)
  (loop $x
    (loop $y
      (loop $z (br_if $z (local.tee $c (i32.add (local.get $c) (i32.const 1)))))
      (br_if $y (local.tee $b (i32.add (local.get $b) (i32.const 1)))))
    (br_if $x (local.tee $a (i32.add (local.get $a) (i32.const 1)))))
  (i32.const 0))
