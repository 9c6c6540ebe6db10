package history

import "testing"

func TestDamaged(t *testing.T) {
	for _, c := range []struct {
		in   string
		want bool
	}{
		{"", false}, {`"plain"`, false}, {`"é 😀 �"`, false}, {`"\ufffd"`, false}, {`"\ud83d\ude00"`, false}, {`"\uD83D\uDE00 \uD83D\uDE00"`, false},
		{`"\\ud83d"`, false}, {`"\\\\ud800"`, false}, {`"\u00d8\u0d80"`, false}, {`"\u001a\u0019"`, false}, {`"\`, false}, {`"\u`, false}, {`"\ud8`, false},
		{`"\ud83d"`, true}, {`"\ud83d "`, true}, {`"\ude00"`, true}, {`"\ude00\ud83d"`, true}, {`"\ud83d\ud83d\ude00"`, true}, {`"\ud83dx\ude00"`, true},
		{`"\\\ud800"`, true}, {`"\n\uDBFF\n"`, true}, {`"\uDFFF"`, true}, {`"\ud83d\u0041"`, true}, {"\"\xff\"", true}, {"\"\xed\xa0\x80\"", true}, {"\"\xc3\"", true},
	} {
		if got := damaged([]byte(c.in)); got != c.want {
			t.Errorf("damaged(%s) = %v", c.in, got)
		}
	}
}
