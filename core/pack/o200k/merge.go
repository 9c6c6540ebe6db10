package o200k

import "container/heap"

// scanned is the length, in bytes, up to which the pair to merge is found by looking
// at all of them; longer pieces use a heap, which is n log n.
const scanned = 96

// count returns into how many tokens byte-pair encoding merges a piece: again and
// again the neighbouring pair whose bytes are the token of lowest rank, the
// leftmost of equals.
func (v *vocabulary) count(piece string) int {
	if len(piece) == 1 || v.rank(piece) != none {
		return 1
	}
	if len(piece) > scanned {
		return v.countLong(piece)
	}
	var starts [scanned + 1]uint8
	var ranks [scanned + 1]int32 // of the pair that begins at a part
	n := len(piece)
	for i := range n + 1 {
		starts[i] = uint8(i)
	}
	pair := func(i int) int32 {
		if i+2 > n {
			return none
		}
		return v.rank(piece[starts[i]:starts[i+2]])
	}
	for i := range n {
		ranks[i] = pair(i)
	}
	for {
		best, at := none, 0
		for i := range n {
			if ranks[i] < best {
				best, at = ranks[i], i
			}
		}
		if best == none {
			return n
		}
		copy(starts[at+1:n], starts[at+2:n+1])
		copy(ranks[at+1:n-1], ranks[at+2:n])
		n--
		ranks[at] = pair(at)
		if at > 0 {
			ranks[at-1] = pair(at - 1)
		}
	}
}

// chain is a piece as a doubly linked list of parts, with a heap of pairs.
type chain struct {
	next, prev []int32 // by the byte a part starts at
	rank       []int32 // of the pair that starts there now
	pairs      pairs
}

type pair struct{ rank, at int32 }

type pairs []pair

func (p pairs) Len() int { return len(p) }
func (p pairs) Less(i, j int) bool {
	return p[i].rank < p[j].rank || p[i].rank == p[j].rank && p[i].at < p[j].at
}
func (p pairs) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *pairs) Push(x any)   { *p = append(*p, x.(pair)) }
func (p *pairs) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

func (v *vocabulary) countLong(piece string) int {
	n := len(piece)
	c := chain{next: make([]int32, n), prev: make([]int32, n), rank: make([]int32, n)}
	for i := range n {
		c.next[i], c.prev[i] = int32(i+1), int32(i-1)
	}
	look := func(at int32) {
		c.rank[at] = none
		if mid := int(c.next[at]); mid < n {
			if r := v.rank(piece[at:c.next[mid]]); r != none {
				c.rank[at] = r
				heap.Push(&c.pairs, pair{r, at})
			}
		}
	}
	for i := range n {
		look(int32(i))
	}
	parts := n
	for len(c.pairs) > 0 {
		p := heap.Pop(&c.pairs).(pair)
		if c.rank[p.at] != p.rank {
			continue // merged meanwhile
		}
		gone := c.next[p.at]
		c.rank[gone] = none
		after := c.next[gone]
		c.next[p.at] = after
		if int(after) < n {
			c.prev[after] = p.at
		}
		parts--
		look(p.at)
		if before := c.prev[p.at]; before >= 0 {
			look(before)
		}
	}
	return parts
}
