// Package sentence tells a query in plain words, so that who asked sees what was understood before he trusts the rows.
//
// It knows a part of SQL, and has no words for the rest: a sentence that leaves a condition out would be worse than none.
package sentence

import (
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// MaxLength bounds a sentence, in bytes. Who has to read more reads the SQL.
const MaxLength = 600

// maxParts bounds the parts of a statement that are told. CASE and GROUP BY tell some twice, and so those within them
// many times.
const maxParts = 1000

// Column is a column as a statement names it, aliases resolved. Schema is "" if the statement names none. The relation may be a CTE's name.
type Column struct{ Schema, Relation, Name string }

// Schema is what is known of columns.
type Schema interface {
	// IsKey says whether an equality of two columns joins their relations as a key does, which is told without a word.
	IsKey(a, b Column) bool
	// NotNull says whether a column has a value in each row of its relation.
	NotNull(c Column) bool
	// IsUnique says whether no two rows of a column's relation have the same value in it.
	IsUnique(c Column) bool
}

// Of tells what a SELECT lists or computes, of which relations, under which conditions, and in which order.
// It returns false for what it has no words for, and for what takes more than MaxLength.
func Of(sql string, schema Schema) (string, bool) {
	tree, err := ask.Parse(sql)
	if err != nil || len(tree.Stmts) != 1 {
		return "", false
	}
	s := tree.Stmts[0].Stmt.GetSelectStmt()
	if s == nil {
		return "", false
	}
	t := &teller{schema: schema}
	text := t.query(s, nil)
	for _, d := range t.defined {
		text += "; " + d
	}
	if t.unknown || text == "" || len(text) > MaxLength {
		return "", false
	}
	return text, true
}

// teller tells one statement.
type teller struct {
	schema  Schema
	unknown bool     // something has no words
	parts   int      // told so far
	defined []string // what the names of CTEs and subqueries of FROM stand for
}

// noWords notes that something has no words.
func (t *teller) noWords() string {
	t.unknown = true
	return ""
}

// enter counts a part of the statement. It returns false if no part needs to be told any more.
func (t *teller) enter() bool {
	t.parts++
	t.unknown = t.unknown || t.parts > maxParts
	return !t.unknown
}

// bounded returns the words of a part, unless they alone are too long.
func (t *teller) bounded(text string) string {
	if len(text) > MaxLength {
		return t.noWords()
	}
	return text
}

// query tells a SELECT. outer is the scope that it stands in, nil for the statement's own.
func (t *teller) query(s *pg_query.SelectStmt, outer *scope) string {
	if !t.enter() {
		return ""
	}
	if s.WithClause != nil {
		t.with(s.WithClause, outer)
	}
	if s.Op != pg_query.SetOperation_SETOP_NONE {
		return t.combined(s, outer)
	}
	if len(s.TargetList) == 0 || len(s.ValuesLists) > 0 || s.IntoClause != nil || len(s.LockingClause) > 0 || s.GroupDistinct {
		return t.noWords()
	}
	if q := onlyExists(s); q != nil {
		return t.bounded("whether there are " + t.rows(t.from(q.FromClause, nil), q))
	}
	f := t.from(s.FromClause, outer)
	where := t.where(f, s.WhereClause)
	counted, others := t.counted(f)
	groups := t.groups(f, s)
	what, of := t.targets(f, s, groups), f.of()
	if what == "number of rows" && counted != "" {
		what, of = "number of "+counted, others
	}
	text := what + of
	if len(where) > 0 {
		text += " where " + strings.Join(where, " and ")
	}
	if len(groups) > 0 {
		text += ", for each " + f.joinWords(groups)
	}
	if s.HavingClause != nil {
		text += ", only where " + strings.Join(t.conditions(f, s.HavingClause), " and ")
	}
	return t.bounded(text + t.ordered(f, s))
}

// onlyExists returns the query of a statement that asks no more than whether a simple one has rows, nil if it is none.
func onlyExists(s *pg_query.SelectStmt) *pg_query.SelectStmt {
	link := s.TargetList[0].GetResTarget().GetVal().GetSubLink()
	if len(s.TargetList) != 1 || len(s.FromClause) > 0 || s.WhereClause != nil || link == nil || link.SubLinkType != pg_query.SubLinkType_EXISTS_SUBLINK {
		return nil
	}
	if q := link.Subselect.GetSelectStmt(); plain(q) {
		return q
	}
	return nil
}

// with notes what CTEs stand for.
func (t *teller) with(w *pg_query.WithClause, outer *scope) {
	if w.Recursive {
		t.noWords()
		return
	}
	for _, n := range w.Ctes {
		c := n.GetCommonTableExpr()
		q := c.GetCtequery().GetSelectStmt()
		if q == nil || len(c.Aliascolnames) > 0 {
			t.noWords()
			return
		}
		t.defined = append(t.defined, c.Ctename+" is "+t.query(q, outer))
	}
}

// combined tells a UNION, an INTERSECT or an EXCEPT.
func (t *teller) combined(s *pg_query.SelectStmt, outer *scope) string {
	between := map[pg_query.SetOperation]string{
		pg_query.SetOperation_SETOP_UNION:     "; together with ",
		pg_query.SetOperation_SETOP_INTERSECT: "; only what is also in ",
		pg_query.SetOperation_SETOP_EXCEPT:    "; without what is in ",
	}[s.Op]
	text := t.query(s.Larg, outer) + between + t.query(s.Rarg, outer)
	return t.bounded(text + t.ordered(&scope{}, s))
}

// targets tells what the query lists. What it is grouped by is told there.
func (t *teller) targets(f *scope, s *pg_query.SelectStmt, groups []string) string {
	var all, out []string
	for _, n := range s.TargetList {
		text := t.expression(f, n.GetResTarget().GetVal())
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
		if !slices.Contains(groups, text) && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if len(out) == 0 {
		out = all
	} else if len(out) == 1 && len(groups) > 0 {
		f.measure = out[0]
	}
	text := f.joinWords(out)
	if len(s.DistinctClause) == 0 {
		return text
	}
	if s.DistinctClause[0].GetNode() == nil { // plain DISTINCT
		return "different " + text
	}
	return "of the first row for each " + strings.Join(t.expressions(f, s.DistinctClause), ", ") + ": " + text
}

// groups tells what GROUP BY names, in words, or by its number or name in the target list.
func (t *teller) groups(f *scope, s *pg_query.SelectStmt) []string {
	var out []string
	for _, n := range s.GroupClause {
		text := t.expression(f, t.target(s, n))
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// target returns the expression of the target list that an item of GROUP BY or ORDER BY means by a number or a name,
// else the item itself. See "GROUP BY Clause" of SELECT in PostgreSQL's documentation.
func (t *teller) target(s *pg_query.SelectStmt, n *pg_query.Node) *pg_query.Node {
	if i := n.GetAConst().GetIval(); i != nil {
		if i.Ival < 1 || int(i.Ival) > len(s.TargetList) {
			t.noWords()
			return n
		}
		return s.TargetList[i.Ival-1].GetResTarget().GetVal()
	}
	if fields := n.GetColumnRef().GetFields(); len(fields) == 1 {
		for _, r := range s.TargetList {
			if name := r.GetResTarget().GetName(); name != "" && name == fields[0].GetString_().GetSval() {
				return r.GetResTarget().GetVal()
			}
		}
	}
	return n
}

// ordered tells the order and the limit.
func (t *teller) ordered(f *scope, s *pg_query.SelectStmt) string {
	text := ""
	if len(s.SortClause) > 0 {
		text = ", " + t.sorted(f, s.SortClause, func(n *pg_query.Node) *pg_query.Node { return t.target(s, n) })
	}
	offset := ""
	if s.LimitOffset != nil {
		offset = " after " + t.expression(f, s.LimitOffset)
	}
	if s.LimitCount != nil && !s.LimitCount.GetAConst().GetIsnull() {
		text += ", the first " + t.expression(f, s.LimitCount) + offset
		if s.LimitOption == pg_query.LimitOption_LIMIT_OPTION_WITH_TIES {
			text += " and those equal to the last"
		}
		return text
	}
	if offset != "" {
		text += ", the rows" + offset
	}
	return text
}

// sorted tells a list of sort keys. resolve finds what a number or a name means.
func (t *teller) sorted(f *scope, keys []*pg_query.Node, resolve func(*pg_query.Node) *pg_query.Node) string {
	var out []string
	for _, n := range keys {
		k := n.GetSortBy()
		if k.GetSortbyDir() == pg_query.SortByDir_SORTBY_USING {
			return t.noWords()
		}
		text := t.expression(f, resolve(k.Node))
		falls := k.SortbyDir == pg_query.SortByDir_SORTBY_DESC
		switch {
		case text == f.measure && falls:
			text = "highest first"
		case text == f.measure:
			text = "lowest first"
		case falls:
			text = "by " + text + " descending"
		default:
			text = "by " + text
		}
		if k.SortbyNulls == pg_query.SortByNulls_SORTBY_NULLS_FIRST {
			text += " (empty ones before)"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", then ")
}

// joinWords joins words with commas. Columns of one relation that follow each other name it once.
func (f *scope) joinWords(words []string) string {
	out := slices.Clone(words)
	for i := range out[:max(len(out)-1, 0)] {
		for _, r := range f.relations {
			of := " of " + f.display(r)
			if a, ok := strings.CutSuffix(words[i], of); ok && !strings.Contains(a, " ") {
				if b, ok := strings.CutSuffix(words[i+1], of); ok && !strings.Contains(b, " ") {
					out[i] = a
				}
			}
		}
	}
	return strings.Join(out, ", ")
}

// list joins words as English does: "a, b and c".
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}
