;; 2^100 calls through a table.
(table 1 funcref)
(elem (i32.const 0) $f)
(type $t (func (param i32) (result i32)))
(func $f (type $t)
  (if (result i32) (i32.lt_s (local.get 0) (i32.const 2)) (then (local.get 0)) (else
    (i32.add (call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0))
             (call_indirect (type $t) (i32.sub (local.get 0) (i32.const 2)) (i32.const 0))))))
(func (export "orma_run") (param i32 i32) (result i32) (call_indirect (type $t) (i32.const 150) (i32.const 0)))
