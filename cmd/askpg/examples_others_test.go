package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
	"askpg/translator"
)

// TestExamples_OtherRoles: an example is a demonstration for other roles if it tells them nothing new. Some it never
// sees: one of a table that the role may not read, or that is another one of the same name; one of rows that may be
// hidden from it; one of a private column. Nor does it see one with a word that is not its own, not of what is read, and
// not an ordinary one.
func TestExamples_OtherRoles(t *testing.T) {
	shopDatabase(t)
	database := pgtest.NewDatabase(t, fmt.Sprintf(`create schema mine; create schema theirs;
create table lamps (id int primary key, colour text, price int);
insert into lamps select g, case when g %% 3 = 0 then 'red' else 'ultramarine' end, g from generate_series(1, 300) g;
comment on column lamps.price is 'what a wholesaler pays';
create table mine.desks as table lamps; create table theirs.desks as table lamps;
create table secret_lamps as table lamps; create table own_lamps as table lamps; create table private_lamps as table lamps;
alter table own_lamps enable row level security;
create policy p on own_lamps using (colour = current_user);
create view asking_lamps as select * from lamps where colour <> current_user;
grant usage on schema mine, theirs to %[1]s, %[2]s;
grant select on lamps, own_lamps, private_lamps, asking_lamps, mine.desks, theirs.desks to %[1]s, %[2]s;
grant select on secret_lamps to %[1]s; analyze`, shop.Analyst, shop.Support))
	r := start(t, func(c *Config) { c.Catalog.Private = append(c.Catalog.Private, "private_lamps.price") })
	ctx := testContext(t)
	known := []struct {
		question, sql string
		told          bool // to another role that asks how many lamps wombats have
	}{
		{"how many lamps are there", "select count(*) from lamps", true},
		{"how many ultramarine lamps are there", "select count(*) as lamps from lamps l where colour = 'ultramarine'", true},
		{"what does a wholesaler pay for lamps", "select sum(price) from lamps", true},
		{"average price of lamps by colour", "with lamp as (select * from lamps) select colour, round(avg(price), 0)::text from lamp group by 1 order by 1 limit 100", true},
		{"lamps for wombats", "select count(*) from lamps where colour = 'wombats'", true},
		{"how many of the lamps", "select count(*) from secret_lamps", false},
		{"how many lamps do I own", "select count(*) from own_lamps", false},
		{"how many private lamps", "select count(*) from private_lamps", false},
		{"how many lamps ask", "select count(*) from asking_lamps", false},
		{"how many lamps on desks", "select count(*) from desks", false}, // of another schema for him
		{"how many lamps have we", "select 42", false},
		{"how many lamps have the Takahashis", "select count(*) from lamps", false},
		{"how many lamps are gone", "select count(*) from lamps where colour = 'takahashi'", false},
		{"how many lamps went", "select count(*) from lamps where colour like '%akahash%'", false},
		{"how many cheap lamps", "select count(*) from lamps where price < 173", false},
		{"how many old lamps", "select count(*) as takahashi from lamps", false},
		{"how many new lamps", "with takahashi as (select 1 from lamps) select count(*) from takahashi", false},
		{"how many lamps now", "select count(*) /* Takahashi */ from lamps", false},
		{"how many lamps then", "select count(*) from lamps -- Takahashi", false},
		{"how many lamps soon", `select count(*) from lamps where colour = E'\x74akahashi'`, false},
		{"how many lamps just now", "select count(*) from lamps where colour = $x$takahashi$x$", false},
		{"which lamps today", "select count(*) from lamps, current_user", false},
	}
	theirs := map[string]string{"search_path": "theirs,public"}
	q := &ask.Question{Text: "how many lamps have wombats", Session: ask.Session{Database: database, Role: shop.Support, SessionUser: shop.Support, Settings: map[string]string{"search_path": "mine,public"}}}
	var file strings.Builder
	for _, e := range known {
		x := store.Example{Database: database, Question: e.question, SQL: e.sql, Role: shop.Analyst, Settings: theirs}
		if told := (&others{app: r.app, q: q}).tellsNothingNew(ctx, &x); told != e.told {
			t.Errorf("%q, %s: told %v, want %v", e.question, e.sql, told, e.told)
		}
		x.OnlyFor = shop.Analyst
		if (&others{app: r.app, q: q}).tellsNothingNew(ctx, &x) {
			t.Errorf("%q is for the analyst alone, and told to another role", e.question)
		}
		x.OnlyFor = ""
		line, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		file.Write(append(line, '\n'))
	}
	hinted := store.Example{Database: database, Question: "how many lamps have wombats", Hint: "wombats means price > 100", SQL: "select count(*) from lamps where price > 100", Role: shop.Support}
	line, err := json.Marshal(hinted)
	if err != nil {
		t.Fatal(err)
	}
	file.Write(line)
	if _, err := r.store.ImportExamples(ctx, strings.NewReader(file.String()), store.Import{}); err != nil {
		t.Fatal(err)
	}
	q.Text = "how many ultramarine lamps have wombats"
	for role, want := range map[string]string{shop.Analyst: "how many lamps have the Takahashis", shop.Support: "how many ultramarine lamps are there"} {
		q.Session.Role, q.Session.SessionUser = role, role
		list, err := (examples{r.app}).Similar(ctx, q, len(known))
		if err != nil || !slices.ContainsFunc(list, func(e translator.Example) bool { return e.Question == want }) {
			t.Errorf("%s is told %v, %v; want %q among it", role, list, err, want)
		}
		for _, hint := range []string{"", "wombats means price > 200", "wombats means price > 100", ""} {
			q.Hint = hint
			list, err = (examples{r.app}).Similar(ctx, q, len(known))
			if told := slices.Contains(list, translator.Example{Question: hinted.Question, SQL: hinted.SQL}); err != nil || told && hint != hinted.Hint || role == shop.Support && !told && hint == hinted.Hint {
				t.Errorf("with the hint %q %s is told what another hint defines: %v, %v", hint, role, told, err)
			}
		}
		for _, e := range known {
			if role == shop.Support && !e.told && slices.Contains(list, translator.Example{Question: e.question, SQL: e.sql}) {
				t.Errorf("%s is told %q", role, e.question)
			}
		}
	}
}

