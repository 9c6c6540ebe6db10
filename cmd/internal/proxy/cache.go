package proxy

import (
	"container/list"
	"sync"
)

// cache keeps the values that were used last. It is safe for concurrent use.
type cache[K comparable, V any] struct {
	mu    sync.Mutex
	most  int
	items map[K]*list.Element
	order *list.List // last used first
}

type cached[K comparable, V any] struct {
	key   K
	value V
}

func newCache[K comparable, V any](most int) *cache[K, V] {
	return &cache[K, V]{most: most, items: map[K]*list.Element{}, order: list.New()}
}

func (c *cache[K, V]) get(k K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[k]
	if !ok {
		return v, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached[K, V]).value, true
}

func (c *cache[K, V]) put(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[k]; ok {
		e.Value.(*cached[K, V]).value = v
		c.order.MoveToFront(e)
		return
	}
	c.items[k] = c.order.PushFront(&cached[K, V]{k, v})
	if c.order.Len() > c.most {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.items, last.Value.(*cached[K, V]).key)
	}
}
