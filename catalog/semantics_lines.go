package catalog

import (
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// at is where an entry of a semantics file begins.
type at struct{ line int } // 0 if that is not known

var (
	entryHead = regexp.MustCompile(`^\s*\[\[\s*(\w+)\s*\]\]`)
	keyHead   = regexp.MustCompile(`^\s*"?(\w+)"?\s*=`)
)

// locate notes the lines of the entries. The parser does not tell them: the n-th head of a kind is that of its n-th entry, if there
// are as many of both.
func (s *semantics) locate(text string) {
	lines := map[string][]int{}
	for i, l := range strings.Split(text, "\n") {
		if m := entryHead.FindStringSubmatch(l); m != nil {
			lines[m[1]] = append(lines[m[1]], i+1)
		}
	}
	place := func(kind string, n int, entry func(i int) *at) {
		for i := range n {
			if len(lines[kind]) == n {
				entry(i).line = lines[kind][i]
			}
		}
	}
	place("table", len(s.Tables), func(i int) *at { return &s.Tables[i].at })
	place("column", len(s.Columns), func(i int) *at { return &s.Columns[i].at })
	place("measure", len(s.Measures), func(i int) *at { return &s.Measures[i].at })
	place("term", len(s.Terms), func(i int) *at { return &s.Terms[i].at })
	place("query", len(s.Queries), func(i int) *at { return &s.Queries[i].at })
	place("join", len(s.Joins), func(i int) *at { return &s.Joins[i].at })
}

// keyLine returns the first line that has a key of an entry of that kind, 0 if none is found.
func keyLine(text string, key toml.Key) int {
	kind := ""
	for i, l := range strings.Split(text, "\n") {
		if m := entryHead.FindStringSubmatch(l); m != nil {
			if kind = m[1]; len(key) == 1 && kind == key[0] {
				return i + 1
			}
		}
		m := keyHead.FindStringSubmatch(l)
		if m != nil && m[1] == key[len(key)-1] && (len(key) == 1 && kind == "" || len(key) > 1 && kind == key[0]) {
			return i + 1
		}
	}
	return 0
}
