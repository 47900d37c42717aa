package admin

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"askpg/store"
)

type overviewPage struct {
	Overview     *store.Overview
	Facets       *store.Facets
	Days         int
	Of           string // "", "role NAME" or "database NAME"
	Answered     float64
	WithoutModel float64 // share of the answers that took no model
	Remembered   float64 // share of the answers that were known before: cached or verified
	Daily        chart
	Latency      chart
	Confidence   chart
	Tables       []sumTable
	Trends       []trendTable
	Now          trend // of all questions
	Currency     string
	Budgets      []store.Spending // of today; only for who sees the whole log

	filter url.Values // of the links to translations: whose the overview is, and since when
}

// Link returns the address of the translations that the overview counts, with further filters by name and value.
func (p overviewPage) Link(pairs ...any) string {
	q := maps.Clone(p.filter)
	for i := 0; i+1 < len(pairs); i += 2 {
		if value := pairs[i+1]; value != "" && value != 0 && value != 0.0 {
			q.Set(fmt.Sprint(pairs[i]), fmt.Sprint(value))
		}
	}
	return "/translations?" + q.Encode()
}

// sumTable is a table of the overview with a bar in each row.
type sumTable struct {
	Title  string
	Column string
	Rows   []sumRow
	Costs  bool // the bars are what it cost, and there is a column for it
}

type sumRow struct {
	Label   string
	Href    string // "" for no list of them
	Meaning string
	N       int64
	Share   float64 // of all questions
	Cost    float64
	Width   float64 // of the bar, in percent
	Class   string
}

func (s *Server) overview(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	days := cmp.Or(map[string]int{"7": 7, "30": 30, "90": 90, "365": 365}[q.Get("days")], 30)
	f := store.OverviewFilter{Scope: sender(r).scope(viewer), Since: time.Now().AddDate(0, 0, 1-days), Compare: time.Now().AddDate(0, 0, 1-2*days)}
	of := q.Get("of")
	if role, ok := strings.CutPrefix(of, "role "); ok {
		f.Role = role
	} else if database, ok := strings.CutPrefix(of, "database "); ok {
		f.Database = database
	}
	o, err := s.store.Overview(r.Context(), f)
	if err != nil {
		s.problem(w, r, err)
		return
	}
	facets, err := s.store.Facets(r.Context(), f.Scope)
	if err != nil {
		s.problem(w, r, err)
		return
	}
	p := overviewPage{Overview: o, Facets: facets, Days: days, Of: of, filter: url.Values{},
		Now: newTrend(o.All), Currency: s.config().Currency}
	p.filter.Set("since", f.Since.UTC().Format(time.DateOnly))
	for name, value := range map[string]string{"role": f.Role, "database": f.Database} {
		if value != "" {
			p.filter.Set(name, value)
		}
	}
	p.Tables, p.Trends = sumTables(o, p.Link), trendTables(o, p.Link)
	if f.Scope == nil {
		if p.Budgets, err = s.store.Budgets(r.Context(), time.Now()); err != nil {
			s.problem(w, r, err)
			return
		}
	}
	p.Daily, p.Latency, p.Confidence = dailyChart(o.Days, f.Since, time.Now(), p.Link), latencyChart(o.Latency, p.Link), confidenceChart(o.Confidence, p.Link)
	p.Answered = share(valueOf(o.Outcomes, string(store.Answered)), o.Questions)
	answers := int64(0)
	for _, s := range o.Sources {
		answers += s.N
	}
	p.WithoutModel = share(answers-valueOf(o.Sources, "model"), answers)
	p.Remembered = share(valueOf(o.Sources, "cache")+valueOf(o.Sources, "example"), answers)
	s.render(w, r, http.StatusOK, "overview", "Overview", p)
}

func share(n, all int64) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}

// sumTables lays the sums out that are not compared with the period before.
func sumTables(o *store.Overview, link linkTo) []sumTable {
	tables := []sumTable{
		sums("Outcome", "Outcome", "outcome", o.Outcomes, o.Questions, false, link),
		sums("Answered by", "Source", "source", o.Sources, o.Questions, false, link),
		sums("Top failures", "SQLSTATE", "code", o.Codes, o.Questions, false, link),
		sums("Applications", "Application", "application", o.Apps, o.Questions, o.Cost > 0, link),
	}
	return slices.DeleteFunc(tables, func(t sumTable) bool { return len(t.Rows) == 0 })
}

func sums(title, column, parameter string, list []store.Sum, all int64, costs bool, link linkTo) sumTable {
	t := sumTable{Title: title, Column: column, Costs: costs}
	if costs {
		t.Title = "Cost by " + strings.ToLower(column)
	}
	most := 0.0
	measure := func(s store.Sum) float64 {
		if costs {
			return s.Cost
		}
		return float64(s.N)
	}
	for _, s := range list {
		most = max(most, measure(s))
	}
	for _, s := range list {
		row := sumRow{Label: s.Label, Href: link(parameter, s.Label), N: s.N, Share: share(s.N, all), Cost: s.Cost, Class: "plain"}
		if parameter == "code" {
			row.Meaning, row.Class = meaning(s.Label), "failed"
		}
		if parameter == "outcome" {
			row.Class = s.Label
		}
		if most > 0 {
			row.Width = round(100 * measure(s) / most)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
