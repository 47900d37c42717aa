package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
)

// TestExamples_FollowTheSchema renames a column that a verified example reads:
// the example is taken out of answering and its translation comes back into the
// queue, by itself; with the column back it answers again.
func TestExamples_FollowTheSchema(t *testing.T) {
	shopDatabase(t)
	database := pgtest.NewDatabase(t, fmt.Sprintf(`create table lamps (id int primary key, colour text);
insert into lamps values (1, 'red'), (2, 'blue'), (3, 'red');
grant select on lamps to %s`, shop.Analyst))
	r := start(t, func(c *Config) {
		c.Store.CheckExamples = ask.Duration(100 * time.Millisecond)
		c.Catalog.Freshness = 0
	})
	ctx := testContext(t)
	url := "postgres://" + shop.Analyst + "@" + net.JoinHostPort(r.host, r.port) + "/" + database + "?sslmode=disable"
	conn := connect(t, url)
	const question = "how many lamps do we have"
	if got, err := asked(ctx, conn, "-- ask: "+question); err != nil || got != "3" {
		t.Fatalf("%q, %v", got, err)
	}
	page, err := r.store.List(ctx, store.Filter{})
	if err != nil || len(page.Records) != 1 {
		t.Fatal(page, err)
	}
	id := page.Records[0].ID
	// Approved as it is, and another question with SQL that reads the column.
	if _, err := r.store.Approve(ctx, id, nil, store.Reviewer{Name: "ann"}, ""); err != nil {
		t.Fatal(err)
	}
	approved, err := r.store.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(store.Example{
		Database: database, Question: "how many lamps glow in the colour of blood", SQL: "select count(*) from lamps where colour = 'red'",
		Role: shop.Analyst, Reviewer: "ann", Settings: approved.Settings, Translation: id, SchemaVersion: approved.SchemaVersion,
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.store.ImportExamples(ctx, bytes.NewReader(line), store.Import{}); n.Added != 1 || err != nil {
		t.Fatal(n, err)
	}
	example, err := r.store.ExampleOf(ctx, database, "analyst", "how many lamps glow in the colour of blood", "")
	if err != nil || example == nil {
		t.Fatal(example, err)
	}
	status := func() store.Status {
		list, err := r.store.Examples(ctx, database, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.ID == example.ID {
				return e.Status
			}
		}
		return "gone"
	}
	queued := func() bool {
		page, err := r.store.List(ctx, store.Filter{Order: store.PriorityFirst, Database: database})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Records) > 0 && page.Records[0].ID == id // at its head
	}
	if got, err := asked(ctx, conn, "-- ask: "+example.Question); err != nil || got != "2" {
		t.Fatalf("the example answers %q, %v", got, err)
	}
	if queued() {
		t.Error("an approved translation is in the queue")
	}
	change := func(ddl string) {
		t.Helper()
		pgtest.Exec(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, database), ddl)
		pgtest.CatchUp(t)
	}
	change(`alter table lamps rename column colour to hue`)
	eventually(t, "the example is stale", func() bool { return status() == store.Stale })
	if !queued() {
		t.Error("the stale example's translation is not in the queue")
	}
	if text := get(t, r, "/review", ""); !strings.Contains(text, `<b class="why stale">its verified example no longer plans: <bdi>column &#34;colour&#34; does not exist</bdi></b>`) {
		t.Errorf("the queue does not say in red what is stale:\n%s", text)
	}
	eventually(t, "the metric of stale examples", func() bool { return metricSum(t, r, "askpg_store_examples_stale") == 1 })
	words, err := r.store.Remarks(ctx, id)
	if err != nil || len(words) < 2 || words[len(words)-1].Kind != "stale" || words[len(words)-1].By != "askpg" {
		t.Errorf("what was said of it: %+v, %v", words, err)
	}
	if got, err := asked(ctx, conn, "-- ask: "+example.Question); err == nil && got == "2" {
		t.Error("the stale example still answers")
	}
	change(`alter table lamps rename column hue to colour`)
	eventually(t, "the example is verified again", func() bool { return status() == store.Verified })
	if queued() {
		t.Error("what plans again is still in the queue")
	}
	eventually(t, "the metric at 0 again", func() bool { return metricSum(t, r, "askpg_store_examples_stale") == 0 })
	if got, err := asked(ctx, conn, "-- ask: "+example.Question); err != nil || got != "2" {
		t.Errorf("the example answers %q, %v", got, err)
	}
}
