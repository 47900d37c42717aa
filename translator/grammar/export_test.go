package grammar

import (
	"fmt"
	"sort"

	"askpg/catalog"
)

// Chart returns the readings of each noun phrase, for the eye.
func Chart(q string, s *catalog.Snapshot) []string {
	p := newParser(lexiconOf(s), q, Options{SearchPath: []string{"public"}})
	p.read()
	var out []string
	var keys []int
	for i := range p.nps {
		keys = append(keys, i)
	}
	sort.Ints(keys)
	for _, i := range keys {
		for _, c := range p.nps[i] {
			sql := "?"
			if c.np.set != nil {
				sql, _ = render(p.x, p.opts.SearchPath, c.np, false, false)
			} else if c.np.isValue() {
				sql = fmt.Sprint("value ", len(c.np.hits))
			} else if len(c.np.items) > 0 {
				sql = fmt.Sprint("attr ", len(c.np.items), c.np.items[0].agg)
			}
			out = append(out, fmt.Sprintf("%d-%d %.2f [%s] %s", i, c.end, c.cost, p.text(i, min(c.end, len(p.toks))), sql))
		}
	}
	return out
}
