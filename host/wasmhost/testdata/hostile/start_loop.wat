;; Hangs while it starts.
(func $s (loop $l (br $l)))
(start $s)
