package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/eval"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) evalCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval recall|fit",
		Short: "Measure recall on a data set, and fit weights to one",
	}
	return family(c, a.evalRecallCommand(), a.evalFitCommand())
}

// evalFlags choose what is run.
type evalFlags struct {
	limit  int
	ablate bool
	sweep  string
	format string
}

func (a *app) evalRecallCommand() *cobra.Command {
	var f evalFlags
	c := &cobra.Command{
		Use:   "recall FILE",
		Short: "Print recall, NDCG, MRR, tokens and latency on a data set",
		Long: `Puts each conversation of a data set into a space of its own, in a temporary database,
asks its questions, and prints how much of what answers them is among the first
results, with bootstrap intervals. --ablate switches each stage off in turn and prints
the differences; --sweep runs the variants of a sweep file. docs/eval.md describes the
two shapes of data sets.`,
		Example: `  orma eval recall questions.jsonl
  orma eval recall questions.jsonl --ablate --format json
  orma eval recall questions.jsonl --off neighbours,dated`,
		Args: wants(1, 1, "the FILE of a data set"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.limit < 0 {
				return usagef("--limit must not be negative")
			}
			return a.evalRecall(cmd.Context(), args[0], &f)
		},
	}
	c.Flags().IntVar(&f.limit, "limit", 0, "most `QUESTIONS` of a conversation (default all)")
	c.Flags().BoolVar(&f.ablate, "ablate", false, "each stage off in turn, and what that changes")
	c.Flags().StringVar(&f.sweep, "sweep", "", "the variants of this `FILE`, and what they change")
	c.Flags().Var(newChoice(&f.format, "md", "json"), "format", "md or json (default md)")
	return c
}

func (a *app) evalRecall(ctx context.Context, file string, f *evalFlags) error {
	set, err := loadSet(file)
	if err != nil {
		return err
	}
	var sweep *config.Sweep
	if f.sweep != "" {
		if sweep, err = readSweep(f.sweep); err != nil {
			return err
		}
		if len(a.config) == 0 {
			a.config = []string{sweep.Base}
		}
	}
	return a.withScratch(ctx, func(m *local.Memory) error {
		if err := a.fill(ctx, m, set); err != nil {
			return err
		}
		opt := eval.Options{Limit: f.limit, Tokens: true}
		whole, err := eval.Ask(ctx, m, set, opt)
		if err != nil {
			return err
		}
		r := eval.Summarise(set, whole)
		r.ConfigDigest, r.Off = m.Config.Digest(), a.off
		s, err := m.Stats(ctx)
		if err != nil {
			return err
		}
		r.Embedder = s.Embedder
		variants := sweepOf(f, sweep, m.Config)
		bar := a.newBar("variants", int64(len(variants)))
		defer bar.clear()
		for i, v := range variants {
			if err := a.variant(ctx, m, set, r, whole, v, f.limit); err != nil {
				return err
			}
			bar.set(int64(i + 1))
		}
		bar.clear()
		if a.json || f.format == "json" {
			return a.printJSON(r)
		}
		_, err = a.out.WriteString(r.Markdown())
		return err
	})
}

// variant asks everything of a changed pipeline and adds what that changes.
func (a *app) variant(ctx context.Context, m *local.Memory, set *eval.Set, r *eval.Report, whole []eval.Answer, v config.Variant, limit int) error {
	opt := eval.Options{Limit: limit, Off: v.Off, Set: map[string]string{}}
	for _, kv := range v.Set {
		key, value, _ := strings.Cut(kv, "=")
		opt.Set[key] = value
	}
	answers, err := eval.Ask(ctx, m, set, opt)
	if err != nil {
		return wrapped(v.Name, err)
	}
	c, err := eval.Compare(v.Name, whole, answers)
	r.Ablation = append(r.Ablation, c)
	return err
}

// sweepOf lists the variants that flags ask for.
func sweepOf(f *evalFlags, sweep *config.Sweep, cfg *config.Config) []config.Variant {
	if sweep == nil {
		sweep = &config.Sweep{}
	}
	if f.ablate {
		sweep.LeaveOneOut = "recall"
	}
	return sweep.All(cfg.StageNames("recall"))
}

func readSweep(path string) (*config.Sweep, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	return config.LoadSweep(path, string(src))
}

func loadSet(path string) (*eval.Set, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fileError(path, err)
	}
	return eval.Load(path)
}

