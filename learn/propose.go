package learn

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog"
)

// kind is what a proposal defines.
type kind string

// The kinds of proposals.
const (
	kindFilter  kind = "filter"  // what the rows of a table usually have to meet
	kindTime    kind = "time"    // the date of a table
	kindMeasure kind = "measure" // an aggregate with a name
	kindTerm    kind = "term"    // rows, or a value of rows, with a name
	kindQuery   kind = "query"   // how something is computed that takes a whole statement
	kindValues  kind = "values"  // what codes mean
	kindJoin    kind = "join"    // how tables join
	kindSynonym kind = "synonym" // another word for a column

	kindDescription kind = "description" // what a table or column is, by a model
)

var kinds = []kind{kindFilter, kindTime, kindMeasure, kindTerm, kindQuery, kindValues, kindJoin, kindSynonym, kindDescription}

// Proposal is a definition that waits for an admin's word.
type Proposal struct {
	Kind kind
	Name string // of what it defines
	Evidence

	table        string
	fields       []field     // of its entry in the semantics file
	about        []string    // names of outputs, and of columns in them, that a statement speaks for it by
	*filtering               // of a filter
	restrictions []string    // of one report, that were left out of a query
	model        string      // of a description, who says so
	comment      string      // of a name that one gives
	definition   *definition // of a measure or term
	place        *Proposal   // that was refused, in whose place it is
	learner      *learner
}

// propose makes proposals of what was collected, the best founded of each kind first.
func (l *learner) propose() {
	l.proposeFilters()
	l.proposeTimes()
	l.proposeNames()
	l.proposeValues()
	l.proposeJoins()
	l.proposeSynonyms()
	l.proposeCommented()
	slices.SortStableFunc(l.report.Proposals, func(a, b *Proposal) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), cmp.Compare(weight(b.For), weight(a.For)))
	})
}

func (l *learner) add(p *Proposal) { l.report.Proposals = append(l.report.Proposals, p) }

// joined writes conditions as one.
func joined(conditions []conjunct) string {
	var parts []string
	for _, c := range conditions {
		if len(conditions) > 1 && strings.Contains(c.text, " OR ") {
			parts = append(parts, "("+c.text+")")
			continue
		}
		parts = append(parts, c.text)
	}
	return strings.Join(parts, " AND ")
}

// proposeTimes looks for the date that reports over a relation go by.
func (l *learner) proposeTimes() {
	for _, r := range l.snap.Relations {
		dates := 0
		for _, c := range r.Columns {
			if c.Class == catalog.Date || c.Class == catalog.Timestamp {
				dates++
			}
		}
		if dates < 2 || r.Time != nil {
			continue
		}
		for column := range l.dates[l.of(r)] {
			if e := l.dates.evidence(l.of(r), column); e.enough(allShare) && len(e.For) > 1 {
				l.add(&Proposal{Kind: kindTime, Name: l.of(r), Evidence: e, table: "table", about: []string{column},
					fields: []field{{"name", l.of(r)}, {"time", column}}})
			}
		}
	}
}

// proposeValues looks for what codes mean.
func (l *learner) proposeValues() {
	byColumn := map[string]map[string]string{}
	evidence := map[string]Evidence{}
	for thing, labels := range l.values {
		column, code, _ := strings.Cut(thing, "\x00")
		for label := range labels {
			e := l.values.evidence(thing, label)
			if !e.enough(minShare) {
				continue
			}
			if byColumn[column] == nil {
				byColumn[column] = map[string]string{}
			}
			byColumn[column][code] = label
			if weight(e.For) > weight(evidence[column].For) {
				evidence[column] = e
			}
		}
	}
	for _, r := range l.snap.Relations {
		for _, c := range r.Columns {
			if name := l.column(c); len(byColumn[name]) > 1 && len(c.Labels) == 0 {
				l.add(&Proposal{Kind: kindValues, Name: name, Evidence: evidence[name], table: "column", about: []string{c.Name},
					fields: []field{{"name", name}, {"values", byColumn[name]}}})
			}
		}
	}
}

// proposeJoins looks for joins that no key declares.
func (l *learner) proposeJoins() {
	for from, all := range l.joins {
		for to := range all {
			if e := l.joins.evidence(from, to); e.enough(minShare) {
				l.add(&Proposal{Kind: kindJoin, Name: from + " = " + to, Evidence: e, table: "join", fields: []field{{"from", from}, {"to", to}}})
			}
		}
	}
}

// proposeSynonyms looks for columns that reports call by another name. What a report calls a
// name is what the row is to it: each coach has a name, but not each name is a coach's.
func (l *learner) proposeSynonyms() {
	for _, r := range l.snap.Relations {
		for _, c := range r.Columns {
			own := strings.Fields(stems(r.Name.Name) + " " + stems(c.Name))
			for alias, says := range l.aliases {
				if says[l.column(c)] == nil || !telling(alias) {
					continue
				}
				e := l.aliases.evidence(alias, l.column(c))
				trivial := !slices.ContainsFunc(strings.Fields(stems(alias)), func(s string) bool { return !slices.Contains(own, s) })
				taken := slices.ContainsFunc(r.Columns, func(o *catalog.Column) bool { return stems(o.Name) == stems(alias) }) || slices.Contains(c.Synonyms, alias)
				switch {
				case !e.enough(allShare) || len(e.For) < 2 || trivial || taken:
				case naming(c):
					l.report.fell(fellNames, alias+" for "+l.column(c))
				default:
					l.add(&Proposal{Kind: kindSynonym, Name: l.column(c), Evidence: e, table: "column", about: []string{alias},
						fields: []field{{"name", l.column(c)}, {"synonyms", []string{alias}}}})
				}
			}
		}
	}
}

// naming reports whether a column holds what its rows are called.
func naming(c *catalog.Column) bool {
	w := catalog.Words(c.Name)
	return len(w) > 0 && slices.Contains([]string{"name", "title", "label"}, w[len(w)-1])
}
