package text

// Class tells what part of a word a term is.
type Class uint8

// The classes of terms.
const (
	Word     Class = iota // a whole word, number or emoji
	Compound              // a whole word with symbols inside: x-44-b, c++, src/main.go
	Part                  // a piece of a compound, or a word without its particle or article
	Gram                  // two neighbouring characters of a script without spaces
	Char                  // one Han character of a longer run
	Sub                   // a prefix or pair inside a whole word of an inflected script
)

// String returns the lower-case name of the class.
func (c Class) String() string {
	switch c {
	case Word:
		return "word"
	case Compound:
		return "compound"
	case Part:
		return "part"
	case Gram:
		return "gram"
	case Char:
		return "char"
	case Sub:
		return "sub"
	}
	return "class?"
}

// Weight is what a query term of the class counts for, 0 to 1. Pieces count
// less, so that the text with the whole word comes first.
func (c Class) Weight() float32 {
	switch c {
	case Part:
		return 0.7
	case Sub:
		return 0.4
	case Char:
		return 0.3
	}
	return 1
}
