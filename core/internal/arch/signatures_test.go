package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// TestSignatures holds the library to signatures of its own types: who uses it must not
// come to depend on what it is built with.
func TestSignatures(t *testing.T) {
	root := os.DirFS("../../..")
	checked := 0
	err := fs.WalkDir(root, "core", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/testdata/") {
			return err
		}
		src, err := fs.ReadFile(root, file)
		if err != nil {
			return err
		}
		names, err := foreign(file, string(src))
		if err != nil {
			return err
		}
		checked++
		for _, name := range names {
			t.Errorf("%s: an exported declaration mentions %s", file, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 100 {
		t.Fatalf("only %d files were read", checked)
	}
}

func TestForeign(t *testing.T) {
	const head = `package p
import (
	"net/http"
	"example.com/yaml/v3"
	other "example.com/lib"
)
`
	for src, want := range map[string]string{
		"func F(x yaml.Node) {}":                          "yaml.Node",
		"func F() (x *other.T, err error) { return }":     "other.T",
		"func F[T other.C](x T) {}":                       "other.C",
		"func (t *T) M(f func(map[string]other.T)) {}":    "other.T",
		"type T struct { A []other.T }":                   "other.T",
		"type T struct { other.T }":                       "other.T",
		"type T = other.T":                                "other.T",
		"type I interface { M(other.T) }":                 "other.T",
		"var V other.T":                                   "other.T",
		"func f(x other.T) {}":                            "",
		"func (t *t) M(x other.T) {}":                     "",
		"type T struct { a other.T }":                     "",
		"type t struct { A other.T }":                     "",
		"func F(w http.ResponseWriter) { var _ other.T }": "",
	} {
		got, err := foreign("p.go", head+src)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s: %v, want %q", src, got, want)
		}
	}
}

// foreign returns the names from other modules that a file's exported declarations mention.
func foreign(file, src string) (names []string, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	others := map[string]bool{}
	for _, spec := range f.Imports {
		imp, _ := strconv.Unquote(spec.Path.Value)
		host, _, _ := strings.Cut(imp, "/")
		if !strings.Contains(host, ".") || strings.HasPrefix(imp, module) {
			continue
		}
		name := path.Base(imp)
		if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
			name = path.Base(path.Dir(imp))
		}
		name = strings.TrimPrefix(name, "go-")
		if spec.Name != nil {
			name = spec.Name.Name
		}
		others[name] = true
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || exportedType(d.Recv.List[0].Type)) {
				names = append(names, mentions(d.Type, others)...)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						names = append(names, mentions(s.Type, others)...)
					}
				case *ast.ValueSpec:
					if s.Names[0].IsExported() && s.Type != nil {
						names = append(names, mentions(s.Type, others)...)
					}
				}
			}
		}
	}
	return names, nil
}

// mentions lists the names of other packages in a type, but for those of fields that
// nobody else sees.
func mentions(in ast.Expr, others map[string]bool) (names []string) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Field:
			return len(x.Names) == 0 || !isField(in, x) || x.Names[0].IsExported()
		case *ast.SelectorExpr:
			if pkg, ok := x.X.(*ast.Ident); ok && others[pkg.Name] {
				names = append(names, pkg.Name+"."+x.Sel.Name)
			}
			return false
		}
		return true
	})
	return names
}

// isField reports whether a field is one of a struct, and not an argument.
func isField(in ast.Expr, field *ast.Field) (is bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			for _, f := range s.Fields.List {
				is = is || f == field
			}
		}
		return !is
	})
	return is
}

func exportedType(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.StarExpr:
		return exportedType(x.X)
	case *ast.IndexExpr:
		return exportedType(x.X)
	case *ast.IndexListExpr:
		return exportedType(x.X)
	case *ast.Ident:
		return x.IsExported()
	}
	return false
}
