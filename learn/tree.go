package learn

import (
	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
)

// each visits a node and those below it, parents first; where f returns false
// it goes no deeper. Subqueries in expressions are not gone into.
func each(m proto.Message, f func(*pg_query.Node) bool) {
	if m == nil || !m.ProtoReflect().IsValid() {
		return
	}
	ask.WalkInto(m.ProtoReflect(), func(m protoreflect.Message) bool {
		n, ok := m.Interface().(*pg_query.Node)
		return !ok || f(n) && n.GetSubLink() == nil
	})
}

// contains reports whether a node or one below it is like that.
func contains(n *pg_query.Node, like func(*pg_query.Node) bool) (found bool) {
	each(n, func(n *pg_query.Node) bool {
		found = found || like(n)
		return !found
	})
	return found
}

func hasSubquery(n *pg_query.Node) bool {
	return contains(n, func(n *pg_query.Node) bool { return n.GetSubLink() != nil })
}

func hasParameter(n *pg_query.Node) bool {
	return contains(n, func(n *pg_query.Node) bool { return n.GetParamRef() != nil })
}

// hasWindow reports whether a function is called over a window.
func hasWindow(n *pg_query.Node) bool {
	return contains(n, func(n *pg_query.Node) bool { return n.GetFuncCall().GetOver() != nil })
}

// aggregates are PostgreSQL's, as far as reports use them.
var aggregates = map[string]bool{
	"count": true, "sum": true, "avg": true, "min": true, "max": true, "bool_and": true, "bool_or": true, "every": true, "stddev": true, "stddev_samp": true,
	"stddev_pop": true, "variance": true, "var_samp": true, "var_pop": true, "percentile_cont": true, "percentile_disc": true, "mode": true, "string_agg": true,
	"array_agg": true, "json_agg": true, "jsonb_agg": true, "corr": true,
}

func isAggregate(n *pg_query.Node) bool {
	f := n.GetFuncCall()
	return f != nil && f.Over == nil && (f.AggStar || f.AggDistinct || f.AggFilter != nil || f.AggWithinGroup || aggregates[function(f)])
}

func hasAggregate(n *pg_query.Node) bool { return contains(n, isAggregate) }

// allAggregates reports whether an expression has aggregates, and all of them are like that.
func allAggregates(n *pg_query.Node, like func(*pg_query.Node) bool) bool {
	return hasAggregate(n) && !contains(n, func(n *pg_query.Node) bool { return isAggregate(n) && !like(n) })
}

// function is the name of what is called, without its schema.
func function(f *pg_query.FuncCall) string {
	if f == nil || len(f.Funcname) == 0 {
		return ""
	}
	return f.Funcname[len(f.Funcname)-1].GetString_().GetSval()
}

// fields are the names of a column reference; "*" for a star.
func fields(ref *pg_query.ColumnRef) []string {
	var out []string
	for _, f := range ref.GetFields() {
		if f.GetAStar() != nil {
			out = append(out, "*")
		} else {
			out = append(out, f.GetString_().GetSval())
		}
	}
	return out
}

func columnNode(names ...string) *pg_query.Node {
	ref := &pg_query.ColumnRef{}
	for _, n := range names {
		ref.Fields = append(ref.Fields, pg_query.MakeStrNode(n))
	}
	return &pg_query.Node{Node: &pg_query.Node_ColumnRef{ColumnRef: ref}}
}

func clone(n *pg_query.Node) *pg_query.Node {
	if n == nil {
		return nil
	}
	return proto.Clone(n).(*pg_query.Node)
}

// maxNodes bounds the messages of an expression: what is put in place of
// columns again and again would grow without end.
const maxNodes = 4000

// size is the number of messages of an expression, subqueries included.
func size(n *pg_query.Node) (count int) {
	if n != nil {
		ask.Walk(n.ProtoReflect(), func(protoreflect.Message) { count++ })
	}
	return count
}

// replaceColumns returns the expression with another node in the place of each column reference. ok is false if with
// returns nil for one, or if the expression would get too large.
func replaceColumns(n *pg_query.Node, with func(*pg_query.ColumnRef) *pg_query.Node) (_ *pg_query.Node, ok bool) {
	n = clone(n)
	var refs []*pg_query.Node
	each(n, func(n *pg_query.Node) bool {
		if n.GetColumnRef() != nil {
			refs = append(refs, n)
		}
		return true
	})
	all := size(n)
	for _, at := range refs {
		to := with(at.GetColumnRef())
		if all += size(to); to == nil || all > maxNodes {
			return nil, false
		}
		at.Node = clone(to).Node
	}
	return n, true
}

// conjunctsOf takes a condition apart at its ANDs.
func conjunctsOf(n *pg_query.Node) []*pg_query.Node {
	if n == nil {
		return nil
	}
	if b := n.GetBoolExpr(); b != nil && b.Boolop == pg_query.BoolExprType_AND_EXPR {
		var out []*pg_query.Node
		for _, a := range b.Args {
			out = append(out, conjunctsOf(a)...)
		}
		return out
	}
	return []*pg_query.Node{n}
}
