package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// bar shows how far something is, on a terminal only.
type bar struct {
	w     io.Writer // nil: nobody looks
	what  string
	total int64 // 0 or less: not known
	now   func() time.Time
	last  time.Time
	drawn bool
}

const (
	barWidth = 30
	barEvery = 100 * time.Millisecond
)

func (a *app) newBar(what string, total int64) *bar {
	b := &bar{what: what, total: total, now: a.proc.Now}
	if isTerminal(a.err) && a.env("TERM") != "dumb" && !a.json {
		b.w = a.err
	}
	return b
}

// set draws the bar, not more often than an eye can follow.
func (b *bar) set(done int64) {
	if b.w == nil {
		return
	}
	if t := b.now(); t.Sub(b.last) >= barEvery || done == b.total {
		b.last, b.drawn = t, true
		fmt.Fprintf(b.w, "\r\x1b[K%s", b.text(done))
	}
}

func (b *bar) text(done int64) string {
	if b.total <= 0 {
		return fmt.Sprintf("%s %d", b.what, done)
	}
	share := min(float64(done)/float64(b.total), 1)
	full := int(share * barWidth)
	return fmt.Sprintf("%s [%s%s] %3.0f %%", b.what, strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), share*100)
}

// clear takes the bar away, before something else is printed.
func (b *bar) clear() {
	if b.drawn {
		b.drawn = false
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
