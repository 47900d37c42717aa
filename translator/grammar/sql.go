// Writing SQL: relations, aliases, columns.

package grammar

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"askpg/catalog"
)

// errForm says that a logical form has no SQL, such as a superlative within a
// relation that has no key.
var errForm = errors.New("no SQL for this reading")

// builder writes the SQL of a logical form.
type builder struct {
	lexicon       *lexicon
	path          []string // search_path
	today         string   // day of the question
	includesEnded bool     // who has left counts, too
	keepCents     bool     // what is in cents stays so
	qualifies     bool     // more than one relation is read: columns are qualified
	used          map[string]int
	aliases       map[int]string
	count         int
	outerAlias    string // alias of the row that a scalar subquery is compared with
	joinAll       bool   // relate to-many sets by joins, which keeps duplicates
	err           error
}

// render writes a phrase as one SELECT.
func (p *parser) render(n *phrase, joinAll bool) (string, error) {
	b := &builder{lexicon: p.lexicon, path: p.options.SearchPath, today: p.now().Format(time.DateOnly), includesEnded: p.includesEnded, keepCents: p.mentionsMinorUnit(), joinAll: joinAll}
	b.reset()
	b.selectSQL(n)
	if b.err != nil {
		return "", b.err
	}
	b.qualifies = b.count > 1
	b.reset()
	sql := b.selectSQL(n)
	return sql, b.err
}

// reset begins the query anew.
func (b *builder) reset() {
	b.used, b.aliases, b.count = map[string]int{}, map[int]string{}, 0
}

// noSQL notes that the form has no SQL.
func (b *builder) noSQL() string {
	b.err = errForm
	return ""
}

// alias names a place of a relation in the query.
func (b *builder) alias(r *catalog.Relation) string {
	b.count++
	b.used[r.Name.Name]++
	if n := b.used[r.Name.Name]; n > 1 {
		return fmt.Sprintf("%s_%d", r.Name.Name, n)
	}
	return r.Name.Name
}

// relation writes a relation of the FROM list.
func (b *builder) relation(r *catalog.Relation, alias string) string {
	name := quoteIdentifier(r.Name.Name)
	if b.needsSchema(r) {
		name = quoteIdentifier(r.Schema) + "." + name
	}
	if alias != r.Name.Name {
		name += " AS " + quoteIdentifier(alias)
	}
	return name
}

// needsSchema reports whether a relation's schema has to be written: when the
// search path leads to another relation of that name, or to none.
func (b *builder) needsSchema(r *catalog.Relation) bool {
	for _, s := range b.path {
		if s == r.Schema {
			return false
		}
		if b.lexicon.snapshot.Lookup(s, r.Name.Name) != nil {
			return true
		}
	}
	return true
}

// column writes a column, qualified where several relations are read.
func (b *builder) column(alias string, c *catalog.Column) string {
	if g, measured := b.lexicon.eavAttributes[c]; measured {
		return b.eavValue(alias, g)
	}
	if open, computed := b.lexicon.balances[c]; computed {
		return b.balance(alias, open)
	}
	if a, computed := b.lexicon.lineAmounts[c]; computed {
		sql := b.column(alias, a.quantity) + " * " + b.column(alias, a.price)
		switch {
		case a.discount == nil:
		case a.discountIsShare:
			sql += " * (1 - " + b.discountOf(alias, a.discount) + ")"
		default:
			sql += " * (1 - " + b.discountOf(alias, a.discount) + " / 100.0)"
		}
		return sql
	}
	name := quoteIdentifier(c.Name)
	if b.qualifies {
		name = quoteIdentifier(alias) + "." + name
	}
	if c.Packed {
		return "to_date(NULLIF(" + name + ", 0)::text, 'YYYYMMDD')"
	}
	if !b.keepCents && inMinor(c) {
		return name + perMajor
	}
	return name
}

// discountOf writes a column of what is taken off: nothing is where it is empty.
func (b *builder) discountOf(alias string, c *catalog.Column) string {
	if c.NotNull {
		return b.column(alias, c)
	}
	return "COALESCE(" + b.column(alias, c) + ", 0)"
}

// query is the FROM and WHERE of a SELECT that is being written.
type query struct {
	from   string
	where  []string
	toMany map[int]bool // joined sets of which a row of the root may have several
	orNone map[int]bool // joined sets of which a row of the root may have none
}

// onceEach returns conditions, each once: orders that are open and overdue are open for two words of the question.
func onceEach(conditions []string) (once []string) {
	for _, c := range conditions {
		if !slices.Contains(once, c) {
			once = append(once, c)
		}
	}
	return once
}
