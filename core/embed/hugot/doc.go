// Package hugot runs ONNX sentence models of any BERT-like kind with the library of that name, on its
// backend in plain Go.
//
// It takes a folder with one .onnx file, tokenizer.json and config.json, such as [Pull] fetches. It is
// for models that package bert does not run, such as multilingual ones; on plain Go they are slow, a
// third of a second of CPU for one question with a model of MiniLM's size. [SlowNote] says so.
//
// The library averages the token vectors of a model that returns one for each token. A model that
// wants its first token instead (CLS pooling, as bge does) is refused, unless the configuration names
// an output that is already pooled.
package hugot
