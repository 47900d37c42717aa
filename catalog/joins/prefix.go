package joins

import (
	"strings"

	"askpg/catalog/schema"
)

// prefixedKeys finds the keys of schemas in which every column's name begins
// with an abbreviation of its relation's. So sbtxcustid of sbtransaction refers
// to sbcustid of sbcustomer, and l_orderkey of TPC-H's lineitem to o_orderkey of
// orders: without the prefixes the names are the same.
type prefixedKeys struct {
	*guesser
	prefixes map[*schema.Relation]string      // that all names of its columns begin with
	byRest   map[schema.Name][]prefixedColumn // by schema and the name without its prefix
}

type prefixedColumn struct {
	column *schema.Column
	prefix string
}

// Bounds of prefixes, in bytes.
const (
	minPrefix = 2
	maxPrefix = 16
)

func newPrefixedKeys(g *guesser) *prefixedKeys {
	p := &prefixedKeys{guesser: g, prefixes: map[*schema.Relation]string{}, byRest: map[schema.Name][]prefixedColumn{}}
	for _, r := range g.relations {
		shared := sharedPrefix(r)
		if shared != "" {
			p.prefixes[r] = shared
		}
		for _, k := range g.keys[r] {
			name := strings.ToLower(k.Name)
			for i := 0; i <= len(shared) && namesKey(name[i:]); i++ {
				at := schema.Name{Schema: r.Schema, Name: name[i:]}
				p.byRest[at] = append(p.byRest[at], prefixedColumn{k, name[:i]})
			}
		}
	}
	return p
}

// targets returns the keys that a column may refer to. A key's own prefix is
// its relation's, or one that both names share, as that of a whole schema.
func (p *prefixedKeys) targets(c *schema.Column) []*schema.Column {
	shared := p.prefixes[c.Relation]
	if shared == "" {
		return nil
	}
	name := strings.ToLower(c.Name)
	for i := len(shared); i >= minPrefix; i-- {
		var keys []*schema.Column
		same := p.byRest[schema.Name{Schema: c.Relation.Schema, Name: name[i:]}]
		for _, k := range same[:min(len(same), maxLocalSameName)] {
			prefixed := k.prefix == p.prefixes[k.column.Relation] || strings.HasPrefix(shared[:i], k.prefix)
			if k.column.Relation != c.Relation && prefixed && p.refersTo(c, k.column) {
				keys = append(keys, k.column)
			}
		}
		if len(keys) > 0 {
			return keys
		}
	}
	return nil
}

// sharedPrefix returns what the names of all columns of a relation begin with,
// "" if that is too little to mean anything or all of a name.
func sharedPrefix(r *schema.Relation) string {
	if len(r.Columns) < 2 {
		return ""
	}
	prefix := strings.ToLower(r.Columns[0].Name)
	for _, c := range r.Columns {
		name := strings.ToLower(c.Name)
		n := 0
		for n < min(len(prefix), len(name)-1, maxPrefix) && prefix[n] == name[n] {
			n++
		}
		prefix = prefix[:n]
	}
	if len(prefix) < minPrefix {
		return ""
	}
	return prefix
}

// namesKey reports whether a name without its prefix says what it is a key of:
// custid, orderkey, ticker_id, and not id alone.
func namesKey(name string) bool {
	for _, s := range []string{"id", "key", "code", "no", "nr", "num", "ref"} {
		if noun, ok := strings.CutSuffix(name, s); ok && len(strings.Trim(noun, "_")) >= 2 {
			return true
		}
	}
	return false
}
