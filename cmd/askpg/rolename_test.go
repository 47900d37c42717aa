package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// A session keeps the role that it has, and does not get the rights of another that has its name now.
func TestRole_MadeAnew(t *testing.T) {
	c := pgtest.Shared(t)
	database := pgtest.NewDatabase(t, "create table open_t as select 'OPEN' as v; grant select on open_t to public; create table secret_t as select 'SECRET' as v")
	model := newModelServer(t)
	model.answer(func(prompt string) reply {
		question := prompt[strings.LastIndex(prompt, "words of"):]
		if strings.Contains(question, "secret") {
			return reply{text: "```sql\nSELECT v FROM secret_t\n```"}
		}
		return reply{text: "```sql\nSELECT v FROM open_t\n```"}
	})
	r := start(t, func(c *Config) { model.configure(c); c.Cache.Enabled = false })
	superuser := func(format string, args ...any) {
		t.Helper()
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, database), fmt.Sprintf(format, args...))
		pgtest.CatchUp(t)
	}
	ask1 := func(conn *pgx.Conn, table string) string {
		results, err := conn.PgConn().Exec(testContext(t), "/* ask(fresh): the words of "+table+" */").ReadAll()
		if err != nil {
			return ask.CodeOf(err) + err.Error()
		}
		return string(results[0].Rows[0][0])
	}
	for i, tt := range []struct{ name, set, change string }{
		{"renamed", "", "alter role %[1]s rename to %[1]s_old; create role %[1]s login"},
		{"dropped", "", "drop role %[1]s; create role %[1]s login"},
		{"set", "set role %[1]s", "alter role %[1]s rename to %[1]s_old; create role %[1]s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			role, login := fmt.Sprintf("made_anew_%d", i), fmt.Sprintf("made_anew_%d", i)
			superuser("create role %[1]s login; grant %[1]s to %[2]s", role, shop.Service)
			if tt.set != "" {
				login = "made_anew_login"
				superuser("create role %[1]s login; grant %[2]s to %[1]s; grant %[1]s to %[3]s", login, role, shop.Service)
			}
			t.Cleanup(func() {
				superuser("drop owned by %[1]s; drop role %[1]s; drop role if exists %[1]s_old; drop role if exists made_anew_login", role)
			})
			conn := connect(t, strings.Replace(r.URL(login), "/shop", "/"+database, 1))
			if tt.set != "" {
				if _, err := conn.Exec(testContext(t), fmt.Sprintf(tt.set, role)); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				if got := ask1(conn, "open_t"); got != "OPEN" {
					t.Fatal(got)
				}
			}
			superuser(tt.change+"; grant %[1]s to %[2]s; grant select on secret_t to %[1]s", role, shop.Service)
			for range 3 {
				if got := ask1(conn, "secret_t"); got == "SECRET" || !strings.Contains(got, "42501") && !strings.Contains(got, "role") {
					t.Fatalf("the old session asks and gets %s", got)
				}
			}
			if tt.set == "" {
				now := connect(t, strings.Replace(r.URL(login), "/shop", "/"+database, 1))
				eventually(t, "the role that has the name now is answered", func() bool { return ask1(now, "secret_t") == "SECRET" })
			}
		})
	}
}
