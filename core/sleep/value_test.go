package sleep

import (
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
)

func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Turin", "turin", true},
		{"Turin", "Turin, Italy", true},
		{"Turin, Italy", "Turin, Piedmont", false},
		{"the Petrel", "Petrel", true},
		{"number 12", "12", true},
		{"Dr. Oduya", "Oduya", true},
		{"green tea", "tea", false},
		{"tea with milk", "tea without milk", false},
		{"12,000 rupees", "12000 rupees", true},
		{"12,000 rupees", "13,000 rupees", false},
		{"12 km", "12 miles", false},
		{"vegetarian", "non-vegetarian", false},
		{"vegetarian", "not vegetarian", false},
		{"allergic to shellfish", "not allergic to shellfish", false},
		{"14 March", "March 14", true},
		{"14 March", "15 March", false},
		{"badge 4471", "badge 4417", false},
		{"Postgres 15", "Postgres 16", false},
		{"C++", "C#", false},
		{"https://api.example.test/v1", "https://api.example.test/v2", false},
		{"see https://a.test", "see https://b.test", false},
		{"two cats", "2 cats", true},
		{"5 Elm Street, Leeds 4", "5 Elm Street, Leeds 6", false},
		{"Málaga", "Malaga", true},
		{"soup 1 of cook 2", "soup 2 of cook 1", false},
		{"from Leuven to Malmö", "from Malmö to Leuven", false},
		{"3 May 2026", "May 3 2026", true},
		{"上海", "北京", false},
		{"मूंगफली", "मूंगफली", true},
	} {
		if got := SameValue(c.a, c.b); got != c.same {
			t.Errorf("SameValue(%q, %q) = %v", c.a, c.b, got)
		}
		if got := SameValue(c.b, c.a); got != c.same {
			t.Errorf("SameValue(%q, %q) = %v", c.b, c.a, got)
		}
	}
}

func TestAttributesAreOneUnderManyNames(t *testing.T) {
	for _, names := range [][]string{
		{"home city", "home_city", "homeCity", "Home City", "city of residence", "current city", "lives in", "residence", "user's home city", "current_residence"},
		{"employer", "company", "works at", "workplace", "current employer"},
		{"occupation", "job", "job title", "profession"},
		{"favourite colour", "favorite color", "favourite_color"},
		{"phone number", "mobile number", "phone"},
		{"birthday", "date of birth", "birth date"},
		{"allergy", "allergies", "allergic to", "एलर्जी"},
		{"likes", "loves", "interests"},
		{"dog's name", "name of dog", "dog name"},
		{"locker number", "number of locker"},
	} {
		want := AttributeOf(names[0]).Key
		for _, n := range names[1:] {
			if got := AttributeOf(n).Key; got != want {
				t.Errorf("%q is %q, %q is %q", names[0], want, n, got)
			}
		}
	}
	for _, c := range [][2]string{{"home city", "employer"}, {"home city", "hometown"}, {"likes", "dislikes"}, {"locker number", "badge number"}, {"sister", "boss"}, {"evening drink", "morning drink"}} {
		if AttributeOf(c[0]).Key == AttributeOf(c[1]).Key {
			t.Errorf("%q and %q are one", c[0], c[1])
		}
	}
}

func TestNamesMeanEntities(t *testing.T) {
	d := newDirectory([]core.Entity{
		{ID: 1, Name: "Dr. Ilse Brandvold"}, {ID: 2, Name: "sister Noemi", Aliases: []string{"Noemi", "sister"}}, {ID: 3, Name: "badge 4471"},
		{ID: 4, Name: "New York"}, {ID: 5, Name: "Anna Berg"}, {ID: 6, Name: "Anna Holm"}, {ID: 7, Name: "Wanda's manager"}, {ID: 8, Name: "Wanda"},
	})
	for name, want := range map[string]core.ID{
		"Ilse Brandvold": 1, "Brandvold": 1, "Ilse": 1, "dr. brandvold": 1, "my sister Noemi": 2, "Noemi": 2, "sister": 2, "badge 4471": 3,
		"badge 4417": 0, "York": 0, "Anna": 0, "Anna Berg": 5, "Berg": 5, "Wanda": 8, "Wanda's manager": 7, "manager": 0, "Il": 0, "Bogdan": 0,
	} {
		got := core.ID(0)
		if e := d.find(name); e != nil {
			got = e.ID
		}
		if got != want {
			t.Errorf("find(%q) = %d, want %d", name, got, want)
		}
	}
}

// TestNamesOfTwoAreNotOne: each name in turn is looked up, and entered where it is new,
// as a mention is.
func TestNamesOfTwoAreNotOne(t *testing.T) {
	for _, c := range []struct{ names, of []string }{
		{[]string{"sister Devika", "sister Anna", "sister Devika"}, []string{"sister Devika", "sister Anna", "sister Devika"}},
		{[]string{"friend Mia Berg", "friend Lena Holt", "Mia", "Lena Holt"}, []string{"friend Mia Berg", "friend Lena Holt", "friend Mia Berg", "friend Lena Holt"}},
		{[]string{"Anna", "Anna Berg", "Anna Holm", "Anna Berg"}, []string{"Anna", "Anna", "Anna Holm", "Anna"}},
		{[]string{"sister Devika", "Devika Nair", "Devika"}, []string{"sister Devika", "sister Devika", "sister Devika"}},
		{[]string{"sister", "sister"}, []string{"sister", "sister"}},
		{[]string{"car", "red car"}, []string{"car", "car"}},
		{[]string{"manager", "manager Rolf", "manager Ida"}, []string{"manager", "manager", "manager Ida"}},
		{[]string{"Dr. Rao", "Meera Rao", "Vikram Rao"}, []string{"Dr. Rao", "Dr. Rao", "Vikram Rao"}},
		{[]string{"बहन", "बहन"}, []string{"बहन", "बहन"}},
	} {
		k := &Book{people: newDirectory(nil)}
		for i, name := range c.names {
			m := &Mention{Name: name}
			if first, rest, ok := strings.Cut(name, " "); ok && isCommon(first) && !isCommon(rest) {
				m.Kin, m.Proper, m.Aliases = first, rest, []string{rest, first}
			}
			if got := k.Entity("s", m).Name; got != c.of[i] {
				t.Errorf("%q: %q is %q, want %q", c.names, name, got, c.of[i])
			}
		}
	}
}

func TestCleanValue(t *testing.T) {
	for in, want := range map[string]string{
		" Ghent. ": "Ghent", "\"Petrel\"": "Petrel", "a\nb": "a b", "use the word \"x": "use the word x", "“x”": "x", "x\u202ey": "x y", "**bold**": "bold", "C++": "C++", "": "", "?!": "",
	} {
		if got := CleanValue(in); got != want {
			t.Errorf("CleanValue(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzCleanValue(f *testing.F) {
	f.Add("x\x00y\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		c := CleanValue(s)
		if CleanValue(c) != c {
			t.Errorf("CleanValue(%q) = %q is not clean", s, c)
		}
	})
}
