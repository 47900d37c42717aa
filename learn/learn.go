// Package learn reads SQL that people and programs have written over a
// database and proposes definitions for the semantics file: measures, terms,
// usual filters, dates, joins, decoded values and synonyms.
//
// # How proposals are weighed
//
// Statements contradict each other: some are wrong and some are out of date.
// Each statement that bears on a definition speaks for it or against it. The
// weight of a group of statements is the sum, over their distinct sources, of
// log2(1 + calls). A source is who runs a statement, and from where. So a
// thousand calls of one source weigh ten times as much as one call, and two
// sources twice as much as one. A definition is proposed if
//
//   - the statements for it have more than half of all the weight; for what
//     holds for all rows of a table (its usual filter, its date) three quarters,
//     as it changes answers that nobody asked to be changed; and
//   - two sources say it, or one with at least minCalls calls.
//
// A statement that leaves out a condition is against it. One with a further
// condition is for it, as it counts a part of the same thing, unless two
// sources have that condition. One that has a parameter in place of a constant
// in a condition or in what it adds up is neither: what it means is not known.
// Usual spellings of a formula are the same one.
//
// The time of a measure or term is the date that its statements group or
// filter by, if three quarters of their weight agree on one.
//
// # What is not read
//
// A statement that names a private column anywhere, or that reads a relation
// with private columns as whole rows, is left out as a whole. So is one over
// relations or columns that the snapshot's role can't read. Report.Left counts
// them. A condition on a date or a key is what one report wanted, and part of
// no definition. A statement that counts the rows which an outer join makes up
// is no definition over a table: it is proposed as a query.
package learn

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"askpg/catalog"
)

// Limits of what makes a proposal.
const (
	minCalls  = 10   // of one source, where there is no second one
	minShare  = 0.5  // of the weight of all that bear on a definition
	allShare  = 0.75 // the same for what holds for all rows of a table
	viewCalls = 100  // that a view's definition counts for: somebody found it worth a name
)

// Statement is SQL that somebody has run.
type Statement struct {
	SQL    string
	Calls  int64  // how often, at least 1
	By     string // the role or person, may be empty
	Source string // where it was found: a file, a dashboard, a view
	From   string // what it was read from: a file's name, pg_stat_statements or fromViews
	View   string // the name of the view that it defines, or ""
}

// source is what is counted as one: who ran it, and from where.
func (s *Statement) source() string {
	if s.By == "" || s.Source == "" {
		return s.By + s.Source
	}
	return s.By + ": " + s.Source
}

// Evidence is what the statements say of a proposal.
type Evidence struct {
	For, Against []*Statement
	Otherwise    []string // what those against say, those with the most weight first
	Further      []string // conditions that some of those for it have beside its own
}

// Share is the weight of the statements for it, of 1.
func (e *Evidence) Share() float64 {
	f, a := weight(e.For), weight(e.Against)
	if f == 0 {
		return 0
	}
	return f / (f + a)
}

// enough reports whether the evidence makes a proposal.
func (e *Evidence) enough(share float64) bool { return e.lacks(share) == "" }

// lacks says why the evidence makes no proposal, "" if it does.
func (e *Evidence) lacks(share float64) string {
	switch {
	case e.Share() <= share:
		return fellAgainst
	case len(sources(e.For)) < 2 && calls(e.For) < minCalls:
		return fellFew
	}
	return ""
}

// weight is the sum, over the distinct sources, of log2(1 + calls).
func weight(statements []*Statement) (w float64) {
	for _, n := range bySource(statements) {
		w += math.Log2(1 + float64(n))
	}
	return w
}

func calls(statements []*Statement) (n int64) {
	for _, s := range statements {
		n += s.Calls
	}
	return n
}

// bySource counts the calls of the distinct sources.
func bySource(statements []*Statement) map[string]int64 {
	by := map[string]int64{}
	for _, s := range statements {
		by[s.source()] += s.Calls
	}
	return by
}

// sources returns the distinct sources, those with the most calls first.
func sources(statements []*Statement) []string { return ordered(bySource(statements)) }

