// Package bert runs BERT sentence models, such as all-MiniLM-L6-v2, without cgo.
//
// Weights are int8 with a scale for each output; activations become int16 with a scale for each token
// before they are multiplied, so that all heavy sums are of integers. Everything else is float32 in a
// fixed order without fused operations. A text's vector therefore has the same bits on every machine,
// alone or in a batch.
//
// The weights come from a pack, a file that is mapped rather than read; [Convert] makes one from
// safetensors. [OpenMiniLM] opens the one that Orma ships.
package bert
