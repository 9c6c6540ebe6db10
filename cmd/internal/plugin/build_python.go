package plugin

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/orma-memory/orma/sdk"
)

// launcher starts the file that it is the head of with the Python of the plugin's folder.
// Python finds the zip archive behind it.
const launcher = "#!/bin/sh\nexec \"$(dirname \"$0\")/.venv/bin/python\" -I \"$0\" \"$@\"\n"

// python makes an environment with the plugin's requirements and one file of its code, so
// that a digest covers what its author wrote.
func (b *builder) python() error {
	if runtime.GOOS == "windows" {
		return errors.New("a plugin in Python cannot be built on Windows yet: build an .exe with a tool of yours and name it with path")
	}
	tool, err := exec.LookPath("python3")
	if err != nil {
		return &MissingError{"Python", "install Python 3.10 or later with its venv module"}
	}
	if err := b.environment(tool); err != nil {
		return err
	}
	archive, err := b.archive()
	if err != nil {
		return err
	}
	return os.WriteFile(b.out, append([]byte(launcher), archive...), 0o755)
}

// environment makes .venv, unless it is there for these very requirements.
func (b *builder) environment(tool string) error {
	want, err := os.ReadFile(filepath.Join(b.dir, "requirements.txt"))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(want)
	venv := filepath.Join(b.dir, ".venv")
	stamp := filepath.Join(venv, "orma-requirements")
	if got, err := os.ReadFile(stamp); err == nil && string(got) == hex.EncodeToString(sum[:]) {
		return nil
	}
	if err := b.run(nil, tool, "-m", "venv", "--clear", venv); err != nil {
		return &MissingError{"Python", "on Debian: apt-get install python3-venv"}
	}
	if err := b.run(nil, filepath.Join(venv, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt"); err != nil {
		return &MissingError{"Python", "pip could not install requirements.txt: see above"}
	}
	return os.WriteFile(stamp, []byte(hex.EncodeToString(sum[:])), 0o644)
}

// kitDir is the kit in a plugin's folder and in the archive, and pythonKit where ours is.
const (
	kitDir    = "orma_plugin"
	pythonKit = "proc/python/" + kitDir
)

// archive is a zip file of the folder's Python files; main.py is where it starts. The kit
// is added where the folder has none of its own. Equal files make equal archives.
func (b *builder) archive() ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.SetOffset(int64(len(launcher)))
	root := os.DirFS(b.dir)
	if _, err := fs.Stat(root, "main.py"); err != nil {
		return nil, err
	}
	err := addPython(w, root, "")
	if _, none := fs.Stat(root, kitDir); none != nil && err == nil {
		var kit fs.FS
		if kit, err = fs.Sub(sdk.Kits, pythonKit); err == nil {
			err = addPython(w, kit, kitDir+"/")
		}
	}
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// addPython adds the Python files of a folder, tests and hidden folders apart.
func addPython(w *zip.Writer, root fs.FS, prefix string) error {
	return fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "__pycache__" || d.Name() == "tests") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".py") || strings.HasPrefix(d.Name(), "test_") {
			return nil
		}
		data, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		if path == "main.py" {
			path = "__main__.py"
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: prefix + path, Method: zip.Deflate})
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	})
}
