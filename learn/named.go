package learn

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog"
)

// definition is what a name stands for, as most statements have it.
type definition struct {
	kind       readingKind
	name       string
	synonyms   []string
	relation   *catalog.Relation
	expression string
	columns    []*catalog.Column
	filter     []conjunct
	time       *catalog.Column
	reads      []reading // that it was chosen from
	Evidence
}

// proposeNames looks for measures and terms: what the outputs of reports are called.
func (l *learner) proposeNames() {
	byName := map[string][]reading{}
	for _, r := range l.reads {
		byName[r.name] = append(byName[r.name], r)
	}
	var all []*definition
	queries := map[*Statement]*Proposal{}
	for name, reads := range byName {
		inner := !slices.ContainsFunc(reads, func(r reading) bool { return !r.inner })
		switch {
		case inner || !telling(name):
			continue
		case l.things[stems(name)]:
			l.report.fell(fellTable, name)
			continue
		case l.known(name):
			l.report.fell(fellKnown, name)
			continue
		}
		for _, reads := range apart(reads) {
			d := decide(name, reads)
			switch {
			case d == nil || !d.enough(minShare):
				if fell := l.computed(queries, name, reads); fell != "" {
					l.report.fell(d.whyNone(reads, fell), name)
				}
			case d.trivial():
				l.report.fell(fellTrivial, name)
			default:
				l.support(d)
				all = append(all, d)
			}
		}
	}
	l.proposeQueries(queries)
	slices.SortFunc(all, func(a, b *definition) int {
		return cmp.Or(cmp.Compare(weight(b.For), weight(a.For)), strings.Compare(a.name, b.name))
	})
	for _, d := range merge(all) {
		p := l.named(d)
		l.add(p)
		l.contrast(d, string(p.Kind)+" "+p.Name)
	}
}

// apart splits readings of one name that don't contradict each other: values of
// rows of different tables, such as the fiscal year of invoices and of deals.
func apart(reads []reading) [][]reading {
	if slices.ContainsFunc(reads, func(r reading) bool { return r.kind != rowValue || r.relation == nil }) {
		return [][]reading{reads}
	}
	var out [][]reading
	for _, r := range reads {
		i := slices.IndexFunc(out, func(list []reading) bool { return list[0].relation == r.relation })
		if i < 0 {
			out = append(out, nil)
			i = len(out) - 1
		}
		out[i] = append(out[i], r)
	}
	return out
}

// known reports whether an admin has defined the name already.
func (l *learner) known(name string) bool {
	return slices.ContainsFunc(l.snap.Queries, func(q *catalog.Query) bool {
		return slices.ContainsFunc(q.Names, func(n string) bool { return stems(n) == stems(name) })
	}) || slices.ContainsFunc(slices.Concat(l.snap.Measures, l.snap.Terms), func(m *catalog.Measure) bool {
		return slices.ContainsFunc(append([]string{m.Name}, m.Synonyms...), func(n string) bool { return stems(n) == stems(name) })
	})
}

// decide chooses what a name stands for: the expression with the most weight,
// with the conditions that half of the weight of its statements has.
func decide(name string, reads []reading) *definition {
	groups := map[string][]reading{}
	weights := map[string]float64{}
	reads = slices.DeleteFunc(slices.Clone(reads), func(r reading) bool { return r.open })
	for _, r := range reads {
		if r.relation != nil {
			groups[r.key()] = append(groups[r.key()], r)
		}
	}
	for k, list := range groups {
		weights[k] = weight(statements(list))
	}
	order := ordered(weights)
	if len(order) == 0 {
		return nil
	}
	best := groups[order[0]]
	spellings := map[string]float64{}
	for _, r := range best {
		spellings[r.expression] += weight([]*Statement{r.statement})
	}
	spelling := ordered(spellings)[0]
	d := &definition{reads: reads, kind: best[0].kind, name: name, relation: best[0].relation, expression: spelling, columns: best[0].columns}
	d.filter = commonFilter(best)
	if d.kind == rowValue {
		d.filter = sharedFilter(best)
	}
	otherwise := map[string]float64{}
	for _, r := range reads {
		if r.relation != nil && r.key() == order[0] && meetsAll(r.filter, d.filter) && (d.kind == rowValue || !d.narrowed(r, best)) {
			d.For = with(d.For, r.statement)
			for _, c := range r.filter {
				if !has(d.filter, c) {
					d.Further = with(d.Further, c.text)
				}
			}
			continue
		}
		d.Against = with(d.Against, r.statement)
		otherwise[r.String()] += weight([]*Statement{r.statement})
	}
	d.Against = slices.DeleteFunc(d.Against, func(s *Statement) bool { return slices.Contains(d.For, s) })
	d.Otherwise = ordered(otherwise)
	d.time = commonTime(best)
	return d
}

