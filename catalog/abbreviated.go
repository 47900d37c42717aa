package catalog

import "strings"

// abbreviations finds the keys of schemas in which every column's name begins
// with its relation's abbreviation: sbtxcustid of sbtransaction refers to sbcustid of
// sbcustomer, l_orderkey of TPC-H's lineitem to o_orderkey of orders. What is left of a column's
// name behind the prefix that all columns of its relation share is then what is left of the key's.
type abbreviations struct {
	prefixes map[*Relation]string
	keys     map[Name][]abbreviated // by schema and rest of the key's name
}

type abbreviated struct {
	key    *Column
	prefix string // what stands before the rest
}

// Bounds of prefixes, in bytes.
const (
	minPrefix = 2
	maxPrefix = 16
)

func abbreviationsOf(s *Snapshot) abbreviations {
	a := abbreviations{prefixes: map[*Relation]string{}, keys: map[Name][]abbreviated{}}
	for _, r := range s.Relations {
		own := sharedPrefix(r)
		if own != "" {
			a.prefixes[r] = own
		}
		for _, k := range r.Columns {
			if !joinable(k.Class) || k.Private || !(len(r.PrimaryKey) == 1 && r.PrimaryKey[0] == k || r.PrimaryKey == nil && keyLike(k)) {
				continue
			}
			name := strings.ToLower(k.Name)
			for i := 0; i <= len(own) && speaks(name[i:]); i++ {
				at := Name{r.Schema, name[i:]}
				a.keys[at] = append(a.keys[at], abbreviated{k, name[:i]})
			}
		}
	}
	return a
}

// of returns the keys that a column may refer to. A key's own prefix is
// its relation's, or one that both names share, as that of a whole schema.
func (a *abbreviations) of(c *Column) []*Column {
	own := a.prefixes[c.Relation]
	if own == "" {
		return nil
	}
	name := strings.ToLower(c.Name)
	for i := len(own); i >= minPrefix; i-- {
		var keys []*Column
		found := a.keys[Name{c.Relation.Schema, name[i:]}]
		for _, k := range found[:min(len(found), 4*sameNames)] {
			if k.key.Relation != c.Relation && (k.prefix == a.prefixes[k.key.Relation] || strings.HasPrefix(own[:i], k.prefix)) && towards(c, k.key) {
				keys = append(keys, k.key)
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
func sharedPrefix(r *Relation) string {
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

// speaks reports whether the rest of a key's name says what it is a key of:
// custid, orderkey, ticker_id, and not id alone.
func speaks(rest string) bool {
	for _, s := range []string{"id", "key", "code", "no", "nr", "num", "ref"} {
		if noun, ok := strings.CutSuffix(rest, s); ok && len(strings.Trim(noun, "_")) >= 2 {
			return true
		}
	}
	return false
}
