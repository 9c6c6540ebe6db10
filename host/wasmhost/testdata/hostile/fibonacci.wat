;; No loop and a flat stack, but 2^100 calls.
(func $fib (param i32) (result i32)
  (if (result i32) (i32.lt_s (local.get 0) (i32.const 2)) (then (local.get 0)) (else
    (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2)))))))
(func (export "orma_run") (param i32 i32) (result i32) (call $fib (i32.const 150)))
