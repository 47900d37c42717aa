package sentence

import (
	"cmp"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// functionName returns the name of a function of pg_catalog, or of one that stands without a schema.
func functionName(c *pg_query.FuncCall) string {
	n := len(c.GetFuncname())
	if n == 0 || n == 2 && c.Funcname[0].GetString_().GetSval() != "pg_catalog" || n > 2 {
		return ""
	}
	return c.Funcname[n-1].GetString_().GetSval()
}

// aggregates are told as "<word> <argument>".
var aggregates = map[string]string{
	"sum": "total", "avg": "average", "min": "lowest", "max": "highest", "string_agg": "list of", "array_agg": "list of",
	"stddev": "standard deviation of", "stddev_samp": "standard deviation of", "variance": "variance of", "var_samp": "variance of",
	"bool_and": "whether always", "bool_or": "whether ever",
}

// ranks are window functions that number rows.
var ranks = map[string]string{"row_number": "number", "rank": "rank", "dense_rank": "rank without gaps"}

// call tells a function.
func (t *teller) call(f *scope, c *pg_query.FuncCall) string {
	name := functionName(c)
	if name == "" || c.FuncVariadic || name != "count" && c.AggStar {
		return t.noWords()
	}
	if c.Over != nil {
		return t.window(f, c, name)
	}
	text, ok := t.aggregate(f, c, name)
	if !ok {
		if c.AggFilter != nil || c.AggDistinct || c.AggWithinGroup || len(c.AggOrder) > 0 {
			return t.noWords()
		}
		return t.scalar(f, c, name)
	}
	if c.AggFilter != nil {
		text += " (only where " + strings.Join(t.conditions(f, c.AggFilter), " and ") + ")"
	}
	return text
}

// aggregate tells an aggregate.
func (t *teller) aggregate(f *scope, c *pg_query.FuncCall, name string) (string, bool) {
	different := ""
	if c.AggDistinct {
		different = "different "
	}
	switch {
	case name == "count" && c.AggStar:
		return "number of rows", true
	case name == "count" && len(c.Args) == 1:
		if c.Args[0].GetAConst().GetIval() != nil {
			return "number of rows", true
		}
		return "number of " + different + t.expression(f, c.Args[0]), true
	case c.AggWithinGroup:
		if at := t.expressions(f, c.Args); name == "percentile_cont" && len(at) == 1 && at[0] == "0.5" && len(c.AggOrder) == 1 {
			return "median of " + t.expression(f, c.AggOrder[0].GetSortBy().GetNode()), true
		}
		return t.noWords(), true
	case aggregates[name] != "" && len(c.Args) > 0:
		text, cond := t.conditional(f, name, c.Args[0])
		word := aggregates[name]
		if name == "sum" && strings.HasPrefix(text, "total") {
			word = "sum of"
		}
		if text = word + " " + different + text; text == "total 1" {
			text = "number of rows"
		}
		if cond != "" {
			text += " (only where " + cond + ")"
		}
		return text, true
	}
	return "", false
}

// conditional tells the argument of an aggregate. sum(CASE WHEN c THEN x ELSE 0 END) is the total of x where c holds.
func (t *teller) conditional(f *scope, name string, n *pg_query.Node) (text, cond string) {
	c := n.GetCaseExpr()
	if c == nil || c.Arg != nil || len(c.Args) != 1 || name == "avg" && c.Defresult != nil ||
		c.Defresult != nil && !c.Defresult.GetAConst().GetIsnull() && (name != "sum" || !isZero(c.Defresult)) {
		return t.operand(f, n), ""
	}
	w := c.Args[0].GetCaseWhen()
	return t.operand(f, w.Result), t.condition(f, w.Expr)
}

func isZero(n *pg_query.Node) bool {
	c := n.GetAConst()
	return c != nil && (c.GetIval() != nil && c.GetIval().Ival == 0 || c.GetFval() != nil && strings.Trim(c.GetFval().Fval, "0.") == "")
}

// window tells a window function with its default frame.
func (t *teller) window(f *scope, c *pg_query.FuncCall, name string) string {
	const defaultFrame = 1058 // FRAMEOPTION_DEFAULTS of PostgreSQL's parsenodes.h
	w := c.Over
	if w.Name != "" || w.Refname != "" || w.FrameOptions != defaultFrame || c.AggFilter != nil {
		return t.noWords()
	}
	each, order := "", ""
	if len(w.PartitionClause) > 0 {
		each = " for each " + strings.Join(t.expressions(f, w.PartitionClause), ", ")
	}
	if len(w.OrderClause) > 0 {
		order = " " + t.sorted(f, w.OrderClause, func(n *pg_query.Node) *pg_query.Node { return n })
	}
	switch text, ok := t.aggregate(f, c, name); {
	case ranks[name] != "" && order != "":
		return ranks[name] + order + each
	case (name == "lag" || name == "lead") && len(c.Args) == 1 && order != "":
		row := map[string]string{"lag": "previous", "lead": "next"}[name]
		return t.expression(f, c.Args[0]) + " of the " + row + " row" + order + each
	case ok && order != "":
		return "running " + text + order + each
	case ok:
		return text + " of all rows" + each
	}
	return t.noWords()
}

// parts are the words of fields that EXTRACT knows under other names.
var parts = map[string]string{"dow": "weekday number", "isodow": "weekday number", "doy": "day number in the year", "epoch": "seconds", "isoyear": "year number"}

// scalar tells a function of one row.
func (t *teller) scalar(f *scope, c *pg_query.FuncCall, name string) string {
	args := t.expressions(f, c.Args)
	constant := func(i int) string {
		if i >= len(c.Args) {
			return ""
		}
		return c.Args[i].GetAConst().GetSval().GetSval()
	}
	switch {
	case name == "now" && len(args) == 0:
		return "now"
	case name == "to_date" && constant(1) == "YYYYMMDD" && len(args) == 2: // a day that is kept as a number
		return args[0]
	case name == "date_trunc" && len(args) == 2 && (args[1] == "today" || args[1] == "now"):
		return "the start of this " + strings.ToLower(constant(0))
	case name == "date_trunc" && len(args) == 2 && constant(0) != "":
		return weekday(strings.ToLower(constant(0)) + " of " + args[1])
	case name == "extract" && len(args) == 2, name == "date_part" && len(args) == 2 && constant(0) != "":
		part := strings.ToLower(strings.Trim(args[0], "'"))
		return cmp.Or(parts[part], part+" number") + " of " + args[1]
	case name == "to_char" && len(args) == 2 && constant(1) != "":
		return args[0] + " as " + constant(1)
	case name == "round" && len(args) > 0:
		return args[0] + " (rounded)"
	case (name == "lower" || name == "upper" || name == "trim" || name == "btrim") && len(args) == 1:
		return args[0] // what compares texts in whatever case
	case (name == "length" || name == "char_length") && len(args) == 1:
		return "length of " + args[0]
	case name == "abs" && len(args) == 1:
		return "size of " + args[0]
	case (name == "ceil" || name == "ceiling" || name == "floor") && len(args) == 1:
		return args[0] + map[bool]string{true: " (rounded down)", false: " (rounded up)"}[name == "floor"]
	case name == "concat" && len(args) > 0:
		return strings.Join(args, " followed by ")
	case name == "age" && len(args) == 1:
		return "time since " + args[0]
	case name == "age" && len(args) == 2:
		return "time from " + args[1] + " to " + args[0]
	}
	return t.noWords()
}
