package prochost

// Environment is environment, for tests.
var Environment = environment

// SweepIn is for tests.
var SweepIn = sweepIn
