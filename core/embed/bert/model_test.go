package bert

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/orma-memory/orma/core/embed"
)

func TestBatchEqualsSingles(t *testing.T) {
	e := openToy(t, newToy(2, 32, 2, 64, 2).pack(t, "mean"), Config{})
	texts := []string{"red", "", "the dog runs.", " \n", "red", strings.Repeat("cats ", 100), "blue"}
	for range 60 { // more than a pass
		texts = append(texts, "the blue cat.")
	}
	batch := vectors(t, e, texts...)
	for i, text := range texts {
		if single := vectors(t, e, text); !slices.Equal(batch[i*32:][:32], single) {
			t.Errorf("%q differs in a batch", text)
		}
	}
	for i, want := range []error{nil, embed.ErrZero, nil, embed.ErrZero, nil, nil, nil} {
		if err := embed.Usable(batch[i*32:][:32]); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", texts[i], err, want)
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	pack := newToy(3, 32, 2, 64, 1).pack(t, "mean")
	e := openToy(t, pack, Config{MaxTokens: 6})
	if !slices.Equal(vectors(t, e, "red cat dog runs"), vectors(t, e, "red cat dog runs blue blue")) {
		t.Error("tokens past the limit count")
	}
	if slices.Equal(vectors(t, e, "red cat dog runs"), vectors(t, e, "red cat dog the")) {
		t.Error("tokens within the limit do not count")
	}
}

func TestPrefixes(t *testing.T) {
	pack := newToy(4, 32, 2, 64, 1).pack(t, "mean")
	plain, e := openToy(t, pack, Config{}), openToy(t, pack, Config{QueryPrefix: "red: ", PassagePrefix: "the "})
	got := make([]float32, 32)
	for kind, whole := range map[embed.Kind]string{embed.Query: "red: cat", embed.Passage: "the cat"} {
		if err := e.Embed(t.Context(), got, []string{"cat"}, kind); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, vectors(t, plain, whole)) {
			t.Errorf("a %v is not embedded as %q", kind, whole)
		}
		if err := e.Embed(t.Context(), got, []string{" "}, kind); err != nil || embed.Usable(got) != embed.ErrZero {
			t.Errorf("an empty %v got a vector, %v", kind, err)
		}
	}
}

func TestPoolingOfTheConfigWins(t *testing.T) {
	m := newToy(5, 32, 2, 64, 1)
	mean, cls := m.pack(t, "mean"), m.pack(t, "cls")
	for name, c := range map[string]struct {
		pack []byte
		cfg  Config
		same []byte
	}{
		"cls of mean": {mean, Config{Pooling: "cls"}, cls}, "mean of cls": {cls, Config{Pooling: "mean"}, mean}, "as packed": {cls, Config{}, cls},
	} {
		if !slices.Equal(vectors(t, openToy(t, c.pack, c.cfg), "the cat"), vectors(t, openToy(t, c.same, Config{}), "the cat")) {
			t.Errorf("%s: another vector", name)
		}
	}
}

