// Package vector keeps the vectors of one space in memory and finds the nearest to a query.
//
// A [Matrix] holds int8 rows with one float32 scale each. [Matrix.Search] scans every row with an
// integer kernel (AVX2 on amd64, NEON on arm64, plain Go elsewhere), and scores the best hundred
// again from float32 rows that the caller supplies. The kernels are exact on integers, and all
// float arithmetic is done in a fixed order without fused operations, so every machine gives the
// same answer, bit for bit.
//
// Above [SketchAbove] rows a sketch of one sign bit a dimension picks the rows to score, and the
// result says that it is approximate.
//
// The package knows nothing of storage, spaces or embedders. Deleted rows are left out through a
// [Bitmap] of the caller's.
package vector
