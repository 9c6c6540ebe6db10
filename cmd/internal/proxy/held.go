package proxy

import "sync"

// held are exchanges that can be put nowhere for now. Its zero value is ready.
type held struct {
	mu    sync.Mutex
	list  []said
	bytes int
}

// add takes in an exchange, unless too much is held already.
func (h *held) add(s said) bool {
	n := s.size()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.bytes+n > heldBytes {
		return false
	}
	h.list = append(h.list, s)
	h.bytes += n
	return true
}

func (h *held) some() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.list) > 0
}

// take empties it.
func (h *held) take() []said {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.list
	h.list, h.bytes = nil, 0
	return list
}

// drain gives every exchange to store, and goes on holding those from the first that
// fails.
func (h *held) drain(store func(said) error) (n int, err error) {
	list := h.take()
	for n < len(list) && err == nil {
		if err = store(list[n]); err == nil {
			n++
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(list[n:len(list):len(list)], h.list...)
	for _, s := range list[n:] {
		h.bytes += s.size()
	}
	return n, err
}

func (s *said) size() int {
	n := 0
	for i := range s.Turns {
		n += len(s.Turns[i].Text)
	}
	return n
}
