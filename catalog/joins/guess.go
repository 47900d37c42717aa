package joins

import (
	"sort"
	"strings"

	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// Limits of guessing.
const (
	maxTargets       = 4               // targets tried for a column
	maxSameName      = 4               // keys of a column's name in all schemas, for it to mean anything
	maxLocalSameName = 4 * maxSameName // keys of a column's name that are tried
)

// guess is a pair of columns that look like a foreign key by name and type.
type guess struct {
	from, to *schema.Column
	strong   bool // the name says which relation, and the target is its key
}

// rank is greater for targets of the same schema, and for those that are their
// own relation's key by name.
func (g *guess) rank() int {
	n := 0
	if g.to.Relation.Schema == g.from.Relation.Schema {
		n += 2
	}
	if g.strong || namesOwnRow(g.to) {
		n++
	}
	return n
}

// guesses returns the possible keys of columns that have no declared one, the
// likelier first for each column. A column may refer to the key of another
// relation if it has its name, if it is named after that relation, or if the
// names are the same but for the prefixes of their relations. Columns of the
// relations in searched are left out.
func guesses(relations []*schema.Relation, keys []*schema.ForeignKey, searched map[*schema.Relation]bool) []guess {
	g := newGuesser(relations, keys, searched)
	if g == nil {
		return nil
	}
	var out []guess
	for _, r := range relations {
		if searched[r] {
			continue
		}
		for _, c := range r.Columns {
			if !g.declared[c] && joinable(c.Class) && !c.Private {
				out = append(out, g.guess(c)...)
			}
		}
	}
	return out
}

// guesser has the keys that columns may refer to, by name.
type guesser struct {
	declared    map[*schema.Column]bool          // columns of declared keys
	refersBack  map[[2]*schema.Column]bool       // pairs of which the first is referred to by the second
	byName      map[string][]*schema.Column      // what may be a key, by its name
	byLocalName map[schema.Name][]*schema.Column // the same, by schema and name
	byNoun      map[string][]*schema.Relation    // relations by the last word of their name, and by all words
	prefixed    *prefixedKeys
}

// newGuesser returns nil if all relations are searched.
func newGuesser(relations []*schema.Relation, keys []*schema.ForeignKey, searched map[*schema.Relation]bool) *guesser {
	wanted := map[string]bool{} // names of columns that may refer to a key of their name
	for _, r := range relations {
		if !searched[r] {
			for _, c := range r.Columns {
				wanted[strings.ToLower(c.Name)] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	g := &guesser{
		declared: map[*schema.Column]bool{}, refersBack: map[[2]*schema.Column]bool{},
		byName: map[string][]*schema.Column{}, byLocalName: map[schema.Name][]*schema.Column{}, byNoun: map[string][]*schema.Relation{},
		prefixed: newPrefixedKeys(relations),
	}
	for _, k := range keys {
		for i, c := range k.FromCols {
			g.declared[c] = true
			g.refersBack[[2]*schema.Column{k.ToCols[i], c}] = true
		}
	}
	for _, r := range relations {
		for _, c := range r.Columns {
			name := strings.ToLower(c.Name)
			if wanted[name] && maybeKey(c) && joinable(c.Class) {
				local := schema.Name{Schema: r.Schema, Name: name}
				g.byName[name], g.byLocalName[local] = append(g.byName[name], c), append(g.byLocalName[local], c)
			}
		}
		g.addNouns(r)
	}
	return g
}

// addNouns adds a relation by the nouns that name it: order_items is items and
// orderitems, both in the singular.
func (g *guesser) addNouns(r *schema.Relation) {
	w := words.Split(r.Name.Name)
	if len(w) == 0 {
		return
	}
	last := words.Singular(w[len(w)-1])
	g.byNoun[last] = append(g.byNoun[last], r)
	if len(w) > 1 {
		whole := strings.Join(w[:len(w)-1], "") + last
		g.byNoun[whole] = append(g.byNoun[whole], r)
	}
}

// guess returns the targets of a column, the likelier first.
func (g *guesser) guess(c *schema.Column) []guess {
	name := words.Split(c.Name)
	if len(name) == 0 {
		return nil
	}
	var found []guess
	add := func(k *schema.Column, strong bool) {
		if k.Relation == c.Relation || !comparableTypes(c, k) || g.refersBack[[2]*schema.Column{c, k}] {
			return
		}
		for _, other := range found {
			if other.to == k {
				return
			}
		}
		found = append(found, guess{c, k, strong})
	}
	for _, r := range g.namedAfter(name) {
		for _, k := range keysFor(r, name) {
			if strings.EqualFold(c.Name, k.Name) && !refersTo(c, k) {
				continue // flight_fare refers to fare by its fare_id, not fare to it
			}
			add(k, isPrimaryKey(k))
		}
	}
	for _, k := range g.prefixed.targets(c) {
		add(k, isPrimaryKey(k))
	}
	for _, k := range g.sameName(c, name) {
		if refersTo(c, k) {
			add(k, false)
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].rank() > found[j].rank() })
	return found[:min(len(found), maxTargets)]
}

// sameName returns what may be a key and has the column's name: in all schemas
// or, if that is too many, in the column's own. A generic name means nothing.
func (g *guesser) sameName(c *schema.Column, name []string) []*schema.Column {
	if words.Generic(name) {
		return nil
	}
	keys := g.byName[strings.ToLower(c.Name)]
	if len(keys) > maxSameName {
		keys = g.byLocalName[schema.Name{Schema: c.Relation.Schema, Name: strings.ToLower(c.Name)}]
	}
	return keys[:min(len(keys), maxLocalSameName)]
}

// namedAfter returns the relations that the end of a column's name names,
// without "id" and the like: customer_id, billing_customer_id, sourceairport.
func (g *guesser) namedAfter(name []string) []*schema.Relation {
	for len(name) > 1 && keySuffixes[name[len(name)-1]] {
		name = name[:len(name)-1]
	}
	for i := range name { // the longest end first
		noun := strings.Join(name[i:len(name)-1], "") + words.Singular(name[len(name)-1])
		if rels := g.byNoun[noun]; rels != nil {
			return rels
		}
	}
	last := name[len(name)-1]
	for _, s := range []string{"id", "code", "no", "key"} { // run together: customerid
		if rels := g.byNoun[words.Singular(strings.TrimSuffix(last, s))]; strings.HasSuffix(last, s) && len(last) > len(s)+2 && rels != nil {
			return rels
		}
	}
	for i := 1; i+4 <= len(last); i++ { // and after another word: sourceairport
		if rels := g.byNoun[words.Singular(last[i:])]; rels != nil {
			return rels
		}
	}
	return nil
}

// keySuffixes are the last words of names of keys, and of columns that refer
// to them.
var keySuffixes = words.Set("id uid uuid guid key code no nr num number ref fk name")

// keysFor returns the columns of a relation that a column of that name may
// refer to: its primary key, or what may be a key and says so by its name.
func keysFor(r *schema.Relation, name []string) []*schema.Column {
	if len(r.PrimaryKey) == 1 {
		return r.PrimaryKey
	}
	if r.PrimaryKey != nil {
		return nil
	}
	var keys []*schema.Column
	for _, c := range r.Columns {
		if maybeKey(c) && namesOwnRow(c) && endsInName(words.Split(c.Name)) == endsInName(name) {
			keys = append(keys, c)
		}
	}
	return keys
}

func endsInName(name []string) bool { return name[len(name)-1] == "name" }

// namesOwnRow reports whether a column is its relation's key by its name: id,
// customer_id, customerid or cid in customers.
func namesOwnRow(c *schema.Column) bool {
	relation, column := words.Split(c.Relation.Name.Name), words.Split(c.Name)
	if len(relation) == 0 || len(column) == 0 {
		return false
	}
	noun, last := words.Singular(relation[len(relation)-1]), column[len(column)-1]
	if keySuffixes[last] {
		return len(column) == 1 || words.Singular(column[len(column)-2]) == noun
	}
	for s := range keySuffixes {
		if rest := strings.TrimSuffix(last, s); rest != last && (rest == noun || len(rest) == 1 && rest[0] == relation[0][0]) {
			return true
		}
	}
	return false
}

// refersTo reports whether c refers to the column k of its name, rather than k
// to c or both to a third.
func refersTo(c, k *schema.Column) bool {
	if !maybeKey(c) {
		return true
	}
	switch a, b := namesOwnRow(c), namesOwnRow(k); {
	case a != b:
		return b
	case c.Relation.Rows != k.Relation.Rows:
		return c.Relation.Rows < k.Relation.Rows
	}
	return k.Relation.Name.Compare(c.Relation.Name) < 0
}

// comparableTypes reports whether the columns' types can be compared without a cast.
func comparableTypes(a, b *schema.Column) bool {
	return a.Class == b.Class && (a.Class != schema.Enum || a.TypeOID == b.TypeOID) && (a.Class != schema.Number || wholeNumber(a) && wholeNumber(b))
}

func wholeNumber(c *schema.Column) bool {
	t, _, _ := strings.Cut(c.Type, "(")
	switch t {
	case "integer", "bigint", "smallint", "numeric":
		return true
	}
	return false
}

// maybeKey reports whether the column's values may all be different: by a key,
// by its statistics, or because nothing is known of them.
func maybeKey(c *schema.Column) bool {
	if c.Unique {
		return true
	}
	if p := c.Profile; p != nil && p.Sampled {
		return p.NullFrac == 0 && p.Rows > 0 && int64(p.Distinct) == p.Rows
	}
	if p := c.Profile; p != nil {
		return p.NullFrac == 0 && p.Distinct > 0 && c.Relation.Rows > 0 && p.Distinct >= 0.995*c.Relation.Rows
	}
	return c.Relation.PrimaryKey == nil && c.Class != schema.Enum && c.Relation.Kind != schema.View && c.Relation.Rows < 0
}
