package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// problem is a line of a semantics file that does not fit a database.
type problem struct {
	Where, What string
	Line        int // of the entry in the file, 0 if that is not known
}

func (p problem) String() string { return p.Where + ": " + p.What }

// Located is String with the line of the entry, which changes as lines are added before it.
func (p problem) Located() string {
	if p.Line == 0 {
		return p.String()
	}
	return fmt.Sprintf("line %d: %s", p.Line, p)
}

// apply adds what the file says to a snapshot, and what comments say in lines
// that begin with "askpg:". It returns what it could not apply: an object that
// does not exist or that the role may not read.
func (b *builder) apply(file *semantics) (problems []problem) {
	for _, r := range b.snap.Relations {
		b.applyComment(r)
	}
	check := func(at at, where string, err error) {
		if err != nil {
			problems = append(problems, problem{where, err.Error(), at.line})
		}
	}
	ours := func(database string) bool { return database == "" || database == b.snap.Database }
	for i := range file.Tables {
		if t := &file.Tables[i]; ours(t.Database) {
			check(t.at, "table "+t.Name, b.applyNamedTable(t))
		}
	}
	for i := range file.Columns {
		if c := &file.Columns[i]; ours(c.Database) {
			check(c.at, "column "+c.Name, b.applyNamedColumn(c))
		}
	}
	for i := range file.Measures {
		if m := &file.Measures[i]; ours(m.Database) {
			check(m.at, "measure "+m.Name, b.applyMeasure(m))
		}
	}
	for i := range file.Terms {
		if t := &file.Terms[i]; ours(t.Database) {
			check(t.at, "term "+t.Name, b.applyTerm(t))
		}
	}
	b.hide()
	for i := range file.Queries {
		if q := &file.Queries[i]; ours(q.Database) {
			check(q.at, "query "+strings.Join(q.Names, ", "), b.applyQuery(q))
		}
	}
	for i := range file.Joins {
		if j := &file.Joins[i]; ours(j.Database) {
			check(j.at, "join from "+j.From+" to "+j.To, b.applyJoin(j))
		}
	}
	return problems
}

func (b *builder) applyNamedTable(t *tableSemantics) error {
	r, err := b.relation(t.Name)
	if err != nil {
		return err
	}
	return b.applyTable(r, t)
}

func (b *builder) applyNamedColumn(c *columnSemantics) error {
	columns, err := b.columnList(c.Name)
	if err != nil {
		return err
	}
	b.applyColumn(columns[0], c)
	return nil
}

func (b *builder) applyTable(r *Relation, t *tableSemantics) error {
	r.Synonyms = append(r.Synonyms, t.Synonyms...)
	if t.Hidden {
		b.hiddenRelations[r] = true
	}
	if t.Description != "" {
		r.Comment = t.Description
	}
	if t.Time != "" {
		if r.Time = r.Column(t.Time); r.Time == nil {
			return fmt.Errorf("there is no column %q for time", t.Time)
		}
	}
	if t.Filter != "" {
		e, rels, err := b.bind(r, t.Filter)
		if err == nil {
			err = b.accepted(e, r, aCondition)
		}
		if err != nil {
			return fmt.Errorf("filter: %w", err)
		}
		for _, other := range rels {
			if other != r {
				return fmt.Errorf("filter: it reads table %q, and a table's filter is over its own columns; a measure or a term may read others", other.Name.Name)
			}
		}
		r.Condition, r.Agreed = e, t.Agreed
	}
	return nil
}

// applyColumn leaves to seal what is private.
func (b *builder) applyColumn(c *Column, s *columnSemantics) {
	c.Synonyms = append(c.Synonyms, s.Synonyms...)
	if s.Description != "" {
		c.Comment = s.Description
	}
	if s.Unit != "" {
		c.Unit = s.Unit
	}
	if s.Hidden {
		b.hiddenColumns[c] = true
	}
	if len(s.Values) > 0 {
		c.Labels = nil
		for _, v := range slices.Sorted(maps.Keys(s.Values)) {
			c.Labels = append(c.Labels, schema.Label{Value: v, Text: s.Values[v]})
		}
	}
}

