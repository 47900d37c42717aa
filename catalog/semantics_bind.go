package catalog

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// preferredCost is that of a join that an admin wrote down: with it a path of
// three declared joins costs as much as one other.
const (
	preferredCost = 1
	unpreferred   = 3 // factor on the cost of all other joins, once some are preferred
)

// Problem is a line of a semantics file that does not fit a database.
type Problem struct {
	Where, What string
}

func (p Problem) String() string { return p.Where + ": " + p.What }

// apply adds what the file says to a snapshot, and what comments say in lines
// that begin with "askpg:". It returns what it could not apply: an object that
// does not exist or that the role may not read.
func (b *builder) apply(file *Semantics) (problems []Problem) {
	s := b.snap
	for _, r := range b.fresh() {
		b.applyComment(r)
	}
	if file == nil {
		b.hide()
		return nil
	}
	complain := func(where string, err error) { problems = append(problems, Problem{where, err.Error()}) }
	ours := func(database string) bool { return database == "" || database == s.Database }
	for _, t := range file.Tables {
		if !ours(t.Database) {
			continue
		}
		r, err := b.relation(t.Name)
		if err == nil {
			err = b.applyTable(r, &t)
		}
		if err != nil {
			complain("table "+t.Name, err)
		}
	}
	for _, c := range file.Columns {
		if !ours(c.Database) {
			continue
		}
		cols, err := b.columnList(c.Name)
		if err != nil {
			complain("column "+c.Name, err)
			continue
		}
		b.applyColumn(cols[0], &c)
	}
	for _, m := range file.Measures {
		if !ours(m.Database) {
			continue
		}
		if err := b.applyMeasure(&m); err != nil {
			complain("measure "+m.Name, err)
		}
	}
	b.hide()
	for _, j := range file.Joins {
		if !ours(j.Database) {
			continue
		}
		if err := b.applyJoin(&j); err != nil {
			complain("join from "+j.From+" to "+j.To, err)
		}
	}
	return problems
}

func (b *builder) applyTable(r *Relation, t *TableSemantics) error {
	r.Synonyms = append(r.Synonyms, t.Synonyms...)
	r.hidden = r.hidden || t.Hidden
	if t.Description != "" {
		r.Comment = t.Description
	}
	if t.Time != "" {
		if r.Time = r.Column(t.Time); r.Time == nil {
			return fmt.Errorf("there is no column %q for time", t.Time)
		}
	}
	if t.Filter != "" {
		e, _, err := b.bind(r, t.Filter)
		if err != nil {
			return fmt.Errorf("filter: %w", err)
		}
		r.filter = e
	}
	return nil
}

// applyColumn leaves to seal what is private.
func (b *builder) applyColumn(c *Column, s *ColumnSemantics) {
	c.Synonyms = append(c.Synonyms, s.Synonyms...)
	if s.Description != "" {
		c.Comment = s.Description
	}
	if s.Unit != "" {
		c.Unit = s.Unit
	}
	c.hidden = c.hidden || s.Hidden
}

func (b *builder) applyMeasure(m *MeasureSemantics) error {
	r, err := b.relation(m.Table)
	if err != nil {
		return err
	}
	measure := &Measure{Name: m.Name, Synonyms: m.Synonyms, Description: m.Description, Relation: r, Relations: []*Relation{r}}
	for _, part := range []struct {
		name, text string
		into       *expression
	}{{"expression", m.Expression, &measure.expression}, {"filter", m.Filter, &measure.filter}} {
		if part.text == "" {
			continue
		}
		e, rels, err := b.bind(r, part.text)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		*part.into = e
		for _, other := range rels {
			known := false
			for _, have := range measure.Relations {
				known = known || have == other
			}
			if !known {
				measure.Relations = append(measure.Relations, other)
			}
		}
	}
	b.snap.Measures = append(b.snap.Measures, measure)
	return nil
}

