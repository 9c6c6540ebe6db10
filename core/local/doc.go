// Package local opens Orma on this machine: the embedded store, the built-in stages,
// the embedders and the plugins that a configuration names, wired into an engine.
// The command line opens it, and so can any Go program:
//
//	m, err := local.Open(ctx, local.Options{})
//	if err != nil { … }
//	defer m.Close()
//	m.Add(ctx, "", engine.Input{Text: "I live in Pune."})
//	r, err := m.Recall(ctx, engine.Request{Query: "Where do I live?"})
package local
