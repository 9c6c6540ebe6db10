(func (export "orma_manifest") (result i64) (loop $l (br $l)) (i64.const 0))
