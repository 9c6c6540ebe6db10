package term_weights_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/wasmhost"
	"github.com/orma-memory/orma/sdk/stagetest"
)

// open opens the module that is committed beside this test.
func open(t testing.TB) pipeline.Spec {
	t.Helper()
	h := wasmhost.New(wasmhost.Options{Timeout: 10 * time.Second})
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	p, err := h.Open(context.Background(), host.Source{Path: "term_weights.wasm"})
	if err != nil {
		t.Fatal(err)
	}
	return p.Stages[0]
}

// params are the defaults with a file of terms.
func params(spec pipeline.Spec, file string) any {
	p := spec.NewParams()
	reflect.ValueOf(p).Elem().Field(0).SetString(file) // the first parameter
	return p
}

func write(t testing.TB, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "terms.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestConformance(t *testing.T) {
	spec := open(t)
	deps := component.Deps{Dir: write(t, "keys 2\nasha 0.5\nmem* 3\n部署を変えた 4\n")}
	stagetest.RunSuite(t, stagetest.Suite{Spec: spec, Params: params(spec, "terms.txt"), Deps: deps})
	t.Run("without a file", func(t *testing.T) { stagetest.Run(t, spec) })
}

func TestTerms(t *testing.T) {
	spec := open(t)
	deps := component.Deps{Dir: write(t, "\ufeff# mine\r\ndeadline 3\r\nnewsletter 0.1 # dull\r\nreport* 100\r\n")}
	st, err := spec.Build(params(spec, "terms.txt"), deps)
	if err != nil {
		t.Fatal(err)
	}
	f := frame.New(5, frame.ID, frame.Score, frame.Text)
	copy(f.Strings(frame.Text), []string{"The DEADLINE is on Friday.", "newsletter", "reports of reports", "tea", ""})
	copy(f.F32(frame.Score), []float32{1, 1, 1, 1, 1})
	if err := st.Run(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if got, want := f.F32(frame.Score), []float32{3, 0.25, 4, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v (0.25 and 4 are the bounds)", got, want)
	}
}

// TestBadFiles are refused when the stage is built, with the line.
func TestBadFiles(t *testing.T) {
	spec := open(t)
	for name, c := range map[string]struct{ text, file, want string }{
		"a bad line":    {"tea 1\ncoffee\n", "terms.txt", "terms, line 2: want a term and a factor"},
		"no UTF-8":      {"\xff\xfe", "terms.txt", "not UTF-8"},
		"not there":     {"", "other.txt", "no such file"},
		"a folder":      {"", ".", "no regular file"},
		"a device":      {"", os.DevNull, "no regular file"},
		"far too large": {strings.Repeat("# nothing\n", 200_000), "terms.txt", "more than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := spec.Build(params(spec, c.file), component.Deps{Dir: write(t, c.text)})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Build: %v, want %q", err, c.want)
			}
		})
	}
}
