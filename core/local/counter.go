package local

import (
	"github.com/orma-memory/orma/core/embed/wordpiece"
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/core/pack/o200k"
)

// wordPiece counts as the tokenizer of BERT models does.
type wordPiece struct{ *wordpiece.Vocab }

// Name returns the tokenizer's name in configurations.
func (wordPiece) Name() string { return pack.TokenizerWordPiece }

// CountsLines says that no word reaches over the end of a line.
func (wordPiece) CountsLines() {}

// counter returns what counts the tokens of a block.
func counter(name string) (pack.Counter, error) {
	if name == pack.TokenizerO200k {
		return o200k.New()
	}
	return wordPiece{wordpiece.English()}, nil
}
