package engine

// CountTokens counts the tokens of a text as budgets do: with the tokenizer that the
// configuration names.
func (e *Engine) CountTokens(text string) int { return e.o.Counter.Count(text) }
