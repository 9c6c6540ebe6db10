package sleep

import (
	"context"

	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// likeness finds words that mean the same, by an embedder.
type likeness struct {
	embedder embed.Embedder // nil finds nothing
	least    float32        // cosine; 0 finds nothing
}

// maxLikeWords bounds the words of a line that are compared.
const maxLikeWords = 60

// find returns the word or pair of words of a line that is most like a word.
func (k likeness) find(ctx context.Context, s *lang.Sentence, word string) (lang.Match, bool, error) {
	if k.embedder == nil || k.least == 0 {
		return lang.Match{}, false, nil
	}
	texts := []string{lemma(s, word)}
	var places []lang.Match
	for i, t := range s.Tokens {
		if !t.Word || t.Quoted || len(places) >= 2*maxLikeWords {
			continue
		}
		texts = append(texts, lemma(s, t.Norm))
		places = append(places, lang.Match{From: i, To: i + 1})
		if i+1 < len(s.Tokens) && s.Tokens[i+1].Word {
			texts = append(texts, t.Norm+" "+s.Tokens[i+1].Norm)
			places = append(places, lang.Match{From: i, To: i + 2})
		}
	}
	dim := k.embedder.Info().Dim
	v := make([]float32, len(texts)*dim)
	if err := k.embedder.Embed(ctx, v, texts, embed.Passage); err != nil {
		if ctx.Err() != nil {
			return lang.Match{}, false, ctx.Err()
		}
		return lang.Match{}, false, nil // no embedder, no paraphrase
	}
	best, at := k.least, -1
	for i := range places {
		var dot float32
		for j, x := range v[:dim] {
			dot += x * v[(i+1)*dim+j]
		}
		if dot >= best {
			best, at = dot, i
		}
	}
	if at < 0 {
		return lang.Match{}, false, nil
	}
	return places[at], true, nil
}

// lemma is the base form of a verb, so that "begins" and "starts" are as like as
// "begin" and "start".
func lemma(s *lang.Sentence, word string) string {
	if s.Lang == nil {
		return word
	}
	return s.Lang.Lemma(word)
}
