package api

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// smallest is the size in bytes from which on an answer is packed. Below it, as most
// blocks and searches are, packing takes longer than it saves on any network.
const smallest = 8 << 10

// packers are kept: each has tables of 800 KB.
var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a known one
	return w
}}

// packed returns an answer with gzip, if it is large and the client takes that, and
// sets the headers that say so.
func packed(w http.ResponseWriter, r *http.Request, data []byte) []byte {
	if len(data) < smallest {
		return data
	}
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	if !takesGzip(r.Header.Values("Accept-Encoding")) {
		return data
	}
	var b bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&b)
	_, _ = z.Write(data) // a buffer takes all
	_ = z.Close()
	h.Set("Content-Encoding", "gzip")
	if tag := h.Get("ETag"); tag != "" {
		h.Set("ETag", "W/"+tag) // the same answer in other bytes
	}
	return b.Bytes()
}

// takesGzip reports whether a client that sends these values of Accept-Encoding takes
// gzip. What is named counts more than the star.
func takesGzip(values []string) bool {
	star := false
	for v := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, params, _ := strings.Cut(v, ";")
		wanted := true
		if _, q, ok := strings.Cut(strings.ToLower(params), "q="); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			wanted = err == nil && n > 0
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			return wanted
		case "*":
			star = wanted
		}
	}
	return star
}
