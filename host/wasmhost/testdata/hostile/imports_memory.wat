(import "env" "memory" (memory 1))
(export "memory" (memory 0))