func TestRevisionNamesWhatMatters(t *testing.T) {
	pack := newToy(6, 32, 2, 64, 1).pack(t, "mean")
	seen := map[string]string{}
	for name, m := range map[string]*Model{
		"plain":   openToy(t, pack, Config{}),
		"pooling": openToy(t, pack, Config{Pooling: "cls"}),
		"tokens":  openToy(t, pack, Config{MaxTokens: 9}),
		"prefix":  openToy(t, pack, Config{QueryPrefix: "red"}),
		"prefix ": openToy(t, pack, Config{PassagePrefix: "red"}),
		"weights": openToy(t, newToy(7, 32, 2, 64, 1).pack(t, "mean"), Config{}),
	} {
		r := m.Info().Revision
		if seen[r] != "" || len(r) != 12 {
			t.Errorf("%q and %q have the revision %q", name, seen[r], r)
		}
		seen[r] = name
	}
	if a, b := openToy(t, pack, Config{}).Info(), openToy(t, slices.Clone(pack), Config{ID: ""}).Info(); a != b {
		t.Errorf("the same model is %+v and %+v", a, b)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	m := newToy(8, 32, 2, 64, 1)
	path, vocab := filepath.Join(dir, "tiny.pack"), filepath.Join(dir, "vocab.txt")
	write := func(name string, b []byte) {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(path, m.pack(t, "mean"))
	write(vocab, []byte(toyVocab))
	e, err := Open(Config{Path: path, Vocab: vocab})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Info(); got.ID != "tiny" || got.Dim != 32 || got.MaxTokens != 24 {
		t.Errorf("Info = %+v", got)
	}
	vectors(t, e, "the cat")
	for range 2 {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := e.Embed(t.Context(), make([]float32, 32), []string{"cat"}, embed.Query); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: error %v, want %v", err, ErrClosed)
	}

	write(filepath.Join(dir, "empty.pack"), nil)
	write(filepath.Join(dir, "bad.txt"), []byte("a\na\n"))
	for name, c := range map[string]struct {
		cfg  Config
		want error
		text string
	}{
		"no path":               {Config{}, nil, "path"},
		"missing":               {Config{Path: filepath.Join(dir, "none.pack")}, ErrNoModel, "none.pack"},
		"empty":                 {Config{Path: filepath.Join(dir, "empty.pack")}, ErrPack, "0 bytes"},
		"a folder":              {Config{Path: dir}, nil, "file"},
		"no pack":               {Config{Path: vocab, Vocab: vocab}, ErrPack, "header"},
		"vocabulary missing":    {Config{Path: path, Vocab: filepath.Join(dir, "none.txt")}, os.ErrNotExist, "vocabulary"},
		"vocabulary bad":        {Config{Path: path, Vocab: filepath.Join(dir, "bad.txt")}, nil, "bad.txt"},
		"vocabulary too large":  {Config{Path: path}, ErrPack, "vocabulary of 30522"},
		"pooling":               {Config{Path: path, Vocab: vocab, Pooling: "max"}, nil, `"max"`},
		"too many tokens":       {Config{Path: path, Vocab: vocab, MaxTokens: 25}, nil, "24 positions"},
		"no room for text":      {Config{Path: path, Vocab: vocab, MaxTokens: 2}, nil, "max_tokens"},
		"negative tokens":       {Config{Path: path, Vocab: vocab, MaxTokens: -1}, nil, "max_tokens"},
		"prefix takes the room": {Config{Path: path, Vocab: vocab, QueryPrefix: strings.Repeat("cat ", 30)}, nil, "prefix"},
	} {
		if runtime.GOOS == "windows" && name == "a folder" {
			continue // its words are the system's
		}
		_, err := Open(c.cfg)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: error %v, want %v with %q", name, err, c.want, c.text)
		}
	}
}

func TestOpenMiniLM(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	if _, err := OpenMiniLM(here, there); !errors.Is(err, ErrNoModel) || !strings.Contains(err.Error(), MiniLMPath(here)) {
		t.Errorf("in neither folder: error %v", err)
	}
	if _, err := OpenMiniLM(); !errors.Is(err, ErrNoModel) {
		t.Errorf("in no folder: error %v", err)
	}
	if err := os.Mkdir(filepath.Join(there, "models"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(MiniLMPath(there), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenMiniLM(here, there); !errors.Is(err, ErrPack) || !strings.Contains(err.Error(), there) {
		t.Errorf("in the second folder: error %v", err)
	}
}

func TestEmbedRefuses(t *testing.T) {
	e := openToy(t, newToy(9, 32, 2, 64, 1).pack(t, "mean"), Config{})
	if err := e.Embed(t.Context(), make([]float32, 31), []string{"cat"}, embed.Query); !errors.Is(err, embed.ErrBadCount) {
		t.Errorf("too little room: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Embed(ctx, make([]float32, 32), []string{"cat"}, embed.Query); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	if err := e.Embed(t.Context(), nil, nil, embed.Query); err != nil {
		t.Errorf("nothing asked: %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	e := openToy(t, newToy(10, 32, 2, 64, 2).pack(t, "mean"), Config{})
	want := vectors(t, e, "the cat", "the dog runs")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got := make([]float32, 64)
			for range 20 {
				if err := e.Embed(context.Background(), got, []string{"the cat", "the dog runs"}, embed.Query); err != nil || !slices.Equal(got, want) {
					t.Errorf("got another vector, %v", err)
				}
			}
		})
	}
	wg.Wait()
}

// change returns a pack with another header.
func change(t *testing.T, pack []byte, f func(h *header)) []byte {
	t.Helper()
	h, data, err := readHeader(pack)
	if err != nil {
		t.Fatal(err)
	}
	f(&h)
	b, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	for (len(b)+8)%packAlign != 0 {
		b = append(b, ' ')
	}
	return slices.Concat([]byte{byte(len(b)), byte(len(b) >> 8), 0, 0, 0, 0, 0, 0}, b, data)
}

func TestPacksAreChecked(t *testing.T) {
	pack := newToy(11, 32, 2, 64, 2).pack(t, "mean")
	if _, err := readPack(change(t, pack, func(*header) {})); err != nil {
		t.Fatalf("unchanged: %v", err)
	}
	set := func(name string, e entry) func(*header) { return func(h *header) { h.Ents[name] = e } }
	for name, f := range map[string]func(*header){
		"no dimension":          func(h *header) { h.D = 0 },
		"odd dimension":         func(h *header) { h.D = 31 },
		"huge dimension":        func(h *header) { h.D = 1 << 30 },
		"negative dimension":    func(h *header) { h.D = -32 },
		"other dimension":       func(h *header) { h.D = 48 },
		"no heads":              func(h *header) { h.H = 0 },
		"too many heads":        func(h *header) { h.H = 4 },
		"heads that divide not": func(h *header) { h.H = 3 },
		"odd inner":             func(h *header) { h.I = 65 },
		"other inner":           func(h *header) { h.I = 80 },
		"no layers":             func(h *header) { h.L = 0 },
		"more layers":           func(h *header) { h.L = 3 },
		"huge layers":           func(h *header) { h.L = 1 << 30 },
		"no entries":            func(h *header) { h.Ents = nil },
		"entry missing":         func(h *header) { delete(h.Ents, "b2q") },
		"entry outside":         set("a0q", entry{1 << 20, 3 * 32 * 32}),
		"entry past the end":    func(h *header) { h.Ents["bb2"] = entry{h.Ents["bb2"].Off + 64, 128} },
		"entry negative":        set("a0q", entry{-64, 3 * 32 * 32}),
		"length negative":       set("a0q", entry{0, -1}),
		"length overflows":      set("a0q", entry{64, math.MaxInt}),
		"offset odd":            func(h *header) { h.Ents["g"] = entry{h.Ents["g"].Off + 4, 128} },
		"length wrong":          func(h *header) { h.Ents["g"] = entry{h.Ents["g"].Off, 124} },
		"rows cut":              func(h *header) { h.Ents["we"] = entry{h.Ents["we"].Off, 33} },
		"rows without scales":   func(h *header) { h.Ents["we"] = entry{h.Ents["we"].Off, 32} },
		"no rows":               func(h *header) { h.Ents["we"] = entry{h.Ents["we"].Off, 0} },
	} {
		if _, err := readPack(change(t, pack, f)); !errors.Is(err, ErrPack) {
			t.Errorf("%s: error %v, want %v", name, err, ErrPack)
		}
	}
	for n := 0; n < len(pack); n += 97 {
		if _, err := readPack(pack[:n]); !errors.Is(err, ErrPack) {
			t.Errorf("cut at %d of %d: error %v, want %v", n, len(pack), err, ErrPack)
		}
	}
}

// A pack may hold any numbers: what comes out may be useless, but nothing else may happen.
func TestWildWeights(t *testing.T) {
	pack := newToy(12, 32, 2, 64, 2).pack(t, "mean")
	_, data, err := readHeader(pack)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []byte{0, 0x7F, 0x80, 0xFF, 0xC0} {
		wild := slices.Clone(pack)
		for i := len(pack) - len(data); i < len(pack); i++ {
			wild[i] = b
		}
		e := openToy(t, wild, Config{})
		vectors(t, e, "the cat runs", "red")
	}
}

func FuzzReadPack(f *testing.F) {
	pack := newToy(13, 16, 1, 16, 1).pack(f, "mean")
	f.Add(pack)
	f.Add(pack[:200])
	f.Fuzz(func(t *testing.T, file []byte) {
		w, err := readPack(file)
		if err != nil {
			return
		}
		s := scratch{gelu: newGelu()}
		ids := []int32{0, int32(len(w.tokenScales) - 1)}[:min(2, len(w.positions)/w.dim)]
		if err := w.forward(t.Context(), &s, make([]float32, w.dim), [][]int32{ids}); err != nil {
			t.Error(err)
		}
	})
}
