package secret

import "strings"

// An issuer is a range of first digits of card numbers and their lengths.
type issuer struct {
	from, to int // of the first four digits
	lengths  string
}

// issuers are the ranges of ISO/IEC 7812 that card networks publish.
var issuers = []issuer{
	{4000, 4999, "13 16 19"}, // Visa
	{5100, 5599, "16"},       // Mastercard
	{2221, 2720, "16"},       // Mastercard
	{3400, 3499, "15"},       // American Express
	{3700, 3799, "15"},       // American Express
	{6011, 6011, "16 19"},    // Discover
	{6440, 6599, "16 19"},    // Discover, RuPay
	{3528, 3589, "16 19"},    // JCB
	{3000, 3059, "14 16"},    // Diners Club
	{3600, 3699, "14"},       // Diners Club
	{3800, 3999, "14 16"},    // Diners Club
	{6200, 6299, "16 17 18 19"},
	{5018, 5093, "16 19"}, // Maestro, RuPay
	{6069, 6089, "16"},    // RuPay
	{8100, 8299, "16"},    // UnionPay, RuPay
}

// isCard reports whether a run of digits, in groups or not, is a card number:
// of an issuer's range and length, and right by its check digit.
func isCard(s string) bool {
	var digits [19]byte
	n := 0
	sep := byte(0)
	for _, c := range []byte(s) {
		switch {
		case c >= '0' && c <= '9':
			if n == len(digits) {
				return false
			}
			digits[n] = c - '0'
			n++
		case c == 0xc2: // the first byte of a no-break space
		case sep != 0 && c != sep:
			return false // groups are parted by one sign throughout
		default:
			sep = c
		}
	}
	if n < 13 || sep != 0 && !grouped(s) {
		return false
	}
	first := int(digits[0])*1000 + int(digits[1])*100 + int(digits[2])*10 + int(digits[3])
	for _, i := range issuers {
		if first >= i.from && first <= i.to && strings.Contains(i.lengths, length(n)) {
			return luhn(digits[:n])
		}
	}
	return false
}

func length(n int) string { return string([]byte{'0' + byte(n/10), '0' + byte(n%10)}) }

// grouped reports whether the groups have three to seven digits, as on cards.
func grouped(s string) bool {
	for _, g := range strings.FieldsFunc(s, func(c rune) bool { return c < '0' || c > '9' }) {
		if len(g) < 1 || len(g) > 7 {
			return false
		}
	}
	return true
}

// luhn checks the last digit by the formula of H. P. Luhn (ISO/IEC 7812-1,
// annex B).
func luhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i])
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
