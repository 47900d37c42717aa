package sentence

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// weekdayNames are the days of a week in the order of ISO 8601.
var weekdayNames = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// dayOfWeek is how a day of the week of a day near today is told first. A week begins on Monday.
var dayOfWeek = regexp.MustCompile(`^(?:(\d) days? after )?week of (\d+) days? (before|after) today$`)

// weekday tells a time that is surely the nearest day of a name by that name: 4 days after the week of 5 days before today is the last
// Friday before today. It returns other times as they are.
func weekday(told string) string {
	m := dayOfWeek.FindStringSubmatch(told)
	if m == nil {
		return told
	}
	day, _ := strconv.Atoi(cmp.Or(m[1], "0"))
	away, _ := strconv.Atoi(m[2])
	if day >= len(weekdayNames) {
		return told
	}
	if m[3] == "before" {
		away = -away
	}
	// The day lies between today + away - 6 + day and today + away + day, both included.
	switch name := weekdayNames[day]; away + day {
	case -1:
		return "the last " + name + " before today"
	case 0:
		return "the last " + name + " up to today"
	case 7:
		return "the next " + name + " after today"
	case 6:
		return "the next " + name + " from today on"
	}
	return told
}

// onDays tells on which weekdays a time is, by their numbers of ISO 8601; "" if a condition does not say that.
func (t *teller) onDays(f *scope, e *pg_query.A_Expr) string {
	call := e.Lexpr.GetFuncCall()
	if ask.Operator(e) != "=" || functionName(call) != "extract" || len(call.Args) != 2 || call.Args[0].GetAConst().GetSval().GetSval() != "isodow" {
		return ""
	}
	items := []*pg_query.Node{e.Rexpr}
	if e.Kind == pg_query.A_Expr_Kind_AEXPR_IN {
		items = e.Rexpr.GetList().GetItems()
	} else if e.Kind != pg_query.A_Expr_Kind_AEXPR_OP {
		return ""
	}
	var days []string
	for _, n := range items {
		day := n.GetAConst().GetIval().GetIval()
		if day < 1 || int(day) > len(weekdayNames) {
			return ""
		}
		days = append(days, weekdayNames[day-1])
	}
	return t.expression(f, call.Args[1]) + " is on a " + list(days, "or")
}

// onOneDay tells two conditions in a row that hold for the times of one day as one.
func onOneDay(told []string) []string {
	var out []string
	for _, s := range told {
		if last := len(out) - 1; last >= 0 {
			column, day, from := strings.Cut(out[last], " is on or after ")
			if from && s == column+" is before 1 day after "+day {
				out[last] = column + strings.Replace(" is on "+day, "on today", "today", 1)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}
