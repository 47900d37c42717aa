// Package lru keeps the most recently used entries. It is the standard
// library's list and map; docs/decisions/0020-libraries-of-the-catalog.md says
// why it is no module of others.
package lru

import (
	"container/list"
	"iter"
)

// Cache keeps at most size entries and drops the least recently used one for a
// new one. It is not safe for concurrent use.
type Cache[K comparable, V any] struct {
	size    int
	entries map[K]*list.Element
	order   *list.List // of *entry[K, V], the most recently used first
	dropped func(K, V)
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New returns a cache of that size, at least 1. dropped, if not nil, is called
// for each entry that is dropped for a new one, after it is gone.
func New[K comparable, V any](size int, dropped func(K, V)) *Cache[K, V] {
	return &Cache[K, V]{size: max(1, size), entries: map[K]*list.Element{}, order: list.New(), dropped: dropped}
}

// Get returns the key's value and makes it the most recently used. If there is
// none, it returns the zero value and false.
func (c *Cache[K, V]) Get(key K) (V, bool) {
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
	e := c.entries[key]
	if e == nil {
		var zero V
		return zero, false
	}
	return e.Value.(*entry[K, V]).value, true
}

// Put sets the key's value and makes it the most recently used.
func (c *Cache[K, V]) Put(key K, value V) {
	if e := c.entries[key]; e != nil {
		e.Value.(*entry[K, V]).value = value
		c.order.MoveToFront(e)
		return
	}
	c.entries[key] = c.order.PushFront(&entry[K, V]{key, value})
	if c.order.Len() <= c.size {
		return
	}
	last := c.order.Remove(c.order.Back()).(*entry[K, V])
	delete(c.entries, last.key)
	if c.dropped != nil {
		c.dropped(last.key, last.value)
	}
}

// All yields the entries, the most recently used first.
func (c *Cache[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for e := c.order.Front(); e != nil; e = e.Next() {
			if v := e.Value.(*entry[K, V]); !yield(v.key, v.value) {
				return
			}
		}
	}
}
