package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// salvage copies what can still be read of a damaged database into a new one.
type salvage struct {
	from, to *conn
	damaged  map[string]bool // tables with rows that could not be read
	rows     int             // since the last commit
}

// table is one that is copied row by row. key is its integer primary key, by which
// a reader can get past an unreadable page; "" is none.
type table struct {
	name, key string
}

// kept are the tables that a repair copies; the others are made from these.
var kept = []table{
	{"counters", ""},
	{"meta", ""},
	{"backups", ""},
	{"spaces", "id"},
	{"episodes", "key"},
	{"journal", "key"},
	{"uses", ""},
	{"passages", "key"},
	{"embedders", "id"},
	{"vectors", "key"},
	{"states", "key"},
	{"events", "key"},
	{"sources", ""},
	{"entities", "key"},
	{"aliases", ""},
	{"links", ""},
	{"pending", ""},
	{"leases", ""},
	{"reports", "key"},
	{"tokens", ""},
	{"audit", "seq"},
}

func (sv *salvage) run(ctx context.Context) error {
	if err := sv.to.exec("BEGIN"); err != nil {
		return err
	}
	for _, t := range kept {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := sv.copyTable(t); err != nil {
			return fmt.Errorf("copy %s: %w", t.name, err)
		}
	}
	return sv.to.exec("COMMIT")
}

func (sv *salvage) copyTable(t table) error {
	columns, err := sv.columns(t.name)
	if err != nil {
		return err
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	insert := fmt.Sprintf("INSERT OR REPLACE INTO %s (%s) VALUES (%s)", t.name, strings.Join(columns, ", "), marks)
	sel := fmt.Sprintf("SELECT %s FROM %s NOT INDEXED ", strings.Join(columns, ", "), t.name)
	if t.key != "" {
		return sv.copyByKey(t, sel, insert)
	}
	err = sv.copyRows(t, sel, insert, nil)
	if err == nil || !isDamage(err) {
		return err
	}
	sv.damaged[t.name] = true
	// From the other end, as far as it goes.
	pk, err := sv.primaryKey(t.name)
	if err != nil {
		return err
	}
	err = sv.copyRows(t, sel+"ORDER BY "+strings.Join(pk, " DESC, ")+" DESC", insert, nil)
	if isDamage(err) {
		return nil
	}
	return err
}

// copyByKey copies a table in key order and steps over what cannot be read: it
// looks for the first readable key behind it, in growing steps.
func (sv *salvage) copyByKey(t table, sel, insert string) error {
	next := int64(-1 << 62)
	for {
		last := next - 1
		err := sv.copyRows(t, sel+"WHERE "+t.key+" >= ? ORDER BY "+t.key, insert, func(r *row) { last = r.ColumnInt64(0) }, next)
		if err == nil || !isDamage(err) {
			return err
		}
		sv.damaged[t.name] = true
		var found bool
		if next, found = sv.nextReadable(t, last+1); !found {
			return nil
		}
	}
}

// nextReadable finds the smallest key from which on a row can be read.
func (sv *salvage) nextReadable(t table, from int64) (key int64, found bool) {
	probe := func(at int64) (row int64, ok bool) {
		v, some, err := sv.from.one("SELECT "+t.key+" FROM "+t.name+" NOT INDEXED WHERE "+t.key+" >= ? ORDER BY "+t.key+" LIMIT 1", at)
		return v, err == nil && some
	}
	low, step := from, int64(1)
	for {
		if _, ok := probe(low + step); ok {
			break
		}
		if step > 1<<61 || low+step*2 < low {
			return 0, false
		}
		step *= 2
	}
	high := low + step
	for low+1 < high { // low cannot be read, high can
		mid := low + (high-low)/2
		if _, ok := probe(mid); ok {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}

// commitEvery bounds the log that a copy makes.
const commitEvery = 10000

func (sv *salvage) copyRows(t table, sel, insert string, seen func(*row), args ...any) error {
	dst, err := sv.to.stmt(insert, nil)
	if err != nil {
		return err
	}
	n := dst.BindCount()
	return sv.from.each(sel, func(r *row) error {
		for i := range n {
			if err := bindColumn(dst, i, r); err != nil {
				return err
			}
		}
		switch err := dst.Exec(); {
		case errors.Is(err, sqlite3.CONSTRAINT): // a row that was never written like this
			sv.damaged[t.name] = true
			return nil
		case err != nil:
			return err
		}
		if seen != nil {
			seen(r)
		}
		if sv.rows++; sv.rows%commitEvery == 0 {
			if err := sv.to.exec("COMMIT"); err != nil {
				return err
			}
			return sv.to.exec("BEGIN")
		}
		return nil
	}, args...)
}

func bindColumn(dst *sqlite3.Stmt, i int, r *row) error {
	switch r.ColumnType(i) {
	case sqlite3.INTEGER:
		return dst.BindInt64(i+1, r.ColumnInt64(i))
	case sqlite3.FLOAT:
		return dst.BindFloat(i+1, r.ColumnFloat(i))
	case sqlite3.TEXT:
		return dst.BindRawText(i+1, r.ColumnRawText(i))
	case sqlite3.BLOB:
		b := r.ColumnRawBlob(i)
		if b == nil {
			b = []byte{}
		}
		return dst.BindBlob(i+1, b)
	default:
		return dst.BindNull(i + 1)
	}
}

func (sv *salvage) columns(name string) (cols []string, err error) {
	err = sv.to.each("SELECT name FROM pragma_table_info(?)", func(r *row) error {
		cols = append(cols, r.ColumnText(0))
		return nil
	}, name)
	return cols, err
}

func (sv *salvage) primaryKey(name string) (cols []string, err error) {
	err = sv.to.each("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", func(r *row) error {
		cols = append(cols, r.ColumnText(0))
		return nil
	}, name)
	return cols, err
}