// with returns a list with what it does not hold yet.
func with[T comparable](list []T, more ...T) []T {
	for _, m := range more {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// ordered returns the keys of a count, the greatest count first.
func ordered[N cmp.Ordered](count map[string]N) []string {
	return slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
}

// fromViews is what views of the database are read from.
const fromViews = "views"

// The reasons for which statements are left out.
const (
	leftNoQuery  = "are no queries"
	leftUnparsed = "do not parse, or are too long"
	leftUnknown  = "read tables or columns that the role can't read or that do not exist"
	leftPrivate  = "name private columns"
)

// The reasons for which names of outputs that mean something are not proposed.
const (
	fellFew     = "one source alone has them, with fewer than 10 calls" // minCalls
	fellAgainst = "the statements do not agree on them"
	fellOpen    = "parameters stand where a constant would say what is meant"
	fellComplex = "no expression says them, and no single SELECT without parameters"
	fellTable   = "a table has the name"
	fellTrivial = "they only count the rows of a table, or say what the column's name says"
	fellKnown   = "the semantics file defines them"
	fellRefused = "an admin has refused them"
	fellListed  = "a report has chosen the rows that have them"
	fellNames   = "they name rows of a table, perhaps only some of them"
)

// Report is what the statements have taught.
type Report struct {
	Proposals []*Proposal
	Read      map[string]int      // statements, by what they were read from
	Left      map[string]int      // statements that were left out, by reason
	Fell      map[string][]string // names that are not proposed, by reason
}

// Learn proposes definitions for a database as a role sees it, from statements
// and from the views of the snapshot. What the snapshot has already is not
// proposed.
func Learn(snap *catalog.Snapshot, searchPath []string, statements []*Statement) *Report {
	l := &learner{names: newNames(snap, searchPath), report: &Report{Read: map[string]int{}, Left: map[string]int{}, Fell: map[string][]string{}}}
	for _, r := range snap.Relations {
		switch {
		case r.Kind != catalog.View && r.Kind != catalog.MaterializedView:
		case r.Closed:
			l.report.Read[fromViews]++
			l.report.Left[leftPrivate]++
		case r.Definition != "":
			statements = append(statements, &Statement{SQL: r.Definition, Calls: viewCalls, Source: "view " + r.Name.Name, From: fromViews, View: r.Name.Name})
		}
	}
	for _, s := range statements {
		l.report.Read[s.From]++
		if why := l.read(s); why != "" {
			l.report.Left[why]++
		}
	}
	l.propose()
	return l.report
}

// fell notes that a name is not proposed.
func (r *Report) fell(why, name string) { r.Fell[why] = with(r.Fell[why], name) }

// learner collects what statements say.
type learner struct {
	*names
	report  *Report
	facts   []fact    // conditions on relations, and their absence
	reads   []reading // of names
	dates   tally
	joins   tally
	values  tally
	aliases tally
}

// fact is what one query of a statement says of the rows of one relation.
type fact struct {
	statement *Statement
	relation  *catalog.Relation
	main      bool                     // its rows are what the query is about, not looked up from others
	conjuncts []conjunct               // on columns of the relation alone
	open      map[*catalog.Column]bool // columns of conditions with parameters: unknown
}

// tally counts statements by a thing and what they say of it.
type tally map[string]map[string][]*Statement

func (t *tally) add(thing, says string, s *Statement) {
	if *t == nil {
		*t = tally{}
	}
	if (*t)[thing] == nil {
		(*t)[thing] = map[string][]*Statement{}
	}
	(*t)[thing][says] = with((*t)[thing][says], s)
}

// evidence of one of the things that are said of a thing; statements that say
// both are for it.
func (t tally) evidence(thing, says string) (e Evidence) {
	e.For = t[thing][says]
	other := map[string]float64{}
	for _, what := range ordered(sizes(t[thing])) {
		if what == says {
			continue
		}
		e.Against = with(e.Against, t[thing][what]...)
		other[what] = weight(t[thing][what])
	}
	e.Against = slices.DeleteFunc(e.Against, func(s *Statement) bool { return slices.Contains(e.For, s) })
	e.Otherwise = ordered(other)
	return e
}

func sizes[T any](m map[string][]T) map[string]int {
	n := map[string]int{}
	for k, list := range m {
		n[k] = len(list)
	}
	return n
}
