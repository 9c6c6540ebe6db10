// Package eval measures recall on data sets with known evidence: how much of what
// answers a question is among the first items returned, with intervals, an ablation
// of every stage, and a fit of the blend's weights.
package eval
