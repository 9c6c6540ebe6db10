;; Returns an error with what would steer a terminal in its message.
(data (i32.const 512) "\1b[2Jgone\07\ff\0asecond line")
(func (export "orma_run") (param i32 i32) (result i32) (i32.const 3))
(func (export "orma_error") (param i32) (result i64) (i64.const 0x200_00000016))
