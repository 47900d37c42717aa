package learn

import (
	"fmt"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
)

// Bounds of a statement that is shown as evidence, in bytes: a longer one is shortened, and one that stays longer than the second is
// cut off. What decides is often its last condition.
const (
	maxShown = 320
	maxWhole = 1200
)

// omitted stands in a tree for what is left out of it. It is written as … in the end.
const omitted = "askpg_omitted"

// shown writes the statement as evidence: in a line, with how often it ran and who ran it. Comments are left out. A long
// one loses the order of rows first. Then it loses outputs that neither have one of the names nor read a column of such
// a name, and at last its end. Statements that name something private are never shown: they are no evidence.
func (s *Statement) shown(names []string) string {
	return fmt.Sprintf("%s (%s calls; %s)", shortened(s.SQL, names), grouped(s.Calls), s.source())
}

func shortened(sql string, names []string) string {
	tree, err := ask.Parse(sql)
	if err != nil {
		return "…"
	}
	short := ""
	for _, cut := range []func(*pg_query.SelectStmt){nil, unsorted, func(s *pg_query.SelectStmt) { outputsOf(s, names) }} {
		if cut != nil {
			ask.Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
				if s, ok := m.Interface().(*pg_query.SelectStmt); ok {
					cut(s)
				}
			})
		}
		if short, err = ask.Deparse(tree); err != nil {
			return "…"
		}
		if short = strings.ReplaceAll(short, omitted, "…"); len(short) <= maxShown {
			return short
		}
	}
	if len(short) <= maxWhole {
		return short
	}
	return strings.ToValidUTF8(short[:maxWhole], "") + " …"
}

// unsorted takes the order of rows and the bounds of their number out of a query.
func unsorted(s *pg_query.SelectStmt) {
	s.SortClause, s.LimitCount, s.LimitOffset, s.LimitOption = nil, nil, nil, pg_query.LimitOption_LIMIT_OPTION_DEFAULT
}

// outputsOf leaves those outputs of a query that have one of the names or read a column of one. What it groups by goes with
// the outputs that it names by their place.
func outputsOf(s *pg_query.SelectStmt, names []string) {
	speaks := func(n *pg_query.Node) bool {
		if slices.Contains(names, spoken(n.GetResTarget().GetName())) {
			return true
		}
		return contains(n, func(n *pg_query.Node) bool {
			f := fields(n.GetColumnRef())
			return len(f) > 0 && slices.Contains(names, f[len(f)-1])
		})
	}
	kept := slices.DeleteFunc(slices.Clone(s.TargetList), func(n *pg_query.Node) bool { return !speaks(n) })
	if len(kept) == len(s.TargetList) {
		return
	}
	s.TargetList = append(kept, pg_query.MakeResTargetNodeWithVal(columnNode(omitted), 0))
	if slices.ContainsFunc(s.GroupClause, func(n *pg_query.Node) bool { return n.GetAConst() != nil }) {
		s.GroupClause = []*pg_query.Node{columnNode(omitted)}
	}
}
