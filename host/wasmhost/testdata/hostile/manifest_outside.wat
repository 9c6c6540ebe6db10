(func (export "orma_manifest") (result i64) (i64.const 0xffff0000_00000100))
