package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"askpg/internal/shop"
	"askpg/store"
)

// TestReview_PlanTellsNoValue has a reviewer correct an answer with SQL whose rows the planner estimates by how frequent a value
// is: only where he may see rows does he hear that there are too many. Each plan is logged.
func TestReview_PlanTellsNoValue(t *testing.T) {
	for rows, want := range map[int]int{0: http.StatusSeeOther, 3: http.StatusUnprocessableEntity} {
		var log lockedBuffer
		r := startLogging(t, &log, func(c *Config) {
			c.Admin.ReviewerToken, c.Admin.ShowRows, c.Store.Spill = reviewerToken, rows, ""
		})
		if _, err := asked(testContext(t), r.connect(t, shop.Analyst), "-- ask: how many customers are there"); err != nil {
			t.Fatal(err)
		}
		page, err := r.store.List(testContext(t), store.Filter{Limit: 1})
		if err != nil || len(page.Records) != 1 {
			t.Fatal(page, err)
		}
		form := url.Values{"do": {"correct"}, "sql": {"select 1 from customers as c, generate_series(1, 1000000000) as n where c.region = 'North'"}}
		req, err := http.NewRequestWithContext(testContext(t), http.MethodPost, "http://"+r.admin.Addr().String()+"/translations/"+page.Records[0].ID, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Authorization", "Bearer "+reviewerToken)
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("show_rows = %d: %d, want %d", rows, res.StatusCode, want)
		}
		if text := log.text(); !strings.Contains(text, "a reviewer had SQL planned") || !strings.Contains(text, "id="+page.Records[0].ID) {
			t.Errorf("the log has no line of it: %s", text)
		}
	}
}
