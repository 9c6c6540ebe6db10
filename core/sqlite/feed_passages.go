package sqlite

import (
	"unsafe"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

// A cursor finds rows by key. A full feed asks for keys in rising order, so it
// steps along the table, which costs less than a search a row; for keys that are
// out of order, and for an incremental feed, it searches.
type cursor struct {
	walk, find *sqlite3.Stmt // key is column 0 of both; walk is nil when there is none
	at         int64         // the key walk stands at; -1 before the first, forever after the last
}

func (c *conn) cursor(sel, where string, walk bool, lo, hi int64) (*cursor, error) {
	cur := &cursor{at: -1}
	var err error
	if cur.find, err = c.stmt(sel+"WHERE key = ?", nil); err != nil || !walk {
		return cur, err
	}
	cur.walk, err = c.stmt(sel+"WHERE key BETWEEN ? AND ?"+where+" ORDER BY key", []any{lo, hi})
	return cur, err
}

// seek returns the row of a key, or nil.
func (cur *cursor) seek(key int64) (*row, error) {
	for cur.walk != nil && cur.at < key {
		if !cur.walk.Step() {
			if err := cur.walk.Err(); err != nil {
				return nil, err
			}
			cur.at = forever
			break
		}
		cur.at = cur.walk.ColumnInt64(0)
	}
	if cur.at == key {
		return cur.walk, nil
	}
	if err := cur.find.Reset(); err != nil {
		return nil, err
	}
	if err := cur.find.BindInt64(1, key); err != nil {
		return nil, err
	}
	if cur.find.Step() {
		return cur.find, nil
	}
	return nil, cur.find.Err()
}

func (cur *cursor) reset() {
	_ = cur.find.Reset()
	if cur.walk != nil {
		_ = cur.walk.Reset()
	}
}

const (
	feedPassages = "SELECT key, episode, seq, start, stop, born FROM passages WHERE "
	feedEpisodes = `SELECT key, quarantined, kind, role, speaker, session, source, trust, at, lives, repeats, parts, text FROM episodes `
	feedVectors  = "SELECT key, vec FROM vectors "
)

// passages feeds passages with their episode and vector. Only strings that were
// not met before are allocated, and text in large pieces.
func (f *feed) passages(embedder string) error {
	full := f.after == 0
	eps, err := f.cursor(feedEpisodes, " AND repeat_of IS NULL", full, f.sp.lo(), f.sp.hi())
	if err != nil {
		return err
	}
	defer eps.reset()
	var vecs *cursor
	emb, known, err := f.one("SELECT id FROM embedders WHERE name = ?", embedder)
	if err != nil {
		return err
	}
	if known {
		if vecs, err = f.cursor(feedVectors, "", full, vectorKey(emb, f.sp.lo()), vectorKey(emb, f.sp.hi())); err != nil {
			return err
		}
		defer vecs.reset()
	}
	p := &passageFeed{feed: f, eps: eps, vecs: vecs, embedder: emb, names: map[string]string{}}
	return f.query(feedPassages, "key", p.add)
}

type passageFeed struct {
	*feed
	eps, vecs *cursor
	embedder  int64
	names     map[string]string // one copy of each kind, role, speaker, session and source
	chunk     []byte            // where texts are copied to

	episode int64 // the one that what follows is of
	hidden  bool
	text    string
	out     core.FeedPassage
}

func (p *passageFeed) add(r *row) error {
	key, episode := r.ColumnInt64(0), r.ColumnInt64(1)
	if episode != p.episode {
		if err := p.load(episode); err != nil {
			return err
		}
	}
	start, stop := r.ColumnInt(3), r.ColumnInt(4)
	if p.hidden {
		return nil
	}
	if start > stop || stop > len(p.text) {
		return core.Errorf(core.CodeCorrupt, "passage %d is not inside its episode", idOf(key)).Hinted("run `orma doctor --fix`")
	}
	o := &p.out
	o.ID, o.Seq, o.Start, o.End = idOf(key), r.ColumnInt(2), start, stop
	o.NewOnly = p.after > 0 && r.ColumnInt64(5) <= p.after
	o.Text = p.text[start:stop]
	o.Vector = nil
	if p.vecs != nil {
		v, err := p.vecs.seek(vectorKey(p.embedder, key))
		if err != nil {
			return err
		}
		if v != nil {
			o.Vector = v.ColumnRawBlob(1)
		}
	}
	return p.sink.Passage(o)
}

// load makes an episode the current one.
func (p *passageFeed) load(episode int64) error {
	r, err := p.eps.seek(episode)
	if err != nil {
		return err
	}
	if r == nil {
		return core.Errorf(core.CodeCorrupt, "episode %d is missing but has passages", idOf(episode)).Hinted("run `orma doctor --fix`")
	}
	p.episode, p.hidden = episode, r.ColumnBool(1)
	if p.hidden {
		return nil
	}
	o := &p.out
	o.Episode = idOf(episode)
	o.Kind, o.Role = core.Kind(p.name(r, 2)), core.Role(p.name(r, 3))
	o.Speaker, o.Session, o.Source = p.name(r, 4), p.name(r, 5), p.name(r, 6)
	o.Trust = core.Trust(r.ColumnInt64(7))
	o.At, o.Expires = when(r, 8), when(r, 9)
	o.Repeats, o.Episodes = r.ColumnInt(10), r.ColumnInt(11)
	p.text = p.keep(r.ColumnRawText(12))
	return nil
}

func (p *passageFeed) name(r *row, col int) string {
	b := r.ColumnRawText(col)
	if s, ok := p.names[string(b)]; ok {
		return s
	}
	s := string(b)
	p.names[s] = s
	return s
}

const chunkSize = 64 << 10

// keep copies a text into a chunk shared with others, so that texts cost no
// allocation each and stay valid for whoever keeps one.
func (p *passageFeed) keep(b []byte) string {
	if len(b) > chunkSize/4 {
		return string(b)
	}
	if len(b) > cap(p.chunk)-len(p.chunk) {
		p.chunk = make([]byte, 0, chunkSize)
	}
	n := len(p.chunk)
	p.chunk = append(p.chunk, b...)
	// The bytes are never written again: chunks are only appended to.
	return unsafe.String(unsafe.SliceData(p.chunk[n:]), len(b))
}
