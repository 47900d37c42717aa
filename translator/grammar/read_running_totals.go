// Reading and writing running totals: "running total of orders by month", "cumulative number of bookings per week".

package grammar

import (
	"slices"
	"strings"
)

// runningTotals reads "running total of orders", "cumulative number of bookings".
func (p *parser) runningTotals(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.behind(p.ends(i, "running"), "of_strict")) {
		out = append(out, candidates(p.runningTotal(c.phrase), c.end, c.cost)...)
	}
	return keepPerEnd(out)
}

// runningTotal makes what is counted or added up of each time that of all times up to it.
func (p *parser) runningTotal(n *phrase) []reading {
	cost := 0.0
	if !n.hasAggregate() {
		sum, extra := p.aggregate(n, []string{"sum"})
		if sum == nil {
			return nil
		}
		if n.isEntity() && sum.items[0].aggregate == "count" {
			extra = 0 // a running total of orders is one of how many they are
		}
		n, cost = sum, extra
	}
	if len(n.items) != 1 || n.items[0].divisor != nil || n.items[0].distinct || n.items[0].aggregate != "sum" && n.items[0].aggregate != "count" {
		return nil
	}
	x := n.clone()
	it := n.items[0]
	it.running = true
	x.items = []item{it}
	return []reading{{x, cost + 0.05}}
}

// withRunningTotal adds to the measure of each time that of all times up to it: "orders by month with running total".
func withRunningTotal(n *phrase) []reading {
	if len(n.items) != 1 || n.items[0].running || n.items[0].distinct || n.items[0].aggregate != "sum" && n.items[0].aggregate != "count" {
		return nil
	}
	x := n.clone()
	it := n.items[0]
	it.running = true
	x.items = []item{n.items[0], it}
	return []reading{{x, 0.05}}
}

// refuseRunningTotal refuses a running total that runs over no times, or of which only some rows are kept.
func (p *parser) refuseRunningTotal(n *phrase) string {
	if !slices.ContainsFunc(n.items, func(it item) bool { return it.running }) {
		return ""
	}
	if slices.ContainsFunc(n.items, func(it item) bool { return it.aggregate == "" }) {
		return "It is not said what is added up of each time: leave out what else is to be shown."
	}
	times := slices.DeleteFunc(slices.Clone(n.group), func(g item) bool { return !isTimeKey(g) })
	if len(times) != 1 || n.set.superlative != nil || n.number != "" || len(n.having) > 0 || len(n.order) > 0 {
		return "It is not said over which times the total runs: say for each what, such as by month."
	}
	return ""
}

// isTimeKey reports whether a key is one of times, over which a total may run.
func isTimeKey(g item) bool {
	return !g.entity && g.trunc != weekday && g.trunc != hourOfDay && (g.trunc != "" || g.column != nil && isTime(g.column))
}

// running writes the sum of an aggregate over the groups up to each time, for each of the other keys by itself.
func (s *selection) running(aggregate string) string {
	return "sum(" + aggregate + ") OVER (" + orderedWindow(s.timeAndOtherKeys()) + ")"
}

// timeAndOtherKeys returns the key of times, and the others.
func (s *selection) timeAndOtherKeys() (over string, others []string) {
	others = slices.Clone(s.keys)
	for _, g := range s.phrase.group {
		if isTimeKey(g) {
			over = s.expr(g)
			others = slices.DeleteFunc(others, func(k string) bool { return k == over })
		}
	}
	return over, others
}

// orderedWindow writes a window in the order of times, for each of the other keys by itself.
func orderedWindow(over string, others []string) string {
	window := "ORDER BY " + over
	if len(others) > 0 {
		window = "PARTITION BY " + strings.Join(others, ", ") + " " + window
	}
	return window
}
