package catalog

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Limits of the search for implied keys.
const (
	impliedTargets = 4      // targets tried for a column
	impliedSample  = 500    // values of a column looked up in its target
	impliedMisses  = 0.05   // share of them that may be missing there
	impliedRows    = 500000 // a target without an index on the key is not scanned beyond
)

// guess is a pair of columns that look like a foreign key by name and type.
type guess struct {
	from, to *Column
	strong   bool // the name says which table, and the target is its key
}

// pair names a guess across snapshots.
type pair struct{ from, to object }

func (g *guess) pair() pair {
	return pair{object{g.from.Relation.OID, g.from.Num}, object{g.to.Relation.OID, g.to.Num}}
}

// sameNames bounds how many relations of other schemas may have a key of a
// column's name for it to mean anything.
const sameNames = 4

// guesses returns the possible keys of columns that have no declared one, the
// likelier first for each column. A column goes to the key of another relation
// if it has its name, if it is named after that relation, or if the names are the same
// but for their relations' abbreviations.
func guesses(s *Snapshot, kept *keptRelations) []guess {
	declared, referred := map[*Column]bool{}, map[[2]*Column]bool{}
	for _, k := range s.ForeignKeys {
		for i, c := range k.FromCols {
			declared[c] = true
			referred[[2]*Column{k.ToCols[i], c}] = true
		}
	}
	wanted := map[string]bool{} // names of columns that may go to a key of their name
	for _, r := range s.Relations {
		if !kept.has(r) {
			for _, c := range r.Columns {
				wanted[strings.ToLower(c.Name)] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	keysByName := map[string][]*Column{} // of columns that may be keys
	localKeys := map[Name][]*Column{}    // the same, by schema and column name
	byNoun := map[string][]*Relation{}   // relations by their name's last word
	for _, r := range s.Relations {
		for _, c := range r.Columns {
			name := strings.ToLower(c.Name)
			if wanted[name] && keyLike(c) && joinable(c.Class) {
				keysByName[name] = append(keysByName[name], c)
				local := Name{r.Schema, name}
				localKeys[local] = append(localKeys[local], c)
			}
		}
		if w := Words(r.Name.Name); len(w) > 0 {
			byNoun[singular(w[len(w)-1])] = append(byNoun[singular(w[len(w)-1])], r)
			if len(w) > 1 {
				whole := strings.Join(w[:len(w)-1], "") + singular(w[len(w)-1])
				byNoun[whole] = append(byNoun[whole], r)
			}
		}
	}

	short := abbreviationsOf(s)
	var out []guess
	for _, r := range s.Relations {
		if kept.has(r) {
			continue
		}
		for _, c := range r.Columns {
			if declared[c] || !joinable(c.Class) || c.Private {
				continue
			}
			var found []guess
			add := func(k *Column, strong bool) {
				if k.Relation == r || !comparableTypes(c, k) || referred[[2]*Column{c, k}] {
					return
				}
				for _, g := range found {
					if g.to == k {
						return
					}
				}
				found = append(found, guess{c, k, strong})
			}
			words := Words(c.Name)
			if len(words) == 0 {
				continue
			}
			for _, t := range namedAfter(words, byNoun) {
				if t == r {
					continue
				}
				for _, k := range keysFor(t, words) {
					if strings.EqualFold(c.Name, k.Name) && !towards(c, k) {
						continue // flight_fare refers to fare by its fare_id, not fare to it
					}
					add(k, len(t.PrimaryKey) == 1 && t.PrimaryKey[0] == k)
				}
			}
			for _, k := range short.of(c) {
				add(k, len(k.Relation.PrimaryKey) == 1 && k.Relation.PrimaryKey[0] == k)
			}
			if !generic(words) {
				keys := keysByName[strings.ToLower(c.Name)]
				if len(keys) > sameNames {
					keys = localKeys[Name{r.Schema, strings.ToLower(c.Name)}]
				}
				for _, k := range keys[:min(len(keys), 4*sameNames)] {
					if towards(c, k) {
						add(k, false)
					}
				}
			}
			sort.SliceStable(found, func(i, j int) bool { return found[i].rank() > found[j].rank() })
			out = append(out, found[:min(len(found), impliedTargets)]...)
		}
	}
	return out
}

// rank prefers targets of the same schema, then those that are their own
// relation's key by name.
func (g *guess) rank() int {
	n := 0
	if g.to.Relation.Schema == g.from.Relation.Schema {
		n += 2
	}
	if g.strong || g.to.ownKey() {
		n++
	}
	return n
}

// namedAfter returns the relations that the end of a column's name names,
// without "id" and the like: customer_id, billing_customer_id, sourceairport.
func namedAfter(words []string, byNoun map[string][]*Relation) []*Relation {
	for len(words) > 1 && keySuffixes[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	for i := range words { // the longest end first
		noun := strings.Join(words[i:len(words)-1], "") + singular(words[len(words)-1])
		if rels := byNoun[noun]; rels != nil {
			return rels
		}
	}
	last := words[len(words)-1]
	for _, s := range []string{"id", "code", "no", "key"} { // run together: customerid
		if rels := byNoun[singular(strings.TrimSuffix(last, s))]; strings.HasSuffix(last, s) && len(last) > len(s)+2 && rels != nil {
			return rels
		}
	}
	for i := 1; i+4 <= len(last); i++ { // and after another word: sourceairport
		if rels := byNoun[singular(last[i:])]; rels != nil {
			return rels
		}
	}
	return nil
}

var keySuffixes = wordSet("id uid uuid guid key code no nr num number ref fk name")

// keysFor returns the columns of a relation that a column of that name may
// refer to: its primary key, or what may be a key and says so by its name.
func keysFor(t *Relation, words []string) []*Column {
	if len(t.PrimaryKey) == 1 {
		return t.PrimaryKey
	}
	if t.PrimaryKey != nil {
		return nil
	}
	var keys []*Column
	for _, c := range t.Columns {
		if keyLike(c) && c.ownKey() && (Words(c.Name)[len(Words(c.Name))-1] == "name") == (words[len(words)-1] == "name") {
			keys = append(keys, c)
		}
	}
	return keys
}

// ownKey reports whether the column is its relation's key by name: id,
// customer_id, customerid or cid in customers.
func (c *Column) ownKey() bool {
	t, w := Words(c.Relation.Name.Name), Words(c.Name)
	if len(t) == 0 || len(w) == 0 {
		return false
	}
	noun, last := singular(t[len(t)-1]), w[len(w)-1]
	if !keySuffixes[last] {
		for s := range keySuffixes {
			if rest := strings.TrimSuffix(last, s); rest != last && (rest == noun || len(rest) == 1 && rest[0] == t[0][0]) {
				return true
			}
		}
		return false
	}
	return len(w) == 1 || singular(w[len(w)-2]) == noun
}

// towards reports whether c refers to the column k of its name, rather than k
// to c or both to a third.
func towards(c, k *Column) bool {
	if !keyLike(c) {
		return true
	}
	switch a, b := c.ownKey(), k.ownKey(); {
	case a != b:
		return b
	case c.Relation.Rows != k.Relation.Rows:
		return c.Relation.Rows < k.Relation.Rows
	}
	return k.Relation.Name.less(c.Relation.Name)
}

func joinable(c Class) bool { return c == Number || c == Text || c == UUID || c == Enum }

// comparableTypes reports whether the columns' types can be compared without a cast.
func comparableTypes(a, b *Column) bool {
	return a.Class == b.Class && (a.Class != Enum || a.TypeOID == b.TypeOID) && (a.Class != Number || whole(a) && whole(b))
}

func whole(c *Column) bool {
	t, _, _ := strings.Cut(c.Type, "(")
	switch t {
	case "integer", "bigint", "smallint", "numeric":
		return true
	}
	return false
}

// keyLike reports whether the column's values may all be different: by a key,
// by its statistics, or because nothing is known of them.
func keyLike(c *Column) bool {
	if c.Unique {
		return true
	}
	if p := c.Profile; p != nil && p.Sampled {
		return p.NullFrac == 0 && p.Rows > 0 && int64(p.Distinct) == p.Rows
	}
	if p := c.Profile; p != nil {
		return p.NullFrac == 0 && p.Distinct > 0 && c.Relation.Rows > 0 && p.Distinct >= 0.995*c.Relation.Rows
	}
	return c.Relation.PrimaryKey == nil && c.Class != Enum && c.Relation.Kind != View && c.Relation.Rows < 0
}

// findImplied adds the implied keys to the snapshot whose columns really hold
// values of their target. known are the verdicts of an earlier snapshot, and
// gets those of this one. Columns of searched relations have their keys
// already; of pairs of kept ones that there was no time for the names decide
// again, until all is read anew.
func findImplied(ctx context.Context, tx pgx.Tx, cfg *Config, s *Snapshot, known map[pair]bool, searched, kept *keptRelations) error {
	if !cfg.ImpliedJoins {
		return nil
	}
	until := time.Now().Add(cfg.ImpliedTime.Duration())
	joined := map[*Column]bool{}
	for _, g := range guesses(s, searched) {
		if joined[g.from] {
			continue
		}
		holds, ok := known[g.pair()]
		switch left := time.Until(until); {
		case ok:
		case kept.has(g.from.Relation) && kept.has(g.to.Relation):
			holds = g.strong
		case g.from.Relation.secured || g.to.Relation.secured || g.from.Relation.Kind == ForeignTable || g.to.Relation.Kind == ForeignTable || left < time.Millisecond:
			holds = g.strong // by name alone
		default:
			var err error
			if holds, err = contains(ctx, tx, &g, left); err != nil {
				if ctx.Err() != nil || tx.Conn().IsClosed() {
					return err
				}
				holds = g.strong
			}
			known[g.pair()] = holds
		}
		if !holds {
			continue
		}
		k := &ForeignKey{
			Name: g.from.Name, Implied: true, From: g.from.Relation, To: g.to.Relation,
			FromCols: []*Column{g.from}, ToCols: []*Column{g.to},
		}
		if !slices.Contains(s.avoided, k.identity()) {
			joined[g.from] = true
			s.ForeignKeys = append(s.ForeignKeys, k)
		}
	}
	return nil
}

// contains looks a sample of the column's values up in its target. Without
// values the names decide.
func contains(ctx context.Context, tx pgx.Tx, g *guess, limit time.Duration) (bool, error) {
	if !g.to.Unique && g.to.Relation.Rows > impliedRows {
		return false, nil
	}
	from, c := g.from.Relation.sql(), pgx.Identifier{g.from.Name}.Sanitize()
	to, k := g.to.Relation.sql(), pgx.Identifier{g.to.Name}.Sanitize()
	unique := "true"
	if !g.to.Unique {
		unique = fmt.Sprintf("(select count(*) = count(distinct %s) from %s)", k, to)
	}
	sql := fmt.Sprintf(`with sample as materialized (select distinct v from (select %s as v from %s where %s is not null limit %d) s limit %d)
select (select count(*) from sample), (select count(*) from sample where not exists (select from %s t where t.%s = sample.v)), %s`,
		c, from, c, 20*impliedSample, impliedSample, to, k, unique)
	var total, missing int
	var different bool
	err := within(ctx, tx, limit, func(sp pgx.Tx) error {
		if err := judge(ctx, tx, sql, g.from.Relation, g.to.Relation); err != nil {
			return err
		}
		return sp.QueryRow(ctx, sql, pgx.QueryExecModeExec).Scan(&total, &missing, &different)
	})
	if err != nil {
		return false, err
	}
	if total == 0 {
		return g.strong, nil
	}
	return different && float64(missing) <= impliedMisses*float64(total), nil
}

// sql returns the relation's qualified and quoted name.
func (r *Relation) sql() string { return pgx.Identifier{r.Schema, r.Name.Name}.Sanitize() }