// withScratch opens a database that is gone afterwards.
func (a *app) withScratch(ctx context.Context, fn func(*local.Memory) error) (err error) {
	dir, err := os.MkdirTemp("", "orma-eval-*")
	if err != nil {
		return core.Errorf(core.CodeUnavailable, "no room for a temporary database: %w", err)
	}
	defer func() {
		if rerr := os.RemoveAll(dir); err == nil {
			err = rerr
		}
	}()
	o, err := a.options()
	if err != nil {
		return err
	}
	o.Path = filepath.Join(dir, "eval.db")
	m, err := local.Open(ctx, o)
	if err != nil {
		return err
	}
	a.setLevel(m.Config.Log.Level)
	defer func() {
		if cerr := m.Close(); err == nil {
			err = cerr
		}
	}()
	return fn(m)
}

// fill stores a data set, makes its vectors, and warms the indexes: what is measured is
// a search, not a start.
func (a *app) fill(ctx context.Context, m *local.Memory, set *eval.Set) error {
	bar := a.newBar("fill", int64(len(set.Conversations)))
	err := eval.Fill(ctx, m, set, func(done, _ int) { bar.set(int64(done)) })
	bar.clear()
	if err != nil {
		return err
	}
	if !m.EmbedsInline() {
		if _, err := a.embedMissing(ctx, m); err != nil {
			return err
		}
	}
	_, err = eval.Ask(ctx, m, set, eval.Options{Limit: 1})
	return err
}

func (a *app) evalFitCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "fit FILE...",
		Short: "Fit the weights of the blend to data sets, by cross-validation",
		Long: `Fits the weights of the ranking stages to data sets with known evidence. It prints the
recall of each conversation under weights fitted to the others, and writes weights
fitted to all of them as a configuration.`,
		Example: `  orma eval fit questions.jsonl --out fitted.toml
  orma --config fitted.toml eval recall questions.jsonl`,
		Args: wants(1, -1, "the FILE of a data set"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var sets []*eval.Set
			for _, file := range args {
				set, err := loadSet(file)
				if err != nil {
					return err
				}
				sets = append(sets, set)
			}
			return a.fit(cmd.Context(), sets, out)
		},
	}
	c.Flags().StringVar(&out, "out", "", "`FILE` for the weights (default standard output)")
	return c
}

// fitted is what a fit came to, as --json shows it.
type fitted struct {
	CrossValidated *eval.Report       `json:"cross_validated"`
	Weights        map[string]float64 `json:"weights"`
	TOML           string             `json:"toml"`
}

func (a *app) fit(ctx context.Context, sets []*eval.Set, out string) error {
	var samples []eval.Sample
	var fs []eval.Feature
	digest, group := "", 0
	for _, set := range sets {
		err := a.withScratch(ctx, func(m *local.Memory) error {
			if err := a.fill(ctx, m, set); err != nil {
				return err
			}
			fs, digest = eval.Features(m.Config.Recall), m.Config.Digest()
			got, err := eval.Collect(ctx, m, set, fs, group)
			samples = append(samples, got...)
			return err
		})
		if err != nil {
			return err
		}
		group += len(set.Conversations)
	}
	if len(fs) == 0 {
		return core.Errorf(core.CodeConfig, "no stage of the pipeline has a weight to fit").Hinted("use the default profile")
	}
	if group < 2 {
		return core.Errorf(core.CodeInvalid, "a fit needs two conversations or more: one is left out in turn")
	}
	all := &eval.Set{File: names(sets), Shape: sets[0].Shape, Conversations: make([]eval.Conversation, group)}
	f := fitted{CrossValidated: eval.Summarise(all, eval.CrossValidate(samples, fs, nil)), Weights: map[string]float64{}}
	f.CrossValidated.ConfigDigest = digest
	fs, w := eval.Taught(samples, fs, eval.Fit(samples, fs))
	for i := range fs {
		f.Weights[fs[i].Key] = w[i]
	}
	r := f.CrossValidated
	f.TOML = eval.WeightsTOML(fs, w, fmt.Sprintf("Fitted on %d questions of %d conversations. With each conversation left out in turn:\nturn recall@10 %.3f, session recall@10 %.3f.",
		r.Questions, r.Conversations, r.Turn.R10, r.Session.R10))
	return a.printFit(&f, out)
}

func (a *app) printFit(f *fitted, out string) error {
	if out != "" {
		if err := os.WriteFile(out, []byte(f.TOML), 0o644); err != nil { // weights are no secret
			return core.Errorf(core.CodeUnavailable, "%s cannot be written: %w", out, err)
		}
	}
	if a.json {
		return a.printJSON(f)
	}
	a.say("each conversation left out in turn: turn recall@10 %.4f, session recall@10 %.4f", f.CrossValidated.Turn.R10, f.CrossValidated.Session.R10)
	if out != "" {
		a.print("wrote %s", clean(out))
		return nil
	}
	_, err := a.out.WriteString(f.TOML)
	return err
}

func names(sets []*eval.Set) string {
	var out []string
	for _, s := range sets {
		out = append(out, s.File)
	}
	return strings.Join(out, ", ")
}
