package cli

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/embed/bert"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) modelCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "model list|pull|pack",
		Short: "List, fetch and convert embedding models",
		Long: `Models lie in models in Orma's folder. None is needed: the default embedder is part of
the program.`,
	}
	return family(c,
		&cobra.Command{
			Use: "list", Short: "List the models in Orma's folder",
			Args: wants(0, 0, "no arguments"), RunE: func(*cobra.Command, []string) error { return a.modelList() },
		},
		a.modelPullCommand(), a.modelPackCommand(),
	)
}

// modelInfo is a model as --json shows it.
type modelInfo struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Kind  string `json:"kind"` // pack or onnx
	Bytes int64  `json:"bytes"`
}

func (a *app) modelList() error {
	home, err := local.Home()
	if err != nil {
		return err
	}
	dir := filepath.Join(home, "models")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return core.Errorf(core.CodeDenied, "%s cannot be read: %w", dir, err)
	}
	models := []modelInfo{}
	for _, e := range entries {
		m := modelInfo{Name: e.Name(), Path: filepath.Join(dir, e.Name())}
		switch {
		case e.IsDir():
			m.Kind = "onnx"
		case filepath.Ext(e.Name()) == ".pack":
			m.Kind = "pack"
		default:
			continue
		}
		m.Bytes = sizeOf(m.Path)
		models = append(models, m)
	}
	if a.json {
		return a.printJSON(models)
	}
	if len(models) == 0 {
		a.say("no models in %s; the default embedder needs none", dir)
	}
	for _, m := range models {
		a.print("%-5s %9s  %s", m.Kind, byteCount(m.Bytes), clean(m.Path))
	}
	return nil
}

// sizeOf adds up the files of a model; what cannot be read counts nothing.
func sizeOf(path string) (n int64) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if i, err := d.Info(); err == nil {
				n += i.Size()
			}
		}
		return nil
	})
	return n
}

func (a *app) modelPullCommand() *cobra.Command {
	var o pull
	c := &cobra.Command{
		Use:   "pull OWNER/NAME",
		Short: "Fetch an ONNX sentence model from Hugging Face's hub; needs the internet",
		Long: `Fetches the files of an ONNX sentence model into models in Orma's folder. This is the
one command that needs the internet. It changes no configuration; it prints the table
that uses the model.`,
		Example: `  orma model pull sentence-transformers/all-MiniLM-L6-v2`,
		Args:    wants(1, 1, "the name of a model, such as sentence-transformers/all-MiniLM-L6-v2"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = args[0]
			return a.modelPull(cmd.Context(), o)
		},
	}
	c.Flags().StringVar(&o.hub, "hub", "", "`URL` of the hub (default https://huggingface.co)")
	c.Flags().StringVar(&o.revision, "revision", "", "branch, tag or `COMMIT` (default main)")
	c.Flags().StringVar(&o.onnx, "onnx", "", "`PATH` of the .onnx file in the repository")
	return c
}

// pull says what is fetched, and from where; empty is the hub's default.
type pull struct {
	name, hub, revision, onnx, token string
	progress                         func(file string, size int64)
}

func (a *app) modelPull(ctx context.Context, p pull) error {
	home, err := local.Home()
	if err != nil {
		return err
	}
	p.token = a.env("HF_TOKEN")
	p.progress = func(file string, size int64) {
		if size < 0 {
			a.say("fetching %s", file)
			return
		}
		a.say("fetching %s, %s", file, byteCount(size))
	}
	dir, err := p.run(ctx, filepath.Join(home, "models"))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := (*core.Error)(nil)
		if !errors.As(err, &e) {
			e = core.Errorf(core.CodeUnavailable, "%w", err)
		}
		if errors.As(err, new(*url.Error)) || errors.As(err, new(net.Error)) {
			return e.Hinted("pull needs the internet; on a machine without, copy a model's folder to %s", filepath.Join(home, "models"))
		}
		return e
	}
	if a.json {
		return a.printJSON(modelInfo{Name: filepath.Base(dir), Path: dir, Kind: "onnx", Bytes: sizeOf(dir)})
	}
	a.print("%s", clean(dir))
	a.say("to use it, put this into %s and run orma reindex:\n\n[embedder.default]\nuse = \"hugot\"\npath = %q", filepath.Join(home, "config.toml"), dir)
	return nil
}

func (a *app) modelPackCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "pack FOLDER",
		Short: "Convert a BERT-shaped model from safetensors to a pack",
		Long: `Reads config.json and model.safetensors of a folder, as Hugging Face lays it out, and
writes a pack with int8 weights that the embedders minilm and bert run in this process.`,
		Example: `  orma model pack ./all-MiniLM-L6-v2`,
		Args:    wants(1, 1, "the FOLDER of a model"),
		RunE: func(_ *cobra.Command, args []string) error {
			if i, err := os.Stat(args[0]); err != nil || !i.IsDir() {
				return core.Errorf(core.CodeNotFound, "there is no folder %s", args[0]).Hinted("give the folder with config.json and model.safetensors")
			}
			return a.modelPack(args[0], out)
		},
	}
	c.Flags().StringVar(&out, "out", "", "`FILE` to write (default FOLDER's name.pack in Orma's models)")
	return c
}

func (a *app) modelPack(dir, out string) error {
	if out == "" {
		home, err := local.Home()
		if err != nil {
			return err
		}
		abs, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		out = filepath.Join(home, "models", filepath.Base(abs)+".pack")
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o700); err != nil {
		return core.Errorf(core.CodeUnavailable, "%s cannot be made: %w", filepath.Dir(out), err)
	}
	f, err := os.CreateTemp(filepath.Dir(out), ".pack-*")
	if err != nil {
		return core.Errorf(core.CodeUnavailable, "%s cannot be written: %w", out, err)
	}
	if err = errors.Join(bert.Convert(dir, f), f.Close()); err == nil {
		err = os.Rename(f.Name(), out)
	}
	if err != nil {
		return errors.Join(core.Errorf(core.CodeInvalid, "%w", err), os.Remove(f.Name()))
	}
	if a.json {
		return a.printJSON(modelInfo{Name: filepath.Base(out), Path: out, Kind: "pack", Bytes: sizeOf(out)})
	}
	a.print("%s", clean(out))
	return nil
}
