package prochost

// Environment is environment, for tests.
var Environment = environment
