package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
)

// TestExamples_OtherRoles: an example helps the roles that may read all that it reads. One of a table that the role may
// not read, of rows that are hidden from it, or of a private column, it never sees.
func TestExamples_OtherRoles(t *testing.T) {
	shopDatabase(t)
	database := pgtest.NewDatabase(t, fmt.Sprintf(`create table open_lamps (id int primary key, colour text);
create table secret_lamps (id int primary key, colour text);
create table own_lamps (id int primary key, owner text);
create table priced_lamps (id int primary key, price int, iban text);
alter table own_lamps enable row level security;
create policy p on own_lamps using (owner = current_user);
grant select on open_lamps, own_lamps, priced_lamps to %[1]s, %[2]s;
grant select on secret_lamps to %[1]s`, shop.Analyst, shop.Support))
	r := start(t, func(c *Config) { c.Catalog.Private = append(c.Catalog.Private, "priced_lamps.iban") })
	ctx := testContext(t)
	var file strings.Builder
	for _, table := range []string{"open", "secret", "own", "priced"} {
		fmt.Fprintf(&file, `{"database":%q,"question":"how many %s lamps are there","sql":"select count(*) from %[2]s_lamps","role":%q}`+"\n", database, table, shop.Analyst)
	}
	fmt.Fprintf(&file, `{"database":%q,"question":"how many lamps does support count","sql":"select count(*) from own_lamps","role":%q}`, database, shop.Support)
	if n, err := r.store.ImportExamples(ctx, strings.NewReader(file.String()), store.Import{}); err != nil || n.Added != 5 {
		t.Fatal(n, err)
	}
	for role, want := range map[string][]string{ // no row is hidden from the analyst, who has BYPASSRLS
		shop.Analyst: {"how many lamps does support count", "how many open lamps are there", "how many own lamps are there", "how many priced lamps are there", "how many secret lamps are there"},
		shop.Support: {"how many lamps does support count", "how many open lamps are there"},
	} {
		q := &ask.Question{Text: "how many lamps are there", Session: ask.Session{Database: database, Role: role, SessionUser: role, Settings: map[string]string{"search_path": "public"}}}
		list, err := (examples{r.app}).Similar(ctx, q, 10)
		var got []string
		for _, e := range list {
			got = append(got, e.Question)
		}
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", role, got, err, want)
		}
	}
}

// TestLog_Import: what is imported in a terminal is planned first, and signed.
func TestLog_Import(t *testing.T) {
	config, address, admin := writeConfig(t, "")
	p := serveProcess(t, config, address, admin)
	importing := func(file string, args ...string) string {
		cmd := askpgCommand(t, append([]string{"log", "--config", config, "import", "-by", "rita"}, args...)...)
		cmd.Stdin = strings.NewReader(file)
		out, err := cmd.CombinedOutput()
		return fmt.Sprint(string(out), err)
	}
	good := fmt.Sprintf(`{"database":"shop","question":"how many xylophones","sql":"select 42","role":%q}`+"\n", shop.Analyst)
	for _, tt := range []struct{ file, want string }{
		{good + `{"database":"shop","question":"b","sql":"select 1"}`, "line 2: it names no role"},
		{good + fmt.Sprintf(`{"database":"shop","question":"b","sql":"select cost from products","role":%q}`, shop.Support), "line 2: this SQL can't answer for support at shop"},
		{good + fmt.Sprintf(`{"database":"shop","question":"b","sql":"delete from orders","role":%q}`, shop.Analyst), "nothing is imported: 1 of 2"},
	} {
		if out := importing(tt.file); !strings.Contains(out, tt.want) {
			t.Errorf("%s: want %q in\n%s", tt.file, tt.want, out)
		}
	}
	const question = "-- ask: how many xylophones"
	if got, err := asked(testContext(t), connect(t, p.url(shop.Analyst)), question); err == nil || err.Code != "ASK01" {
		t.Fatalf("%q, %v", got, err)
	}
	if out := importing(good+`{"database":"shop","question":"how many yaks","sql":"select 43"}`, "-user", shop.Analyst); !strings.Contains(out, "2 examples imported, 0 retired") {
		t.Fatal(out)
	}
	if got, err := asked(testContext(t), connect(t, p.url(shop.Analyst)), question); err != nil || got != "42" {
		t.Fatalf("%q, %v", got, err)
	}
	if out := importing(good, "-replace"); !strings.Contains(out, "0 examples imported, 1 retired") {
		t.Fatal(out)
	}
}
