package admin

import (
	"fmt"
	"math"

	"askpg/store"
)

// trendTable compares what some asked with what they asked in the period before. Parameter filters the list of translations by
// the label, if it is not empty.
type trendTable struct {
	Title, Column, Parameter string
	Costs                    bool
	Rows                     []trend
}

// trend is a row of it.
type trend struct {
	Label, Href                            string
	Questions, Answered, Median, P95, Cost compared
	Width                                  float64 // of the bar of the questions, in percent
}

// compared is a figure, and what it was in the period before; empty if it is not known.
type compared struct{ Now, Before string }

func newTrend(s store.Sum) trend {
	t := trend{Label: s.Label}
	of := func(write func(*store.Sum) string) compared {
		c := compared{Now: write(&s)}
		if s.Before != nil {
			c.Before = write(s.Before)
		}
		return c
	}
	t.Questions = of(func(s *store.Sum) string { return grouped(s.N) })
	t.Answered = of(func(s *store.Sum) string {
		if s.Timed() == 0 {
			return ""
		}
		return fmt.Sprintf("%.0f\u202f%%", 100*share(s.Answered, s.Timed()))
	})
	t.Median = of(func(s *store.Sum) string { return took(s.Quantile(0.5)) })
	t.P95 = of(func(s *store.Sum) string { return took(s.Quantile(0.95)) })
	t.Cost = of(func(s *store.Sum) string { return money(s.Cost) })
	return t
}

func took(ms float64) string {
	if math.IsNaN(ms) {
		return ""
	}
	return milliseconds(ms)
}

// trendTables lays out who asked, where, and which models answered, those that cost most first.
func trendTables(o *store.Overview, link linkTo) (tables []trendTable) {
	for _, t := range []struct {
		trendTable
		sums []store.Sum
	}{
		{trendTable{Title: "Roles", Column: "Role", Parameter: "role"}, o.Roles},
		{trendTable{Title: "Logins", Column: "Login"}, o.Logins},
		{trendTable{Title: "Databases", Column: "Database", Parameter: "database"}, o.Databases},
		{trendTable{Title: "Models", Column: "Model"}, o.Models},
	} {
		most := int64(0)
		for _, s := range t.sums {
			most = max(most, s.N)
		}
		for _, s := range t.sums {
			row := newTrend(s)
			row.Width = round(100 * share(s.N, most))
			if t.Parameter != "" {
				row.Href = link(t.Parameter, s.Label)
			}
			t.Rows = append(t.Rows, row)
		}
		if t.Costs = o.Cost > 0; len(t.Rows) > 0 {
			tables = append(tables, t.trendTable)
		}
	}
	return tables
}
