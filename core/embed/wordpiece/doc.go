// Package wordpiece cuts text into the tokens of BERT: bert-base-uncased's normalizer, pre-tokenizer
// and longest-match-first WordPiece.
//
// Text is cleaned of control characters, lower-cased and stripped of accents; white space and
// punctuation end words, and each Han character is a word. A word of more than 100 characters, or one
// that the vocabulary cannot spell, is [UNK]. The ids are those of Hugging Face's tokenizers library,
// without special tokens.
//
// Nothing is allocated but what the caller's slice needs to grow.
package wordpiece