func (b *builder) applyMeasure(m *measureSemantics) error {
	r, err := b.relation(m.Table)
	if err != nil {
		return err
	}
	measure := &Measure{Name: m.Name, Synonyms: m.Synonyms, Description: m.Description, Agreed: m.Agreed, Relation: r, Relations: []*Relation{r}}
	if err := setTime(measure, m.Time); err != nil {
		return err
	}
	if err := b.once(b.snap.Measures, measure); err != nil {
		return err
	}
	if err := b.bindParts(measure, []part{{"expression", m.Expression, &measure.Aggregate, anAggregate}, {"filter", m.Filter, &measure.Condition, aCondition}}); err != nil {
		return err
	}
	b.snap.Measures = append(b.snap.Measures, measure)
	return nil
}

// setTime gives a measure or term the column of its table that dates are about; name may be empty.
func setTime(m *Measure, name string) error {
	if m.Time = m.Relation.Column(name); m.Time == nil && name != "" {
		return fmt.Errorf("there is no column %q for time", name)
	}
	return nil
}

func (b *builder) applyTerm(t *termSemantics) error {
	r, err := b.relation(t.Table)
	if err != nil {
		return err
	}
	term := &Measure{Name: t.Name, Synonyms: t.Synonyms, Description: t.Description, Agreed: t.Agreed, Relation: r, Relations: []*Relation{r}}
	if err := setTime(term, t.Time); err != nil {
		return err
	}
	if err := b.once(slices.DeleteFunc(slices.Clone(b.snap.Terms), func(o *Measure) bool { return o.Relation != r }), term); err != nil {
		return err
	}
	if err := b.bindParts(term, []part{{"expression", t.Expression, &term.Aggregate, aValue}, {"condition", t.Condition, &term.Condition, aCondition}}); err != nil {
		return err
	}
	b.snap.Terms = append(b.snap.Terms, term)
	return nil
}

// once says whether one of the names is taken, or would stand in questions about anything: of two definitions nobody could tell which one
// counts. A term is one of its table's rows, and each table may have a fiscal year.
func (b *builder) once(others []*Measure, m *Measure) error {
	for _, name := range append([]string{m.Name}, m.Synonyms...) {
		if !slices.ContainsFunc(words.Split(name), words.IsName) {
			return fmt.Errorf("the name %q has no word that says what is meant", name)
		}
		for _, o := range others {
			if slices.ContainsFunc(append([]string{o.Name}, o.Synonyms...), func(taken string) bool { return strings.EqualFold(taken, name) }) {
				return fmt.Errorf("an earlier one has the name %q already, and only the earlier one counts", name)
			}
		}
	}
	return nil
}

// part is an expression of a measure or term.
type part struct {
	name, text string
	into       *schema.Expression
	is         expected
}

// expected is what an expression has to be, and a statement that the server accepts with such a one only.
type expected struct{ what, sql string }

var (
	aCondition  = expected{"true or false of each row, such as status = 'open'", "SELECT FROM %[2]s WHERE (%[1]s)"}
	aValue      = expected{"a value of each row, such as quantity * price", "SELECT FROM %[2]s WHERE (%[1]s) IS NOT NULL"}
	anAggregate = expected{"one value of all rows, such as sum(price)", "SELECT FROM %[2]s HAVING (%[1]s) IS NOT NULL"}
)

