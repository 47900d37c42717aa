package joins

import (
	"slices"
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

// nameEvidence is what names say of a guess, the more the greater.
type nameEvidence int

const (
	noNames  nameEvidence = iota // they say nothing
	byRole                       // the column says what someone is: owner_id; the target is a relation of people
	sameName                     // the names are the same, and say of neither relation that it is its key
	named                        // the column is named after the relation: billing_customer, sourceairport
	exact                        // and after nothing else: customer_id
)

// guess is a pair of lists of columns that look like a foreign key.
type guess struct {
	from, to []*schema.Column
	names    nameEvidence
}

// strong reports whether the names are enough where there are no values: the
// column is named after the relation, and the target is its primary key.
func (g *guess) strong() bool { return g.names >= named && isPrimaryKey(g.to[0]) }

func (g *guess) near() bool { return g.from[0].Relation.Schema == g.to[0].Relation.Schema }

// rank is greater for targets of the same schema, then for better names, then
// for primary keys.
func (g *guess) rank() int {
	n := 2 * int(g.names)
	if isPrimaryKey(g.to[0]) {
		n++
	}
	if g.near() {
		n += 100
	}
	return n
}

func (g *guess) key() *schema.ForeignKey {
	return &schema.ForeignKey{
		Name: g.from[0].Name, Implied: true, From: g.from[0].Relation, To: g.to[0].Relation, FromCols: g.from, ToCols: g.to,
	}
}

// guesser has the keys that columns may refer to, by name.
type guesser struct {
	relations   []*schema.Relation
	searched    map[*schema.Relation]bool
	joined      map[*schema.Column]bool               // columns that refer to a key
	refersBack  map[[2]*schema.Column]bool            // pairs of which the first is referred to by the second
	keys        map[*schema.Relation][]*schema.Column // see ownKeys
	byName      map[string][]*schema.Column           // keys by name
	byLocalName map[schema.Name][]*schema.Column      // the same, by schema and name
	byNoun      map[string][]*schema.Relation         // relations by their name, its last word, and what their key is named after
	named       map[string]bool                       // whole names of relations
	own         map[*schema.Column]int                // what ownName found out
	people      map[string][]*schema.Relation         // that have everyone in them, by schema
	prefixed    *prefixedKeys
}

// newGuesser returns nil if all relations are searched.
func newGuesser(relations []*schema.Relation, keys []*schema.ForeignKey, searched map[*schema.Relation]bool) *guesser {
	if !slices.ContainsFunc(relations, func(r *schema.Relation) bool { return !searched[r] }) {
		return nil
	}
	g := &guesser{
		relations: relations, searched: searched,
		joined: map[*schema.Column]bool{}, refersBack: map[[2]*schema.Column]bool{}, keys: map[*schema.Relation][]*schema.Column{},
		byName: map[string][]*schema.Column{}, byLocalName: map[schema.Name][]*schema.Column{}, byNoun: map[string][]*schema.Relation{}, named: map[string]bool{},
		own: map[*schema.Column]int{}, people: map[string][]*schema.Relation{},
	}
	for _, k := range keys {
		g.join(k)
	}
	for _, r := range relations {
		g.named[strings.Join(canonicals(r.Name.Name), "")] = true
	}
	for _, r := range relations {
		g.keys[r] = g.ownKeys(r)
		for _, c := range g.keys[r] {
			name := strings.ToLower(c.Name)
			local := schema.Name{Schema: r.Schema, Name: name}
			g.byName[name], g.byLocalName[local] = append(g.byName[name], c), append(g.byLocalName[local], c)
		}
		g.addNouns(r)
	}
	g.prefixed = newPrefixedKeys(g)
	return g
}

// join notes that a key's columns refer to others.
func (g *guesser) join(k *schema.ForeignKey) {
	for i, c := range k.FromCols {
		g.joined[c] = g.joined[c] || len(k.FromCols) == 1
		g.refersBack[[2]*schema.Column{k.ToCols[i], c}] = true
	}
}

// addNouns adds a relation by what it is named: order_items is items and
// orderitems, both in the singular, and empmst with the key emp_no is employee.
func (g *guesser) addNouns(r *schema.Relation) {
	w := canonicals(r.Name.Name)
	if len(w) == 0 {
		return
	}
	nouns := []string{strings.Join(w, ""), w[len(w)-1]}
	if keys := g.keys[r]; len(keys) == 1 && g.ownName(keys[0]) < otherName {
		nouns = append(nouns, strings.Join(nameOf(keys[0]).noun, ""))
	}
	nouns = append(nouns, calledBy(r.Comment))
	for i, noun := range nouns {
		if noun != "" && !slices.Contains(nouns[:i], noun) {
			g.byNoun[noun] = append(g.byNoun[noun], r)
		}
	}
	if people[nouns[1]] || len(w) == 1 && slices.ContainsFunc(nouns[2:], func(n string) bool { return people[n] }) {
		g.people[r.Schema] = append(g.people[r.Schema], r)
	}
}

// refers reports whether a column may refer to another relation: it is no key
// of its own, no quantity, nothing private, and refers to nothing yet.
func (g *guesser) refers(c *schema.Column) bool {
	if g.joined[c] || c.Private || !joinable(c.Class) || isQuantity(c) {
		return false
	}
	return !maybeKey(c) || g.ownName(c) == otherName || nameOf(c).isName()
}

// targets returns the keys that a column may refer to by its name or its comment, the likelier
// first. They are those of a relation that it is named after, those that have
// its name but for the prefixes of their relations, and those that have its
// name.
func (g *guesser) targets(c *schema.Column) []guess {
	var found []guess
	add := func(k *schema.Column, names nameEvidence) {
		if !g.comparable(c, k) || k.Relation == c.Relation && names != byRole {
			return
		}
		if !slices.ContainsFunc(found, func(other guess) bool { return other.to[0] == k }) {
			found = append(found, guess{[]*schema.Column{c}, []*schema.Column{k}, names})
		}
	}
	g.keysNamed(c, add)
	for _, k := range g.prefixed.targets(c) {
		add(k, exact)
	}
	for _, k := range g.sameName(c) {
		switch {
		case !g.refersTo(c, k):
		case g.ownName(k) < otherName:
			add(k, exact)
		default:
			add(k, sameName)
		}
	}
	if len(found) == 0 {
		for _, k := range g.byComment(c) {
			names := named
			if k.Relation == c.Relation {
				names = byRole
			}
			add(k, names)
		}
	}
	if len(found) == 0 {
		for _, k := range g.byRole(c) {
			add(k, byRole)
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].rank() > found[j].rank() })
	return found[:min(len(found), maxTargets)]
}

