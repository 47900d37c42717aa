package lru_test

import (
	"fmt"
	"testing"

	"askpg/catalog/lru"
)

func TestCache(t *testing.T) {
	var dropped []string
	c := lru.New(2, func(key string, value int) { dropped = append(dropped, fmt.Sprint(key, value)) })
	keys := func() (list []string) {
		for k, v := range c.All() {
			list = append(list, fmt.Sprint(k, v))
		}
		return list
	}
	check := func(what, want string) {
		t.Helper()
		if got := fmt.Sprint(keys(), dropped); got != want {
			t.Fatalf("%s: %s, want %s", what, got, want)
		}
	}
	c.Put("a", 1)
	c.Put("b", 2)
	check("two of two", "[b2 a1] []")
	if v, ok := c.Peek("a"); v != 1 || !ok {
		t.Errorf("peek: %d, %v", v, ok)
	}
	check("a peek is no use", "[b2 a1] []")
	if v, ok := c.Get("a"); v != 1 || !ok {
		t.Errorf("get: %d, %v", v, ok)
	}
	check("a get is a use", "[a1 b2] []")
	c.Put("c", 3)
	check("the least recently used is dropped", "[c3 a1] [b2]")
	c.Put("a", 4)
	check("a new value drops nothing", "[a4 c3] [b2]")
	if v, ok := c.Get("b"); v != 0 || ok {
		t.Errorf("a dropped entry: %d, %v", v, ok)
	}
	for range c.All() {
		break
	}
	if tiny := lru.New[int, int](0, nil); tiny != nil {
		tiny.Put(1, 1)
		tiny.Put(2, 2)
		if _, ok := tiny.Get(2); !ok {
			t.Error("a cache of size 0 keeps nothing")
		}
	}
}
