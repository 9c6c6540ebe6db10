;; Wants more memory from the start than it may have.
(memory (export "memory") 2000)
