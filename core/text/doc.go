// Package text turns any string into search terms.
//
// One tokeniser serves documents and queries, the in-memory index
// (core/text/bm25) and the durable full-text table, so a term that one of them
// knows is spelled the same in all. [Terms] is the reusable result of
// tokenising, [Query] the weighted terms of a question.
//
// What a text becomes, in order:
//
//   - Normal form: NFKC, letter case folded, accents of Latin, Greek and
//     Cyrillic removed, Arabic and Hebrew points removed, every decimal digit
//     an ASCII digit. Vowel signs of Indic scripts are letters and stay.
//   - Words: ASCII words are stemmed with Porter's algorithm (1980).
//   - Compounds: symbols inside a word make one more term. "X-44-B" gives
//     x-44-b and its parts x, 44, b; "C++" only c++; "wi-fi" gives wifi, wi, fi.
//   - Scripts without spaces (Han, kana, Thai, Lao, Khmer, Burmese and kin):
//     pairs of characters; Han characters alone too, at a low weight.
//   - Hangul: the whole word, its pairs, and the word without its particle.
//   - Inflected scripts (Indic, Cyrillic, Greek, Armenian, Georgian): the whole
//     word and prefixes of it, at a low weight. Arabic: the word without its
//     article.
//   - Emoji: a term each; a joined sequence is a compound of its emoji.
//
// Terms never hold white space, control characters or a double quote, so
// joined by spaces they can be handed to SQLite's FTS5 with
//
//	tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'"
//
// which cuts at nothing but the spaces.
//
// Function words are English only (stopwords/en.txt). Inflection of languages
// in Latin script other than English is not undone.
package text
