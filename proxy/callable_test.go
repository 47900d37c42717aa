package proxy_test

import (
	"net"
	"strings"
	"testing"

	"askpg/internal/pgtest"
)

// TestCalls_Stranger has tenants make what ask('…') could call in a schema of the asker's search_path. None of it runs:
// the question is answered, or refused where the database has a function of its own.
func TestCalls_Stranger(t *testing.T) {
	database := pgtest.NewDatabase(t, "")
	url := pgtest.Shared(t).Primary.URL(pgtest.Superuser, database)
	pgtest.Exec(t, url, `create role call_asker login password 'secret'; create role call_tenant; create role call_friend;
		create table public.ran (who text); grant insert, select on public.ran to public; grant create on schema public to public;
		create schema tenants authorization call_tenant; grant usage on schema tenants to public`)
	t.Cleanup(func() {
		pgtest.Exec(t, url, "drop owned by call_asker, call_tenant, call_friend; drop role call_asker; drop role call_tenant; drop role call_friend")
	})
	b := start(t, nil)
	b.TrustedOwners = []string{"call_friend"}
	const body = "(q %s) returns table (a text) language sql as $$ insert into public.ran values (current_user) returning 'function'::text $$"
	function := func(schema, argument string) string {
		return "create function " + schema + ".ask" + strings.Replace(body, "%s", argument, 1)
	}
	as := func(role, sql string) string { return "set role " + role + "; " + sql + "; reset role" }
	const asked, called, refused = `D "question"`, `D "function"`, `E ERROR 42501`
	for _, tt := range []struct {
		name, setup string
		want        string
	}{
		{"none", "", asked},
		{"a stranger's", as("call_tenant", function("tenants", "text")), asked},
		{"a stranger's in public", as("call_tenant", function("public", "text")), asked},
		{"a stranger's that fits with a cast", as("call_tenant", function("tenants", "varchar")), asked},
		{"a stranger's type", as("call_tenant", "create domain tenants.ask as text"), asked},
		{"a superuser's", function("public", "text"), called},
		{"a trusted owner's", as("call_friend", function("public", "text")), called},
		{"the login's own", as("call_asker", function("public", "text")), called},
		{"a stranger's beside a superuser's", function("public", "text") + ";" + as("call_tenant", function("tenants", "varchar")), refused},
		{"a stranger's type beside a superuser's function", function("public", "text") + ";" + as("call_tenant", "create domain tenants.ask as text"), refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pgtest.Exec(t, url, "drop schema tenants cascade; create schema tenants authorization call_tenant; grant usage on schema tenants to public; truncate public.ran; drop function if exists public.ask(text); "+tt.setup)
			conn, err := net.Dial("tcp", b.addr)
			if err != nil {
				t.Fatal(err)
			}
			f := loginWith(t, conn, map[string]string{"user": "call_asker", "database": database, "options": "-c search_path=tenants,public"})
			defer conn.Close()
			const text = "select * from ask('run: select ''question'' as a') as r"
			f.send(query(text), parse("", text), bind("", ""), execute("", 0), sync_)
			if got := f.trace(2); strings.Count(got, tt.want) != 2 {
				t.Errorf("got %s\nwant %s twice", got, tt.want)
			}
			if got := f.talk("select count(*) from public.ran"); tt.want != called && !strings.Contains(got, `D "0"`) {
				t.Error("the function has run: ", got)
			}
		})
	}
}