// accepted says what is wrong with an expression over the columns of a relation and others, if the server can be asked.
func (b *builder) accepted(e schema.Expression, r *Relation, is expected) error {
	if b.analyse == nil {
		return nil
	}
	quoted := func(r *Relation) string { return schema.Quote(r.Schema) + "." + schema.Quote(r.Name.Name) }
	from := []string{quoted(r)}
	sql := e.With(func(c *Column) string {
		if of := quoted(c.Relation); !slices.Contains(from, of) {
			from = append(from, of)
		}
		return quoted(c.Relation) + "." + schema.Quote(c.Name)
	})
	if err := b.analyse(fmt.Sprintf(is.sql, sql, strings.Join(from, ", "))); err != nil {
		return fmt.Errorf("it must be %s: %w", is.what, err)
	}
	return nil
}

// bindParts resolves the expressions of a measure, and adds the relations that they read.
func (b *builder) bindParts(measure *Measure, parts []part) error {
	for _, part := range parts {
		if part.text == "" {
			continue
		}
		e, rels, err := b.bind(measure.Relation, part.text)
		if err == nil {
			err = b.accepted(e, measure.Relation, part.is)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		*part.into = e
		for _, other := range rels {
			if !slices.Contains(measure.Relations, other) {
				measure.Relations = append(measure.Relations, other)
			}
		}
	}
	return nil
}

func (b *builder) applyJoin(j *joinSemantics) error {
	from, err := b.columnList(j.From)
	if err != nil {
		return err
	}
	to, err := b.columnList(j.To)
	if err != nil {
		return err
	}
	join := &ForeignKey{Name: j.From, From: from[0].Relation, To: to[0].Relation, FromCols: from, ToCols: to, Preferred: true}
	reverse := &ForeignKey{From: join.To, To: join.From, FromCols: to, ToCols: from}
	kept := b.snap.ForeignKeys[:0]
	for _, k := range b.snap.ForeignKeys {
		if id := k.Identity(); id != join.Identity() && id != reverse.Identity() {
			kept = append(kept, k)
			continue
		}
		if k.From != join.From {
			join = reverse
			join.Name, join.Preferred = j.From, true
		}
	}
	b.snap.ForeignKeys = kept
	if j.Avoid {
		b.avoided = append(b.avoided, join.Identity(), reverse.Identity())
		return nil
	}
	b.snap.ForeignKeys = append(b.snap.ForeignKeys, join)
	return nil
}

// hide takes hidden relations and columns out of the snapshot, with the keys
// and measures that need them.
func (b *builder) hide() {
	s := b.snap
	isHidden := func(c *Column) bool { return b.hiddenColumns[c] || b.hiddenRelations[c.Relation] }
	anyHidden := func(cols []*Column) bool { return slices.ContainsFunc(cols, isHidden) }
	s.Relations = slices.DeleteFunc(s.Relations, func(r *Relation) bool { return b.hiddenRelations[r] })
	for _, r := range b.snap.Relations {
		r.Columns = slices.DeleteFunc(r.Columns, isHidden)
		if anyHidden(r.PrimaryKey) {
			r.PrimaryKey = nil
		}
		r.Unique = slices.DeleteFunc(r.Unique, anyHidden)
	}
	s.ForeignKeys = slices.DeleteFunc(s.ForeignKeys, func(k *ForeignKey) bool { return anyHidden(k.FromCols) || anyHidden(k.ToCols) })
	hiddenMeasure := func(m *Measure) bool {
		return slices.ContainsFunc(m.Relations, func(r *Relation) bool { return b.hiddenRelations[r] })
	}
	s.Measures = slices.DeleteFunc(s.Measures, hiddenMeasure)
	s.Terms = slices.DeleteFunc(s.Terms, hiddenMeasure)
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
	for _, name := range append([]string{first[i+1:]}, ask.SplitList(rest)...) {
		name = strings.TrimPrefix(strings.TrimSpace(name), strings.TrimSpace(first[:i])+".")
		c := r.Column(name)
		if c == nil {
			return nil, fmt.Errorf("role %q can read no column %q of table %q", b.snap.Role, name, r.Name.Name)
		}
		cols = append(cols, c)
	}
	return cols, nil
}
