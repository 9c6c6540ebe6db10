(func (export "orma_manifest") (result i64) (i64.const 0x400_7fffffff))
