package history

import (
	"cmp"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Document cuts a text into the inputs that remember it: parts of at most [PartBytes],
// each with base and a key of its own. The kind is document and the source file:NAME
// where base says nothing else. It fails on what is no text, or empty.
func Document(name, text string, base engine.Input) ([]engine.Input, error) {
	if strings.TrimSpace(name) == "" {
		return nil, core.Errorf(core.CodeInvalid, "a document needs a name")
	}
	if err := CheckText([]byte(text)); err != nil {
		return nil, err
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	if strings.TrimSpace(text) == "" {
		return nil, core.Errorf(core.CodeInvalid, "%s is empty", name)
	}
	base.Kind = cmp.Or(base.Kind, core.KindDocument)
	base.Source = cmp.Or(base.Source, "file:"+name)
	key := cmp.Or(base.Key, name)
	parts := Split(text, PartBytes)
	inputs := make([]engine.Input, len(parts))
	for i, p := range parts {
		inputs[i] = base
		inputs[i].Text, inputs[i].Key = p, PartKey(key, i+1)
	}
	return inputs, nil
}
