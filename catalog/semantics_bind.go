package catalog

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
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

func (b *builder) applyColumn(c *Column, s *ColumnSemantics) {
	c.Synonyms = append(c.Synonyms, s.Synonyms...)
	if s.Description != "" {
		c.Comment = s.Description
	}
	if s.Unit != "" {
		c.Unit = s.Unit
	}
	if s.Private {
		b.makePrivate(c)
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

// applyComment takes lines that begin with "askpg:" out of comments:
// askpg:synonyms a, b · askpg:hidden · askpg:time column · askpg:filter
// condition · askpg:unit EUR · askpg:private.
func (b *builder) applyComment(r *Relation) {
	text, marks := splitComment(r.Comment)
	r.Comment = text
	if marks != nil {
		// What does not fit is no reason to refuse the rest.
		for _, t := range []TableSemantics{
			{Synonyms: commaList(marks["synonyms"]), Hidden: has(marks, "hidden")}, {Time: marks["time"]}, {Filter: marks["filter"]},
		} {
			_ = b.applyTable(r, &t)
		}
	}
	for _, c := range r.Columns {
		if !strings.Contains(c.Comment, "askpg:") {
			continue
		}
		text, marks := splitComment(c.Comment)
		c.Comment = text
		b.applyColumn(c, &ColumnSemantics{
			Synonyms: commaList(marks["synonyms"]), Unit: marks["unit"], Hidden: has(marks, "hidden"), Private: has(marks, "private"),
		})
	}
}

func has(m map[string]string, key string) bool {
	_, ok := m[key]
	return ok
}

func commaList(s string) []string {
	var out []string
	for _, w := range strings.Split(s, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// splitComment separates a comment's text from its marks, each of which goes
// to the end of its line.
func splitComment(comment string) (text string, marks map[string]string) {
	if !strings.Contains(comment, "askpg:") {
		return comment, nil
	}
	marks = map[string]string{}
	var lines []string
	for _, line := range strings.Split(comment, "\n") {
		before, mark, ok := strings.Cut(line, "askpg:")
		if ok {
			name, rest, _ := strings.Cut(strings.TrimSpace(mark), " ")
			marks[name] = strings.TrimSpace(rest)
			if name == "private" || name == "hidden" { // the text may go on behind it
				before += rest
			}
			line = before
		}
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), marks
}

func (b *builder) makePrivate(c *Column) {
	c.Private = true
	if p := c.Profile; p != nil {
		p.Common, p.Freqs, p.Min, p.Max = nil, nil, "", ""
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

// bind resolves the columns of an expression: those without a table are r's.
func (b *builder) bind(r *Relation, text string) (expression, []*Relation, error) {
	refs, err := columnRefs(text)
	if err != nil {
		return expression{}, nil, err
	}
	e := expression{text: text}
	var rels []*Relation
	for _, ref := range refs {
		rel := r
		if n := len(ref.names); n > 1 {
			if rel, err = b.relation(strings.Join(ref.names[:n-1], ".")); err != nil {
				return expression{}, nil, err
			}
		}
		name := ref.names[len(ref.names)-1]
		c := rel.Column(name)
		if c == nil {
			return expression{}, nil, fmt.Errorf("role %q can read no column %q of table %q", b.snap.Role, name, rel.Name.Name)
		}
		e.refs = append(e.refs, boundRef{ref.start, ref.end, c})
		rels = append(rels, rel)
	}
	return e, rels, nil
}

// columnRef is a column's place in an expression.
type columnRef struct {
	names      []string
	start, end int
}

// columnRefs parses a scalar expression and returns its columns in order. It
// accepts no subquery and nothing that ends the expression.
func columnRefs(text string) ([]columnRef, error) {
	const before = "SELECT ("
	if _, err := pg_query.Parse("SELECT " + text); err != nil {
		return nil, err
	}
	tree, err := pg_query.Parse(before + text + "\n)")
	if err != nil {
		return nil, err
	}
	if len(tree.Stmts) != 1 || len(tree.Stmts[0].Stmt.GetSelectStmt().GetTargetList()) != 1 {
		return nil, errors.New("not one expression")
	}
	starts := map[int]bool{}
	if err := findColumns(tree.ProtoReflect(), len(before), starts); err != nil {
		return nil, err
	}
	scan, err := pg_query.Scan(text)
	if err != nil {
		return nil, err
	}
	var refs []columnRef
	tokens := scan.Tokens
	for i := 0; i < len(tokens); i++ {
		if !starts[int(tokens[i].Start)] {
			continue
		}
		ref := columnRef{[]string{unquote(text[tokens[i].Start:tokens[i].End])}, int(tokens[i].Start), int(tokens[i].End)}
		for i+2 < len(tokens) && tokens[i+1].Token == pg_query.Token_ASCII_46 {
			i += 2
			ref.names = append(ref.names, unquote(text[tokens[i].Start:tokens[i].End]))
			ref.end = int(tokens[i].End)
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// findColumns collects where the columns of a parse tree begin.
func findColumns(m protoreflect.Message, offset int, starts map[int]bool) (err error) {
	switch n := m.Interface().(type) {
	case *pg_query.ColumnRef:
		if n.Fields[len(n.Fields)-1].GetAStar() != nil {
			return errors.New("it must name its columns, not *")
		}
		starts[int(n.Location)-offset] = true
		return nil
	case *pg_query.SubLink:
		return errors.New("a subquery cannot be part of it")
	case *pg_query.ParamRef:
		return errors.New("a parameter cannot be part of it")
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Kind() != protoreflect.MessageKind:
		case f.IsList():
			for i := 0; i < v.List().Len() && err == nil; i++ {
				err = findColumns(v.List().Get(i).Message(), offset, starts)
			}
		default:
			err = findColumns(v.Message(), offset, starts)
		}
		return err == nil
	})
	return err
}

func unquote(s string) string {
	if len(s) > 1 && s[0] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
	}
	return strings.ToLower(s)
}

func quoteIdentifier(s string) string { return pgx.Identifier{s}.Sanitize() }
