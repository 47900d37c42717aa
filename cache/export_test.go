package cache

import "askpg/ask"

// Kept returns what is kept for a Translation.Key, nil if nothing is.
func (c *Cache) Kept(key string) *ask.Translation {
	t, _ := c.cached.Get(key)
	return t
}
