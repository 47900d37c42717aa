// Package lru keeps the most recently used entries. It is the standard
// library's list and map; docs/decisions/0020-libraries-of-the-catalog.md says
// why it is no module of others.
package lru

import (
	"container/list"
	"iter"
	"sync"
)

// Cache keeps at most size entries and drops the least recently used one for a
// new one. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	size    int
	mu      sync.Mutex
	entries map[K]*list.Element
	order   *list.List // of *entry[K, V], the most recently used first
	dropped func(K, V)
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New returns a cache of that size, at least 1. dropped, if not nil, is called
// for each entry that is dropped for a new one, after it is gone, and may use the cache.
func New[K comparable, V any](size int, dropped func(K, V)) *Cache[K, V] {
	return &Cache[K, V]{size: max(1, size), entries: map[K]*list.Element{}, order: list.New(), dropped: dropped}
}

// Get returns the key's value and makes it the most recently used. If there is
// none, it returns the zero value and false.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		var zero V
		return zero, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

// Peek returns the key's value as Get does, but does not count as a use.
func (c *Cache[K, V]) Peek(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		var zero V
		return zero, false
	}
	return e.Value.(*entry[K, V]).value, true
}

// Put sets the key's value and makes it the most recently used.
func (c *Cache[K, V]) Put(key K, value V) {
	if last := c.put(key, value); last != nil && c.dropped != nil {
		c.dropped(last.key, last.value)
	}
}

// put returns the entry that was dropped, nil if none was.
func (c *Cache[K, V]) put(key K, value V) *entry[K, V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		e.Value.(*entry[K, V]).value = value
		c.order.MoveToFront(e)
		return nil
	}
	c.entries[key] = c.order.PushFront(&entry[K, V]{key, value})
	if c.order.Len() <= c.size {
		return nil
	}
	last := c.order.Remove(c.order.Back()).(*entry[K, V])
	delete(c.entries, last.key)
	return last
}

// All yields the entries that there are when it begins, the most recently used first.
func (c *Cache[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		c.mu.Lock()
		all := make([]entry[K, V], 0, c.order.Len())
		for e := c.order.Front(); e != nil; e = e.Next() {
			all = append(all, *e.Value.(*entry[K, V]))
		}
		c.mu.Unlock()
		for _, e := range all {
			if !yield(e.key, e.value) {
				return
			}
		}
	}
}
