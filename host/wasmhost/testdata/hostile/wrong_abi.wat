(func (export "orma_abi") (result i32) (i32.const 2))
