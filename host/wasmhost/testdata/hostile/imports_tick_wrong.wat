;; Imports what metered code calls, with another type.
(import "orma" "tick" (func (param i32) (result i32)))
