// Package rank holds the stages that change scores and nothing else.
//
// Each file is one stage: its spec, its parameters, and a pure function over
// column slices. Its test is the file of the same name.
//
// # Features
//
// A stage that weighs one property of a row computes it as a feature in [-1, 1],
// writes it to a column of its own and multiplies the score by e^(weight·feature).
// In the logarithm that is a sum, so a linear blend fitted over the columns is
// exactly the product of the stages: each can be switched off, and its weight is
// the fitted one. Weight 0 changes no score. Where the score is already a sum of
// channels in the exponent ([ScoreFusion] with form "exp"), the whole ranking is one
// such blend.
//
// # Time
//
// Ages are in days before the query's clock. A time in the future counts as now:
// a wrong clock must not push a row above everything that has an honest one.
package rank
