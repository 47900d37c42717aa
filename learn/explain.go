package learn

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"askpg/ask"
)

// Bounds of what is told of a proposal.
const (
	maxListed = 4  // sources, and what other statements say
	maxSaying = 2  // statements that speak for it
	maxNames  = 20 // that are not proposed, of a reason
)

// Explain says in a few lines what speaks for the proposal and what against it.
func (p *Proposal) Explain() []string {
	if p.Kind == kindDescription {
		return []string{ask.Visible(fmt.Sprintf("description %s: words of model %s, which has seen the table as prompts show it", p.Name, p.model))}
	}
	if p.comment != "" {
		return []string{ask.Visible(fmt.Sprintf("synonym %s: by its comment: %s", p.Name, strings.Join(strings.Fields(p.comment), " ")))}
	}
	n, all := len(p.For), len(p.For)+len(p.Against)
	lines := []string{fmt.Sprintf("%s %s: in %d of %d statements (%s calls; %s)", p.Kind, p.Name, n, all, grouped(calls(p.For)), list(sources(p.For)))}
	if p.place != nil {
		lines = append(lines, fmt.Sprintf("  in place of the refused %s %s", p.place.Kind, p.place.Name))
	}
	if p.modelsOnly() {
		lines = append(lines, "  only models read it: the built-in engine answers no question by it")
	}
	if p.Kind == kindFilter {
		lines = append(lines, p.filtering.explain()...)
	}
	if len(p.restrictions) > 0 {
		lines = append(lines, "  without what restricts that report: "+list(p.restrictions))
	}
	if len(p.Against) > 0 {
		lines = append(lines, fmt.Sprintf("  otherwise in %d (%s calls; %s), weight %.0f %% for it", len(p.Against), grouped(calls(p.Against)), list(sources(p.Against)), 100*p.Share()))
	}
	if len(p.Further) > 0 {
		lines = append(lines, "  some for it have further conditions: "+list(p.Further))
	}
	for _, o := range p.Otherwise[:min(len(p.Otherwise), maxListed)] {
		lines = append(lines, "  otherwise: "+o)
	}
	if p.Kind != kindQuery { // which is itself a statement
		for _, s := range foremost(p.For, maxSaying) {
			lines = append(lines, "  for it: "+s.shown(p.about))
		}
	}
	for _, s := range foremost(p.Against, 1) {
		lines = append(lines, "  against it: "+s.shown(p.about))
	}
	return visible(lines)
}

// modelsOnly reports whether the built-in engine does not read the entry: a statement, or a value of each row.
func (p *Proposal) modelsOnly() bool {
	return p.Kind == kindQuery || p.Kind == kindTerm && slices.ContainsFunc(p.fields, func(f field) bool { return f.name == "expression" })
}

// visible returns lines that begin no other line and move no cursor.
func visible(lines []string) []string {
	for i := range lines {
		lines[i] = strings.ReplaceAll(ask.Visible(lines[i]), "\n", " ")
	}
	return lines
}

// foremost returns the statements that are called most, n at most and of different sources.
func foremost(statements []*Statement, n int) (out []*Statement) {
	order := slices.SortedStableFunc(slices.Values(statements), func(a, b *Statement) int { return cmp.Compare(b.Calls, a.Calls) })
	for _, s := range order {
		if len(out) < n && !slices.ContainsFunc(out, func(o *Statement) bool { return o.source() == s.source() }) {
			out = append(out, s)
		}
	}
	return out
}

func list(names []string) string { return firstOf(names, maxListed) }

// firstOf lists the first of names, and says how many more there are.
func firstOf(names []string, most int) string {
	if len(names) > most {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", len(names)-most))
	}
	return strings.Join(names, ", ")
}

// grouped writes a number with commas.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Summary says what was read and what was left out, what is not proposed, and why. It says so if there are no proposals.
func (r *Report) Summary() []string {
	sum := func(count map[string]int) (n int) {
		for _, k := range count {
			n += k
		}
		return n
	}
	read, left := sum(r.Read), sum(r.Left)
	what := "proposals"
	if len(r.Proposals) == 1 {
		what = "proposal"
	}
	lines := []string{fmt.Sprintf("%d %s from %d of %d statements", len(r.Proposals), what, read-left, read)}
	var from []string
	for _, name := range slices.Sorted(maps.Keys(r.Read)) {
		from = append(from, fmt.Sprintf("%d of %s", r.Read[name], cmp.Or(name, "no file")))
	}
	if len(from) > 0 {
		lines = append(lines, "read: "+strings.Join(from, ", "))
	}
	for _, why := range ordered(r.Left) {
		lines = append(lines, fmt.Sprintf("left out: %d that %s", r.Left[why], why))
	}
	for _, why := range ordered(sizes(r.Fell)) {
		names := slices.Sorted(slices.Values(r.Fell[why]))
		lines = append(lines, fmt.Sprintf("not proposed, as %s: %s", why, firstOf(names, maxNames)))
	}
	if len(r.Proposals) == 0 {
		lines = append(lines, r.nothing(read, read-left))
	}
	return visible(lines)
}

// nothing says why a run has no proposals.
func (r *Report) nothing(read, used int) string {
	switch {
	case read == 0:
		return "nothing is proposed: no statement was read, and the role can read no view; name a file with --from, or use --statements"
	case used == 0:
		return "nothing is proposed: no statement is left to learn from"
	case len(r.Fell) > 0:
		return "nothing is proposed: for the reasons above, and as no condition, join or code is in enough statements"
	}
	return "nothing is proposed: no statement gives a name to what it computes (sum(total) AS revenue), and no condition, join or code is in enough of them"
}
