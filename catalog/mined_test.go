package catalog_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

// Joins in use come out of pg_stat_statements: calls of keys that there are,
// and keys that nobody has declared, of statements that the role may read.
func TestCatalog_MinedJoins(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a PostgreSQL server, which -short leaves out")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cluster, err := pgtest.Start(ctx, pgtest.Options{NoStandby: true, Settings: map[string]string{"shared_preload_libraries": "pg_stat_statements"}})
	if err != nil && strings.Contains(err.Error(), "pg_stat_statements") {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("this server has no pg_stat_statements")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	url := cluster.Primary.URL(pgtest.Superuser, "postgres")
	pgtest.Exec(t, url, `create schema stats; create extension pg_stat_statements schema stats; create schema "Odd";
		create table people (nr int primary key, boss int, name text); create table visits (who int, place text, day date);
		create table places (label text primary key, day date); create table "Odd"."Log Book" (visitor int, secret_token text, place text);
		create table orders (id int primary key); create table lines (order_id int references orders);
		create role clerk; grant select on all tables in schema public to clerk; create role auditor; grant select on all tables in schema public to auditor; grant pg_read_all_stats to auditor; grant usage on schema stats to clerk, auditor`)
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, sql := range []string{
		`select p.name from visits v join people p on p.nr = v.who where v.place = 'x'`,
		`with recent as (select * from visits where day > '2026-01-01') select * from recent r join people p on r.who = p.nr`, // r is no table
		`select count(*) from visits, places where visits.place = label and visits.day = places.day and who > 3`,
		`select * from people a left join people b on a.boss = b.nr`,
		`select * from "Odd"."Log Book" l join people on l.visitor = people.nr join people q on q.name = l.secret_token`,
		`select * from orders o join lines l on o.id = l.order_id`,
		`select * from lines join orders on id = order_id or true`, // no row need fulfil it
		`create table kept as select v.* from visits v where exists (select from places where label = v.place)`,
	} {
		for range 3 {
			if _, err := conn.Exec(ctx, sql); err != nil && !strings.Contains(err.Error(), "already exists") {
				t.Fatal(err)
			}
		}
	}
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	src := newSource(t)
	src.pools["postgres"], src.external = pool, true
	keys := func(role string) map[string]*catalog.ForeignKey {
		cfg := settings()
		cfg.ImpliedJoins = false
		c := catalog.New(cfg, src, quiet(), nil)
		defer c.Close()
		m := map[string]*catalog.ForeignKey{}
		for _, k := range snapshot(t, c, "postgres", role).ForeignKeys {
			var cols []string
			for i := range k.FromCols {
				cols = append(cols, k.FromCols[i].Name+"="+k.ToCols[i].Name)
			}
			m[k.From.Name.Name+">"+k.To.Name.Name+":"+strings.Join(cols, ",")] = k
		}
		return m
	}
	all := keys(pgtest.Superuser)
	for name, calls := range map[string]int64{
		"visits>people:who=nr": 3, "visits>places:place=label,day=day": 3, "people>people:boss=nr": 3, "Log Book>people:visitor=nr": 3, "lines>orders:order_id=id": 3,
	} {
		if k := all[name]; k == nil || k.Calls != calls || k.Implied != (name != "lines>orders:order_id=id") {
			t.Errorf("%s: %+v, want %d calls", name, k, calls)
		}
		delete(all, name)
	}
	for name := range all {
		t.Errorf("found %s too", name)
	}
	if clerk := keys("clerk"); len(clerk) != 1 || clerk["lines>orders:order_id=id"].Calls != 0 {
		t.Errorf("who may not read others' statements learns of %+v", clerk)
	}
	if auditor := keys("auditor"); len(auditor) != 4 || auditor["visits>people:who=nr"] == nil || auditor["Log Book>people:visitor=nr"] != nil {
		t.Errorf("who may read others' statements learns of %+v", auditor)
	}
}
