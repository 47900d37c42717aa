package learn

import (
	"fmt"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// Definition is an entry of the semantics file that a person gives.
type Definition struct {
	Kind       string // synonym, description, measure, term, filter or private
	Database   string // that it is about
	Of         string // the table or column that it is about, as the semantics file names it
	Words      string // synonyms, with commas; the description; the name of the measure or term
	Expression string // of a measure
	Condition  string // a filter, or that of a term; of a measure it may be empty
}

// Entry is what the semantics file gets for the definition. The database is as a role sees it; note says when and by
// whom.
func (d Definition) Entry(snap *catalog.Snapshot, note string) string {
	p := &Proposal{Name: d.Of, table: "table"}
	if newNames(snap, nil).table(d.Of) == nil {
		p.table = "column"
	}
	about := []field{{"database", d.Database}, {"name", d.Of}}
	switch d.Kind {
	case "synonym":
		p.fields = append(about, field{"synonyms", ask.SplitList(d.Words)})
	case "description":
		p.fields = append(about, field{"description", d.Words})
	case "filter":
		p.table, p.fields = "table", append(about, field{"filter", d.Condition})
	case "private":
		p.table, p.fields = "column", append(about, field{"private", true})
	case "measure":
		p.Name, p.table = d.Words, "measure"
		p.fields = []field{{"database", d.Database}, {"name", d.Words}, {"table", d.Of}, {"expression", d.Expression}, {"filter", d.Condition}}
	case "term":
		p.Name, p.table = d.Words, "term"
		p.fields = []field{{"database", d.Database}, {"name", d.Words}, {"table", d.Of}, {"condition", d.Condition}}
	}
	return fmt.Sprintf("\n# added %s: %s %s\n%s", note, d.Kind, strings.ReplaceAll(ask.Visible(p.Name), "\n", " "), p.agreed(note).TOML())
}

// table returns the relation that the semantics file names so, nil if there is none.
func (n *names) table(name string) *catalog.Relation {
	if schema, table, ok := strings.Cut(name, "."); ok {
		return n.snap.Lookup(schema, table)
	}
	return n.only[name]
}

// Corrected returns what SQL that was verified or chosen in an answer's place may define: the measures that its outputs
// are, as Learn would propose them if others said the same, and filters. A measure has no name if its output has none. A
// filter is a condition on a table's rows that the answer lacks.
func Corrected(snap *catalog.Snapshot, searchPath []string, answer, verified string) (list []Definition) {
	read := func(sql string) *learner {
		l := &learner{names: newNames(snap, searchPath), report: &Report{Left: map[string]int{}, Fell: map[string][]string{}}}
		if l.read(&Statement{SQL: sql, Calls: minCalls}) != "" {
			return nil
		}
		return l
	}
	l := read(withName(verified))
	if l == nil {
		return nil
	}
	l.proposeNames()
	for _, p := range l.report.Proposals {
		if m := p.definition; p.Kind == kindMeasure {
			d := Definition{Kind: "measure", Database: snap.Database, Of: l.of(m.relation), Words: m.name, Expression: m.expression, Condition: joined(m.filter)}
			if d.Words == spoken(unnamed) {
				d.Words = ""
			}
			list = append(list, d)
		}
	}
	if before := read(answer); before != nil {
		list = append(list, l.addedConditions(before)...)
	}
	return list
}

// addedConditions returns as filters the conditions on the rows of tables without one that another statement over these tables lacks.
func (l *learner) addedConditions(other *learner) (list []Definition) {
	for _, f := range l.facts {
		if len(f.relation.Condition.Refs) > 0 || !slices.ContainsFunc(other.facts, func(o fact) bool { return o.relation == f.relation }) {
			continue
		}
		added := slices.DeleteFunc(slices.Clone(f.conjuncts), func(c conjunct) bool {
			return slices.ContainsFunc(other.facts, func(o fact) bool { return o.relation == f.relation && has(o.conjuncts, c) })
		})
		if len(added) > 0 {
			list = append(list, Definition{Kind: "filter", Database: l.snap.Database, Of: l.of(f.relation), Condition: joined(reduce(added))})
		}
	}
	return list
}

// unnamed is what an output is called that has no name, while a statement is read.
const unnamed = "askpg_nameless"

// withName names the one output of a statement that is neither a column nor named, so that it is read as if somebody had.
func withName(sql string) string {
	tree, err := ask.Parse(sql)
	if err != nil || len(tree.Stmts) != 1 {
		return sql
	}
	var nameless []*pg_query.ResTarget
	for _, t := range tree.Stmts[0].Stmt.GetSelectStmt().GetTargetList() {
		if o := t.GetResTarget(); o.GetName() == "" && !column(o.GetVal()) {
			nameless = append(nameless, o)
		}
	}
	if len(nameless) != 1 {
		return sql
	}
	nameless[0].Name = unnamed
	if named, err := ask.Deparse(tree); err == nil {
		return named
	}
	return sql
}
