package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"askpg/admin"
	"askpg/ask"
	"askpg/internal/shop"
	"askpg/store"
)

// TestDefinitions_CountAtOnce: what is added is checked against the database, is in force when it is there, and takes nobody's change away.
func TestDefinitions_CountAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "semantics.toml")
	if err := os.WriteFile(path, []byte("# ours"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := definitions{start(t, func(c *Config) { c.Catalog.Semantics = path }).app}
	ctx := testContext(t)
	private := func() bool {
		t.Helper()
		snap, err := d.catalog.Snapshot(ctx, "shop", shop.Analyst)
		if err != nil {
			t.Fatal(err)
		}
		return snap.Lookup("public", "customers").Column("name").Private
	}
	if private() {
		t.Fatal("it is private already")
	}
	f, err := d.File()
	if err != nil || f.Fixed != "" {
		t.Fatal(f, err)
	}
	term := func(condition string) admin.Definition {
		return admin.Definition{Kind: "term", Database: "shop", Of: "orders", Words: "dear orders", Condition: condition}
	}
	for given, fits := range map[admin.Definition]bool{
		{Kind: "private", Database: "shop", Of: "customers.name"}: true, {Kind: "private", Database: "shop", Of: "customers.nothing"}: false,
		term("count(*) > 1"): false, term("total + 1"): false,
	} {
		next, err := d.With(ctx, f.Text, shop.Analyst, given, "Rita")
		if err != nil {
			t.Fatal(err)
		}
		if problems, err := d.Problems(ctx, "shop", shop.Analyst, next); err != nil || fits != (len(problems) == 0) {
			t.Errorf("%+v: %v, %v", given, problems, err)
		}
		if !fits {
			continue
		}
		if err := d.Replace(f.Text, next); err != nil || !private() {
			t.Errorf("it is not in force: %v", err)
		}
		if err := d.Replace(f.Text, "# mine"); !errors.Is(err, admin.ErrSemanticsChanged) || !private() {
			t.Errorf("a change that was not seen is taken away: %v", err)
		}
	}

	r := &store.Record{Database: "shop", Role: shop.Analyst, SQL: "SELECT sum(total) FROM orders", Linked: []ask.Link{{Object: "public.stores.name"}}}
	objects, list := d.Suggest(ctx, r, "SELECT sum(o.total) AS takings FROM public.orders o WHERE o.status <> 'cancelled'")
	for _, want := range []string{"public.orders", "public.orders.total", "public.orders.status", "public.stores.name", "public.customers"} {
		if !slices.Contains(objects, want) {
			t.Errorf("%q is not among %q", want, objects)
		}
	}
	if objects[0] != "public.orders" || len(list) != 2 || list[0].Kind != "measure" || list[0].Words != "takings" || list[1].Kind != "filter" || list[1].Of != "orders" {
		t.Errorf("%q, %+v", objects, list)
	}

	// Of a reading that the asker took, the difference from the other one is suggested; the admin gives it the name that was asked for.
	r = &store.Record{Database: "shop", Role: shop.Analyst, Source: string(ask.SourceChoice), SQL: "SELECT sum(o.total) FROM orders o WHERE o.status <> 'cancelled'",
		Candidates: []store.Candidate{{SQL: "SELECT sum(o.total) FROM orders o WHERE o.status <> 'cancelled'", Votes: 2}, {SQL: "SELECT count(*) FROM stores", Votes: 1}, {SQL: "SELECT sum(total) FROM orders", Votes: 2}}}
	_, list = d.Suggest(ctx, r, r.SQL)
	if len(list) != 2 || list[0].Kind != "measure" || list[0].Words != "" || list[0].Expression != "sum(total)" || list[0].Condition != "status <> 'cancelled'" ||
		list[1].Kind != "filter" || list[1].Condition != "status <> 'cancelled'" {
		t.Errorf("a choice suggests %+v", list)
	}
}

// TestDefinitions_File: a file that askpg cannot change is shown, with the reason.
func TestDefinitions_File(t *testing.T) {
	dir := t.TempDir()
	ours := filepath.Join(dir, "semantics.toml")
	if err := os.WriteFile(ours, []byte("# ours"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		ours: "", "": "names no file", filepath.Join(dir, "none.toml"): "no such file",
		"/proc/self/comm": "cannot write to /proc/self/comm", // a file that can be written, in a folder that takes no new one
	} {
		a := &app{}
		cfg := defaultConfig()
		cfg.Catalog.Semantics = path
		a.current.Store(&current{cfg: cfg})
		f, err := definitions{a}.File()
		if err != nil || f.Path != path || !strings.Contains(f.Fixed, want) || want == "" && f.Fixed != "" || path == ours && f.Text != "# ours" {
			t.Errorf("%q: %+v, %v, want %q", path, f, err, want)
		}
	}
}