// keysNamed adds the keys of the relations that a column is named after.
func (g *guesser) keysNamed(c *schema.Column, add func(*schema.Column, nameEvidence)) {
	name := nameOf(c)
	relations, names := g.namedAfter(name)
	for _, r := range relations {
		for _, k := range g.keys[r] {
			switch {
			case strings.EqualFold(c.Name, k.Name):
				if g.refersTo(c, k) { // flight_fare refers to fare by its fare_id, not fare to it
					add(k, exact)
				}
			case g.ownName(k) == otherName && !isPrimaryKey(k), nameOf(k).isName() != name.isName(), hasAnother(r, c):
			default:
				add(k, names)
			}
		}
	}
}

// hasAnother reports whether a relation has a column of c's name: that is the one
// that c would repeat.
func hasAnother(r *schema.Relation, c *schema.Column) bool {
	other := r.Column(c.Name)
	return other != nil && comparableTypes(c, other)
}

// comparable reports whether one column may refer to the other, whatever their
// names say.
func (g *guesser) comparable(c, k *schema.Column) bool {
	return k != c && comparableTypes(c, k) && !g.refersBack[[2]*schema.Column{c, k}]
}

// sameName returns the keys that have the column's name: in all schemas or, if
// that is too many, in the column's own. A generic name means nothing.
func (g *guesser) sameName(c *schema.Column) []*schema.Column {
	if words.Generic(words.Split(c.Name)) {
		return nil
	}
	keys := g.byName[strings.ToLower(c.Name)]
	if len(keys) > maxSameName {
		keys = g.byLocalName[schema.Name{Schema: c.Relation.Schema, Name: strings.ToLower(c.Name)}]
	}
	return keys[:min(len(keys), maxLocalSameName)]
}

// namedAfter returns the relations that the end of a column's name names:
// customer_id, billing_customer_id, sourceairport.
func (g *guesser) namedAfter(name columnName) ([]*schema.Relation, nameEvidence) {
	if len(name.noun) == 0 {
		return nil, named
	}
	for i := range name.noun { // the longest end first
		if rels := g.byNoun[strings.Join(name.noun[i:], "")]; rels != nil {
			if i == 0 {
				return rels, exact
			}
			return rels, named
		}
	}
	last := name.noun[len(name.noun)-1]
	for _, s := range []string{"id", "code", "no", "key"} { // run together: customerid
		if noun, ok := strings.CutSuffix(last, s); ok && len(noun) > 2 && g.byNoun[canonical(noun)] != nil {
			return g.byNoun[canonical(noun)], exact
		}
	}
	for i := 1; i+4 <= len(last); i++ { // and after another word: sourceairport
		if rels := g.byNoun[words.Singular(last[i:])]; rels != nil {
			return rels, named
		}
	}
	return nil, named
}

// byRole returns the keys of people in the column's schema, if its name says
// what someone is, and its own relation's if it says what stands above a row.
func (g *guesser) byRole(c *schema.Column) (keys []*schema.Column) {
	role, r := roleOf(c), c.Relation
	everyone := g.people[r.Schema]
	switch {
	case role == "parent", above[role] && slices.Contains(everyone, r):
		return g.keys[r]
	case persons[role]:
		for _, of := range everyone {
			if of != r {
				keys = append(keys, g.keys[of]...)
			}
		}
	}
	return keys
}

// refersTo reports whether c refers to the column k of its name, rather than k
// to c or both to a third.
func (g *guesser) refersTo(c, k *schema.Column) bool {
	if !maybeKey(c) {
		return true
	}
	switch a, b := g.ownName(c) < otherName, g.ownName(k) < otherName; {
	case a != b:
		return b
	case c.Relation.Rows != k.Relation.Rows:
		return c.Relation.Rows < k.Relation.Rows
	}
	return k.Relation.Name.Compare(c.Relation.Name) < 0
}
