package wasmhost

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tetratelabs/wazero"
)

// compile makes machine code of a module, or takes it from the cache folder.
//
// The library's own cache trusts what it finds there, and machine code that is not what
// it wrote crashes the process. So every module has a folder of its own, which is sealed
// with a digest of all that is in it. A folder whose seal does not fit is thrown away.
func (p *plugin) compile(ctx context.Context, code []byte) error {
	if p.o.Cache == "" {
		return p.build(ctx, code, nil)
	}
	sum := sha256.Sum256(code)
	dir := filepath.Join(p.o.Cache, "wasm", hex.EncodeToString(sum[:]))
	seal := dir + ".seal"
	if intact(dir, seal) == nil {
		return p.buildFrom(ctx, code, dir)
	}
	// What cannot be removed keeps its wrong seal and is never used.
	_, _ = os.RemoveAll(dir), os.Remove(seal)
	return p.compileInto(ctx, code, dir, seal)
}

// compileInto compiles into a fresh folder and puts it into its place sealed. If that
// fails because another process was faster, or the disk is full, the code runs all the
// same and the next start compiles again.
func (p *plugin) compileInto(ctx context.Context, code []byte, dir, seal string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return p.build(ctx, code, nil)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		return p.build(ctx, code, nil)
	}
	defer os.RemoveAll(tmp)
	if err := p.buildFrom(ctx, code, tmp); err != nil {
		return err
	}
	digest, err := digestOf(tmp)
	if err == nil && os.Rename(tmp, dir) == nil {
		_ = writeFile(seal, digest) // without a seal it is compiled again
	}
	return nil
}

// buildFrom compiles with the library's cache in a folder.
func (p *plugin) buildFrom(ctx context.Context, code []byte, dir string) error {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	p.cache = cache
	return p.build(ctx, code, cache)
}

// intact reports whether a folder is what was sealed.
func intact(dir, seal string) error {
	want, err := os.ReadFile(seal)
	if err != nil {
		return err
	}
	got, err := digestOf(dir)
	if err != nil {
		return err
	}
	if strings.TrimSpace(string(want)) != got {
		return errors.New("the seal does not fit")
	}
	return nil
}

// digestOf is the digest of all files in a folder, with their names.
func digestOf(dir string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%q %d\n", filepath.ToSlash(rel), info.Size())
		_, err = io.Copy(h, f)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// writeFile writes a small file whole or not at all.
func writeFile(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "seal-")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}
