;; manifest: {"name":"embedder","version":"1","contract":"embed","summary":"A guest of the tests","doc":"A text's length decides.","dim":4}
;; Not hostile: an embedder that looks at the length of a text. Row i of the list is 1 in
;; one place. A text that begins with ! has NaN instead.
(func (export "orma_run") (param $p i32) (param i32) (result i32)
  (local $i i32) (local $rows i32) (local $text i32) (local $vector i32) (local $start i32) (local $len i32)
  (local.set $rows (i32.load offset=4 (local.get $p)))
  (local.set $text (i32.add (local.get $p) (i32.load offset=40 (local.get $p))))
  (local.set $vector (i32.add (i32.add (local.get $p) (i32.load offset=56 (local.get $p)))
    (i32.mul (i32.const 4) (i32.add (local.get $rows) (i32.const 1)))))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $i) (local.get $rows)))
    (local.set $start (i32.load (i32.add (local.get $text) (i32.mul (i32.const 4) (local.get $i)))))
    (local.set $len (i32.sub (i32.load offset=4 (i32.add (local.get $text) (i32.mul (i32.const 4) (local.get $i)))) (local.get $start)))
    (if (local.get $len) (then
      (f32.store (i32.add (local.get $vector) (i32.mul (i32.const 4) (i32.and (local.get $len) (i32.const 3)))) (f32.const 1))
      (if (i32.eq (i32.const 33) (i32.load8_u (i32.add (local.get $start)
          (i32.add (local.get $text) (i32.mul (i32.const 4) (i32.add (local.get $rows) (i32.const 1)))))))
        (then (if (i32.eq (local.get $len) (i32.const 1)) (then (f32.store (local.get $vector) (f32.const nan))))))))
    (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (i32.const 0))
