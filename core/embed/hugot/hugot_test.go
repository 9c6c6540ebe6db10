package hugot_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/hugot"
	"github.com/orma-memory/orma/core/embed/internal/parity"
)

// want is the vector of token ids in the models of testdata, [CLS] and [SEP] included: the mean of the
// rows that testdata/make.py gives them.
func want(ids ...int) []float32 {
	v := make([]float32, 8)
	for _, id := range ids {
		for j := range v {
			v[j] += float32((7*id+3*j)%11 - 5)
		}
	}
	embed.Normalize(v)
	return v
}

func open(t testing.TB, c hugot.Config) *hugot.Model {
	t.Helper()
	m, err := hugot.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func vectors(t testing.TB, e embed.Embedder, texts ...string) []float32 {
	t.Helper()
	dst := make([]float32, len(texts)*e.Info().Dim)
	if err := e.Embed(t.Context(), dst, texts, embed.Passage); err != nil {
		t.Fatal(err)
	}
	return dst
}

func near(a, b []float32) bool {
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > 1e-5 {
			return false
		}
	}
	return len(a) == len(b)
}

func TestEmbed(t *testing.T) {
	for name, c := range map[string]hugot.Config{
		"mean of the tokens": {Path: "testdata/mean"},
		"pooled output":      {Path: "testdata/pooled", Output: "sentence_embedding"},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, c)
			texts := []string{"red", "", "The cat runs.", "dogs", " \n", "blue blue\x00\xff", "red"}
			got := vectors(t, m, texts...)
			for i, ids := range [][]int{{2, 4, 3}, nil, {2, 10, 6, 11, 9, 3}, {2, 7, 8, 3}, nil, {2, 5, 5, 3}, {2, 4, 3}} {
				w := make([]float32, 8)
				if ids != nil {
					w = want(ids...)
				}
				if v := got[8*i:][:8]; !near(v, w) {
					t.Errorf("%q has the vector %v, want %v", texts[i], v, w)
				}
				if single := vectors(t, m, texts[i]); !near(single, w) {
					t.Errorf("%q alone has the vector %v, want %v", texts[i], single, w)
				}
			}
		})
	}
}

