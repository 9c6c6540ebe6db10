package sentence

// abbreviationKind tells when the full stop of an abbreviation ends a sentence.
type abbreviationKind uint8

const (
	noAbbreviation     abbreviationKind = iota
	titleAbbreviation                   // never: Dr.
	numberAbbreviation                  // unless a number follows: No. 5, Jan. 3
	anyAbbreviation                     // only before a word that begins sentences: Inc.
)

// abbreviation classes the word before a full stop.
func abbreviation(word string) abbreviationKind {
	var lower [8]byte
	if len(word) > len(lower) {
		return noAbbreviation
	}
	single := true // nothing but single letters with dots between
	for i := range len(word) {
		c := word[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
		single = single && (i%2 == 0 && c >= 'a' && c <= 'z' || i%2 == 1 && c == '.')
	}
	switch string(lower[:len(word)]) {
	case "dr", "mr", "mrs", "ms", "mx", "prof", "rev", "hon", "gen", "col", "sgt", "lt", "capt", "cmdr", "gov", "sen", "rep",
		"pres", "st", "mt", "ft", "messrs", "mme", "mlle", "sr", "sra", "fr", "hr", "vs", "cf", "viz", "e.g", "i.e", "eg", "ie",
		"z.b", "d.h", "u.a", "bzw", "ca", "approx", "dept", "univ", "assn", "al", "resp", "incl":
		return titleAbbreviation
	case "no", "nos", "nr", "fig", "figs", "eq", "sec", "ch", "vol", "art", "par", "pp", "p", "tab", "ref", "tel", "ext", "op",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "ver", "v", "ed":
		return numberAbbreviation
	case "etc", "inc", "ltd", "co", "corp", "jr", "bros", "ave", "blvd", "rd", "est", "min", "max", "hrs", "mins", "usw", "esq", "phd", "ph.d":
		return anyAbbreviation
	}
	if single {
		return anyAbbreviation // initials, u.s, a.m
	}
	return noAbbreviation
}
