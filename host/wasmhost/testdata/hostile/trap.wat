(func (export "orma_run") (param i32 i32) (result i32) (unreachable))