// TestExamples_OtherTables: an example answers other roles, and the same role along another search_path, where its names mean the
// tables that the reviewer saw, and nobody for whom they mean others.
func TestExamples_OtherTables(t *testing.T) {
	shopDatabase(t)
	database := pgtest.NewDatabase(t, fmt.Sprintf(`create schema mine; create schema theirs;
create table mine.desks (id int); create table theirs.desks as select 1 as id; create table mine.stools (id int); create table theirs.stools (id int); create schema common; create table common.chairs as select 1 as id;
grant usage on schema mine, theirs, common to %[1]s, %[2]s; revoke usage on schema theirs from %[2]s;
grant select on all tables in schema mine, theirs, common to %[1]s, %[2]s;
create schema open; create table open.desks as select 1 as id from generate_series(1, 3);
grant usage on schema open to %[1]s, %[2]s; grant select on open.desks to %[1]s, %[2]s`, shop.Analyst, shop.Support))
	hidden := filepath.Join(t.TempDir(), "semantics.toml")
	if err := os.WriteFile(hidden, []byte("[[table]]\nname = \"mine.stools\"\nhidden = true\n[[table]]\nname = \"theirs.stools\"\nhidden = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, func(c *Config) { c.Catalog.Semantics = hidden })
	ctx := testContext(t)
	var file strings.Builder
	for question, sql := range map[string]string{"how many xylophones": "select 40 + count(*) from desks", "how many zithers": "select count(*) from stools", "how many yaks": "with yaks as (select * from chairs) select 40 + count(*) from yaks"} {
		fmt.Fprintf(&file, `{"database":%q,"question":%q,"sql":%q,"role":%q,"settings":{"search_path":"theirs, common"}}`+"\n", database, question, sql, shop.Analyst)
	}
	if _, err := r.store.ImportExamples(ctx, strings.NewReader(file.String()), store.Import{}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ role, path, desks string }{
		{shop.Analyst, "theirs, common", "41"},
		{shop.Analyst, "common, theirs", "41"},
		{shop.Analyst, "mine, common", ""},
		{shop.Support, "mine, common", ""},
		{shop.Support, "theirs, open", ""}, // he may not look into theirs
	} {
		conn := connect(t, "postgres://"+tt.role+"@"+net.JoinHostPort(r.host, r.port)+"/"+database+"?sslmode=disable&search_path="+url.PathEscape(tt.path))
		if got, err := asked(ctx, conn, "-- ask: how many xylophones"); got != tt.desks || (err == nil) != (tt.desks != "") {
			t.Errorf("%s, %s: %q, %v; want %q", tt.role, tt.path, got, err, tt.desks)
		}
		if got, err := asked(ctx, conn, "-- ask: how many zithers"); strings.Contains(tt.path, "mine") && err == nil {
			t.Errorf("%s, %s, where a table is hidden: %q", tt.role, tt.path, got)
		}
		if got, err := asked(ctx, conn, "-- ask: how many yaks"); strings.Contains(tt.path, "common") && (err != nil || got != "41") {
			t.Errorf("%s, %s, where the names mean the same: %q, %v", tt.role, tt.path, got, err)
		}
	}
}
