(data (i32.const 512) "weights.txt:3: no number")
(func (export "orma_configure") (param i32 i32) (result i32) (i32.const 3))
(func (export "orma_error") (param i32) (result i64) (i64.const 0x200_00000018))