func TestPrefixes(t *testing.T) {
	m := open(t, hugot.Config{Path: "testdata/mean", QueryPrefix: "red ", PassagePrefix: "blue "})
	got := make([]float32, 8)
	for kind, w := range map[embed.Kind][]float32{embed.Query: want(2, 4, 6, 3), embed.Passage: want(2, 5, 6, 3)} {
		if err := m.Embed(t.Context(), got, []string{"cat"}, kind); err != nil || !near(got, w) {
			t.Errorf("a %v has the vector %v, %v, want %v", kind, got, err, w)
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	m := open(t, hugot.Config{Path: "testdata/mean"})
	if m.Info().MaxTokens != 16 {
		t.Fatalf("MaxTokens is %d, want 16", m.Info().MaxTokens)
	}
	if err := embed.Usable(vectors(t, m, strings.Repeat("the cat runs. ", 5000))); err != nil {
		t.Error(err)
	}
}

func TestInfo(t *testing.T) {
	a := open(t, hugot.Config{Path: "testdata/mean"}).Info()
	if a.ID != "mean" || a.Dim != 8 || len(a.Revision) != 12 {
		t.Errorf("Info = %+v", a)
	}
	seen := map[string]bool{a.Revision: true}
	for _, c := range []hugot.Config{
		{Path: "testdata/pooled", Output: "sentence_embedding"}, {Path: "testdata/mean", MaxTokens: 9}, {Path: "testdata/mean", QueryPrefix: "q"},
	} {
		if r := open(t, c).Info().Revision; seen[r] {
			t.Errorf("%+v shares the revision %s", c, r)
		} else {
			seen[r] = true
		}
	}
}

// folder returns a copy of a model with some files changed; "" removes one.
func folder(t *testing.T, from string, change map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for name, content := range change {
		path := filepath.Join(dir, name)
		var err error
		if content == "" {
			err = os.RemoveAll(path)
		} else if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			err = os.WriteFile(path, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOpenRefuses(t *testing.T) {
	files := func(kv ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i]] = kv[i+1]
		}
		return m
	}
	for name, test := range map[string]struct {
		change map[string]string
		cfg    hugot.Config
		want   error
		text   string
	}{
		"no onnx":         {files("model.onnx", ""), hugot.Config{}, hugot.ErrNoModel, ".onnx"},
		"no tokenizer":    {files("tokenizer.json", ""), hugot.Config{}, hugot.ErrNoModel, "tokenizer.json"},
		"no config":       {files("config.json", ""), hugot.Config{}, hugot.ErrNoModel, "config.json"},
		"broken config":   {files("config.json", "{"), hugot.Config{}, hugot.ErrNoModel, "config.json"},
		"no size":         {files("config.json", `{"max_position_embeddings":16}`), hugot.Config{}, hugot.ErrNoModel, "dim"},
		"no length":       {files("config.json", `{"hidden_size":8}`), hugot.Config{}, hugot.ErrNoModel, "max_tokens"},
		"several onnx":    {files("onnx/other.onnx", "x"), hugot.Config{}, hugot.ErrNoModel, "several"},
		"other onnx":      {files(), hugot.Config{File: "other.onnx"}, hugot.ErrNoModel, "other.onnx"},
		"onnx elsewhere":  {files(), hugot.Config{File: "../mean/model.onnx"}, nil, "file"},
		"cls pooling":     {files("1_Pooling/config.json", `{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false}`), hugot.Config{}, hugot.ErrPooling, "sentence_embedding"},
		"two poolings":    {files("1_Pooling/config.json", `{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":true}`), hugot.Config{}, hugot.ErrPooling, "pooling_mode_cls_token"},
		"last token":      {files("1_Pooling/config.json", `{"pooling_mode_lasttoken":true}`), hugot.Config{}, hugot.ErrPooling, "lasttoken"},
		"no pooling":      {files("1_Pooling/config.json", `{}`), hugot.Config{}, hugot.ErrPooling, "none"},
		"broken pooling":  {files("1_Pooling/config.json", `[]`), hugot.Config{}, nil, "1_Pooling"},
		"too many tokens": {files(), hugot.Config{MaxTokens: 17}, nil, "16"},
		"too few tokens":  {files(), hugot.Config{MaxTokens: 2}, nil, "max_tokens"},
		"bad dimension":   {files(), hugot.Config{Dim: -1}, nil, "dim"},
	} {
		t.Run(name, func(t *testing.T) {
			test.cfg.Path = folder(t, "testdata/mean", test.change)
			_, err := hugot.Open(test.cfg)
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v, want %v with %q", err, test.want, test.text)
			}
		})
	}
	if _, err := hugot.Open(hugot.Config{}); err == nil || !strings.Contains(err.Error(), "path") {
		t.Errorf("no path: error %v", err)
	}
	if _, err := hugot.Open(hugot.Config{Path: "testdata/none"}); !errors.Is(err, hugot.ErrNoModel) {
		t.Errorf("no folder: error %v", err)
	}
}

func TestEmbedFailsWhereTheModelDoes(t *testing.T) {
	for name, test := range map[string]struct {
		change map[string]string
		cfg    hugot.Config
		want   error
	}{
		"junk":               {map[string]string{"model.onnx": "junk"}, hugot.Config{}, nil},
		"junk tokenizer":     {map[string]string{"tokenizer.json": "{}"}, hugot.Config{}, nil},
		"no such output":     {nil, hugot.Config{Output: "none"}, nil},
		"output not pooled":  {nil, hugot.Config{Output: "last_hidden_state"}, hugot.ErrPooling},
		"another dimension":  {nil, hugot.Config{Dim: 16}, embed.ErrBadDim},
		"config says others": {map[string]string{"config.json": `{"hidden_size":12,"max_position_embeddings":16}`}, hugot.Config{}, embed.ErrBadDim},
	} {
		t.Run(name, func(t *testing.T) {
			test.cfg.Path = folder(t, "testdata/mean", test.change)
			m := open(t, test.cfg)
			for range 2 { // the second time, too
				err := m.Embed(t.Context(), make([]float32, m.Info().Dim), []string{"cat"}, embed.Query)
				if err == nil || test.want != nil && !errors.Is(err, test.want) {
					t.Errorf("error %v, want %v", err, test.want)
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	m := open(t, hugot.Config{Path: "testdata/mean"})
	if err := m.Embed(t.Context(), make([]float32, 7), []string{"cat"}, embed.Query); !errors.Is(err, embed.ErrBadCount) {
		t.Errorf("too little room: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Embed(ctx, make([]float32, 8), []string{"cat"}, embed.Query); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	for range 2 {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := m.Embed(t.Context(), make([]float32, 8), []string{"cat"}, embed.Query); !errors.Is(err, hugot.ErrClosed) {
		t.Errorf("after Close: error %v, want %v", err, hugot.ErrClosed)
	}
}

func TestConcurrentUse(t *testing.T) {
	m := open(t, hugot.Config{Path: "testdata/mean"})
	w := want(2, 6, 3)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			got := make([]float32, 8)
			for range 5 {
				if err := m.Embed(context.Background(), got, []string{"cat"}, embed.Query); err != nil || !near(got, w) {
					t.Errorf("got %v, %v, want %v", got, err, w)
				}
			}
		})
	}
	wg.Wait()
}

// The real model is not part of the repository: ORMA_ONNX_MINILM names a folder with
// all-MiniLM-L6-v2 as ONNX.
func TestMiniLMAsTheOriginal(t *testing.T) {
	dir := os.Getenv("ORMA_ONNX_MINILM")
	if dir == "" {
		t.Skip("TestMiniLMAsTheOriginal needs all-MiniLM-L6-v2 as ONNX in the folder that ORMA_ONNX_MINILM names")
	}
	m, p := open(t, hugot.Config{Path: dir}), parity.Load(t)
	for _, c := range p.Cases {
		if c.MiniLM == nil {
			continue
		}
		if cos := parity.Cosine(vectors(t, m, c.Text), c.MiniLM); cos < p.Tolerance.MiniLM {
			t.Errorf("%q: cosine %.5f to the original", c.Text, cos)
		}
	}
}

func BenchmarkEmbed(b *testing.B) {
	dir := os.Getenv("ORMA_ONNX_MINILM")
	if dir == "" {
		dir = "testdata/mean"
	}
	m := open(b, hugot.Config{Path: dir})
	dst, texts := make([]float32, m.Info().Dim), []string{"When did we move the staging queue to the new cluster?"}
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Embed(b.Context(), dst, texts, embed.Query); err != nil {
			b.Fatal(err)
		}
	}
}