// key is equal for readings with the same formula over the same rows.
func (r *reading) key() string {
	return string(rune('0'+r.kind)) + r.relation.Schema + "." + r.relation.Name.Name + "\x00" + r.formula
}

// String says what a reading takes the name for.
func (r *reading) String() string {
	if r.relation == nil {
		return "something that no single expression says"
	}
	s := r.relation.Name.Name
	if r.expression != "" {
		s = r.expression + " over " + s
	}
	if len(r.filter) > 0 {
		s += " where " + joined(r.filter)
	}
	return s
}

func statements(reads []reading) []*Statement {
	var out []*Statement
	for _, r := range reads {
		out = with(out, r.statement)
	}
	return out
}

// whyNone says why readings of a name make no proposal, if no statement makes one for the reason given. There is no
// definition where no single expression says what the name stands for.
func (d *definition) whyNone(reads []reading, otherwise string) string {
	switch {
	case !slices.ContainsFunc(reads, func(r reading) bool { return !r.open }):
		return fellOpen
	case d != nil:
		return d.lacks(minShare)
	}
	return otherwise
}

// trivial reports whether a definition says no more than its name, as "avg mrr" is avg(mrr). So does one that counts all
// rows, or those that have a value.
func (d *definition) trivial() bool {
	if d.kind != aggregate || len(d.filter) > 0 {
		return false
	}
	if d.expression == "count(*)" {
		return true
	}
	own := slices.Concat(plain, strings.Fields(stems(d.relation.Name.Name)))
	for _, c := range d.columns {
		own = append(own, strings.Fields(stems(c.Name))...)
	}
	simple := len(d.columns) < 2 && !strings.ContainsAny(d.expression, "+-/'") && strings.Count(d.expression, "*") == strings.Count(d.expression, "(*)")
	if simple && strings.HasPrefix(d.expression, "count(") && !strings.Contains(d.expression, "DISTINCT") {
		return true // how many rows have a value: what a report calls that is the title of its column
	}
	return simple && !slices.ContainsFunc(strings.Fields(stems(d.name)), func(s string) bool { return !slices.Contains(own, s) })
}

// support adds the statements that use a view's rows without its name.
func (l *learner) support(d *definition) {
	if d.kind != rowSet {
		return
	}
	for _, f := range l.facts {
		if f.relation == d.relation && meetsAll(f.conjuncts, d.filter) {
			d.For = with(d.For, f.statement)
		}
	}
}

// merge makes one of definitions that are equal but for their names: the names
// of the less founded ones become synonyms.
func merge(all []*definition) []*definition {
	var out []*definition
	for _, d := range all {
		i := slices.IndexFunc(out, func(o *definition) bool {
			return o.kind == d.kind && o.relation == d.relation && o.expression == d.expression && joined(o.filter) == joined(d.filter)
		})
		if i < 0 {
			out = append(out, d)
			continue
		}
		o := out[i]
		if o.name != d.name {
			o.synonyms = with(o.synonyms, d.name)
		}
		o.For = with(o.For, d.For...)
		if o.time != d.time {
			o.time = nil
		}
	}
	return out
}

// named makes a proposal of a definition. A count of rows whose name is a plural
// names the rows themselves: "overdue invoices" can be counted, listed and summed.
func (l *learner) named(d *definition) *Proposal {
	p := &Proposal{Kind: kindTerm, Name: d.name, Evidence: d.Evidence, definition: d, learner: l, table: "term", about: append([]string{d.name}, d.synonyms...)}
	p.fields = []field{{"name", d.name}, {"synonyms", d.synonyms}, {"table", l.of(d.relation)}}
	own := !slices.ContainsFunc(d.filter, func(c conjunct) bool {
		return slices.ContainsFunc(c.columns, func(c *catalog.Column) bool { return c.Relation != d.relation })
	})
	plural := strings.HasSuffix(d.name, "s") && !strings.HasSuffix(d.name, "ss")
	switch {
	case d.kind == rowSet || d.expression == "count(*)" && own && plural && len(d.filter) > 0:
		p.fields = append(p.fields, field{"condition", joined(d.filter)}, d.timed())
	case d.kind == rowValue:
		if len(d.filter) > 0 {
			d.expression = "CASE WHEN " + joined(d.filter) + " THEN " + d.expression + " END"
		}
		p.fields = append(p.fields, field{"expression", d.expression})
	default:
		p.Kind, p.table = kindMeasure, "measure"
		p.fields = append(p.fields, field{"expression", d.expression}, field{"filter", joined(d.filter)}, d.timed())
	}
	return p
}

// timed is the column of the table's that the statements are dated by.
func (d *definition) timed() field {
	if d.time == nil || d.time.Relation != d.relation {
		return field{"time", ""}
	}
	return field{"time", d.time.Name}
}
