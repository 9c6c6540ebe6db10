;; Writes how often this instance has run into every score. On a negative first score it
;; writes rubbish and traps, so that a test can tell a fresh instance from a used one.
(global $calls (mut i32) (i32.const 0))
(func (export "orma_run") (param $p i32) (param $n i32) (result i32)
  (local $i i32) (local $at i32)
  (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
  (local.set $at (i32.add (local.get $p) (i32.load (i32.add (local.get $p) (i32.const 40)))))
  (if (f32.gt (f32.load (local.get $at)) (f32.const 1000)) (then
    (f32.store (local.get $at) (f32.const 5))
    (i32.store (i32.add (local.get $p) (i32.const 8)) (i32.const 0))
    (unreachable)))
  (block $done (loop $rows
    (br_if $done (i32.ge_u (local.get $i) (i32.load (i32.add (local.get $p) (i32.const 4)))))
    (f32.store (local.get $at) (f32.convert_i32_u (global.get $calls)))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $rows)))
  (i32.const 0))
