package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/cmd/internal/hook"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// alwaysOK marks a command whose exit code is 0 whatever happens.
const alwaysOK = "always-ok"

// hookTime is what of a hook's time is left to the command: the process needs some to
// start and end.
const hookTime = hook.Limit - 150*time.Millisecond

func (a *app) hookCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "hook EVENT",
		Short: "Answer a hook of an agent: record what was said, recall what bears on it",
		Long: `Reads an event as Claude Code's hooks get it from standard input. At SessionStart and
UserPromptSubmit it prints what memory knows; at UserPromptSubmit, PostToolUse, Stop and
SubagentStop it records; at PreToolUse it prints the rules that bear on the tool.

It takes at most a second and exits 0 whatever happens: an agent is never held up.
Failures are written to hook.log in Orma's folder, and doctor shows them.`,
		Example: `  orma setup claude-code --hooks
  echo '{"session_id": "s1", "prompt": "Deploy it"}' | orma hook UserPromptSubmit`,
		Annotations:        map[string]string{alwaysOK: "yes"},
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		Args:               cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.hook(cmd.Context(), strings.Join(args, " "))
			return nil
		},
	}
}

// hook answers an event. The work goes on by itself, so that nothing can hold the
// answer back longer than it may take. What is not recorded by then is written down for
// a later hook.
func (a *app) hook(ctx context.Context, event string) {
	ctx, stop := context.WithTimeout(ctx, hookTime)
	defer stop()
	h := &hookRun{a: a, event: event, answers: make(chan []byte, 1), done: make(chan error, 1)}
	go h.run(ctx) // ends with the process
	var err error
	select {
	case out := <-h.answers:
		h.print(out)
		select {
		case err = <-h.done:
		case <-ctx.Done():
			err = errHookTime
		}
	case err = <-h.done:
	case <-ctx.Done():
		err = errHookTime
	}
	select { // both may have come at once
	case out := <-h.answers:
		h.print(out)
	default:
	}
	h.end(err)
}

var errHookTime = core.Errorf(core.CodeBusy, "it took longer than %s", hookTime)

func (h *hookRun) print(out []byte) {
	_, _ = h.a.out.Write(out)
	_ = h.a.out.Flush() // there is nobody to tell
}

// hookRun is one hook at work.
type hookRun struct {
	a       *app
	answers chan []byte
	done    chan error

	mu     sync.Mutex
	event  string
	inputs []engine.Input // what is not recorded yet
}

func (h *hookRun) run(ctx context.Context) {
	defer func() {
		if p := recover(); p != nil {
			h.done <- core.Errorf(core.CodeInternal, "it panicked: %T at %s", p, firstFrames(debug.Stack()))
		}
	}()
	h.done <- h.work(ctx)
}

func (h *hookRun) work(ctx context.Context) error {
	o, err := h.a.options()
	if err != nil {
		return err
	}
	now := o.Now()
	e, err := hook.Read(h.a.proc.Stdin, h.event)
	if err != nil {
		return err
	}
	inputs, inputErr := hook.Inputs(e, now)
	h.set(e.Name, inputs)
	return errors.Join(inputErr, h.a.with(ctx, func(m *local.Memory) error {
		answer, err := hook.Recall(ctx, m.Engine, h.a.space, e, now)
		if out := hook.Output(e.Name, answer); out != nil {
			h.answers <- out // before what is left to do
		}
		rerr := hook.Record(ctx, m.Engine, h.a.space, inputs)
		if rerr == nil {
			h.set(e.Name, nil)
			rerr = hook.CatchUp(ctx, m.Engine, m.Home)
		}
		if answer.Delivered != nil {
			rerr = errors.Join(rerr, answer.Delivered(ctx))
		}
		return errors.Join(err, rerr)
	}))
}

func (h *hookRun) set(event string, inputs []engine.Input) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.event, h.inputs = event, inputs
}

// end writes down what failed, and what was not recorded.
func (h *hookRun) end(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		return
	}
	if home, herr := local.Home(); herr == nil {
		err = errors.Join(err, hook.Keep(home, h.a.space, h.inputs))
	}
	h.a.hookFailed(h.event, err)
}

// firstFrames shortens a stack to its beginning.
func firstFrames(stack []byte) string {
	var out []string
	for line := range strings.Lines(string(stack)) {
		if strings.HasPrefix(line, "\t") && strings.Contains(line, "orma") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out[:min(len(out), 4)], ", ")
}

// hookFailed writes a failure where doctor finds it.
func (a *app) hookFailed(event string, err error) {
	if err == nil {
		return
	}
	fmt.Fprintf(a.err, "orma: hook %s: %s\n", event, err)
	home, herr := local.Home()
	if herr == nil {
		herr = hook.Log(home, hook.Failure{At: a.proc.Now(), Event: event, Error: err.Error()})
	}
	if herr != nil {
		fmt.Fprintf(a.err, "orma: hook log: %s\n", herr)
	}
}

// printHookFailures shows what hooks could not do lately.
func (a *app) printHookFailures(home string) {
	list, err := hook.Failures(home)
	if err != nil {
		a.say("hook log: %s", err)
		return
	}
	if len(list) == 0 {
		return
	}
	last := list[len(list)-1]
	a.say("hooks: %s, the last at %s: %s: %s", count(len(list), "failure", "failures"), last.At.Local().Format(time.DateTime), last.Event, last.Error)
}
