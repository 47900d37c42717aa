package learn

import (
	"slices"
	"strings"

	"askpg/ask"
)

// maxQuery bounds the statements that are proposed as queries, in bytes.
const maxQuery = 3000

// computed notes the statement that computes what a name stands for, where most
// of the weight is of statements that no single expression can say: the one with
// the most weight, if it has more than half of all. It returns why there is
// none, or "".
func (l *learner) computed(queries map[*Statement]*Proposal, name string, reads []reading) (fell string) {
	reads = slices.DeleteFunc(slices.Clone(reads), func(r reading) bool { return r.open })
	if !slices.ContainsFunc(reads, func(r reading) bool { return !r.listed }) && len(reads) > 0 {
		return fellListed
	}
	var best *Statement
	for _, r := range reads {
		if r.relation == nil && r.final && !r.listed && r.statement.View == "" && len(r.statement.SQL) <= maxQuery && (best == nil || r.statement.Calls > best.Calls) {
			best = r.statement
		}
	}
	e := Evidence{For: []*Statement{best}}
	e.Against = slices.DeleteFunc(statements(reads), func(s *Statement) bool { return s == best })
	if best == nil {
		return fellComplex
	}
	if fell = e.lacks(minShare); fell != "" {
		return fell
	}
	if p := queries[best]; p != nil {
		p.fields[0].value = append(p.fields[0].value.([]string), name)
		p.Against = with(p.Against, e.Against...)
		return ""
	}
	sql, restrictions, ok := l.generalised(best)
	if used, read := ask.UsedParameters(sql); !ok || !read || len(used) > 0 {
		return fellComplex
	}
	queries[best] = &Proposal{Kind: kindQuery, Evidence: e, table: "query", restrictions: restrictions,
		fields: []field{{"names", []string{name}}, {"sql", sql}}}
	return ""
}

// proposeQueries makes the proposals of statements, their names in order.
func (l *learner) proposeQueries(queries map[*Statement]*Proposal) {
	for _, p := range queries {
		names := p.fields[0].value.([]string)
		slices.Sort(names)
		p.Name = strings.Join(names, ", ")
		l.add(p)
	}
}