func (b *builder) applyJoin(j *JoinSemantics) error {
	from, err := b.columnList(j.From)
	if err != nil {
		return err
	}
	to, err := b.columnList(j.To)
	if err != nil {
		return err
	}
	join := &ForeignKey{Name: j.From, From: from[0].Relation, To: to[0].Relation, FromCols: from, ToCols: to, Cost: preferredCost, preferred: true}
	reverse := &ForeignKey{From: join.To, To: join.From, FromCols: to, ToCols: from}
	kept := b.snap.ForeignKeys[:0]
	for _, k := range b.snap.ForeignKeys {
		if id := k.identity(); id != join.identity() && id != reverse.identity() {
			kept = append(kept, k)
			continue
		}
		if k.From != join.From {
			join = reverse
			join.Name, join.Cost, join.preferred = j.From, preferredCost, true
		}
	}
	b.snap.ForeignKeys = kept
	if j.Avoid {
		b.avoided = append(b.avoided, join.identity(), reverse.identity())
		return nil
	}
	b.snap.ForeignKeys = append(b.snap.ForeignKeys, join)
	return nil
}

// weigh makes preferred joins cheaper than all others.
func weigh(s *Snapshot) {
	preferred := false
	for _, k := range s.ForeignKeys {
		preferred = preferred || k.preferred
	}
	if !preferred {
		return
	}
	for _, k := range s.ForeignKeys {
		if !k.preferred {
			k.Cost = 0
			k.Cost = k.cost() * unpreferred
		}
	}
}

// hide takes hidden relations and columns out of the snapshot, with the keys
// and measures that need them.
func (b *builder) hide() {
	s := b.snap
	gone := func(cols ...*Column) bool {
		for _, c := range cols {
			if c.hidden || c.Relation.hidden {
				return true
			}
		}
		return false
	}
	s.Relations = keep(s.Relations, func(r *Relation) bool { return !r.hidden })
	for _, r := range b.fresh() {
		columns := len(r.Columns)
		r.Columns = keep(r.Columns, func(c *Column) bool { return !c.hidden })
		r.trimmed = len(r.Columns) < columns
		if gone(r.PrimaryKey...) {
			r.PrimaryKey = nil
		}
		r.Unique = keep(r.Unique, func(cols []*Column) bool { return !gone(cols...) })
	}
	s.ForeignKeys = keep(s.ForeignKeys, func(k *ForeignKey) bool { return !gone(k.FromCols...) && !gone(k.ToCols...) })
	s.Measures = keep(s.Measures, func(m *Measure) bool {
		for _, r := range m.Relations {
			if r.hidden {
				return false
			}
		}
		return true
	})
}

func keep[T any](list []T, ok func(T) bool) []T {
	out := list[:0]
	for _, v := range list {
		if ok(v) {
			out = append(out, v)
		}
	}
	return out
}

// relation finds a relation by schema.table, or by table alone if only one
// schema has it. Names are as the catalog has them, unquoted.
func (b *builder) relation(name string) (*Relation, error) {
	var found []*Relation
	for _, r := range b.snap.Relations {
		if r.Name.Name == name || r.Schema+"."+r.Name.Name == name {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("role %q can read no table %q in database %q", b.snap.Role, name, b.snap.Database)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("schemas %q and %q both have a table %q; name the schema", found[0].Schema, found[1].Schema, name)
}

// columnList finds table.column, with further columns of the table after commas.
func (b *builder) columnList(names string) ([]*Column, error) {
	first, rest, _ := strings.Cut(names, ",")
	i := strings.LastIndexByte(first, '.')
	if i < 0 {
		return nil, fmt.Errorf("%q is not like table.column", first)
	}
	r, err := b.relation(strings.TrimSpace(first[:i]))
	if err != nil {
		return nil, err
	}
	var cols []*Column
	for _, name := range append([]string{first[i+1:]}, commaList(rest)...) {
		name = strings.TrimPrefix(strings.TrimSpace(name), strings.TrimSpace(first[:i])+".")
		c := r.Column(name)
		if c == nil {
			return nil, fmt.Errorf("role %q can read no column %q of table %q", b.snap.Role, name, r.Name.Name)
		}
		cols = append(cols, c)
	}
	return cols, nil
}

func quoteIdentifier(s string) string { return pgx.Identifier{s}.Sanitize() }
