package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
)

// TestRows_ThroughEveryWall has rows of SQL shown as the role that asked: what the role may not read, what the guard refuses and
// what the limits do not let through is not shown, and the role is judged anew.
func TestRows_ThroughEveryWall(t *testing.T) {
	shopDatabase(t)
	c := pgtest.Shared(t)
	database := pgtest.NewDatabase(t, `create table lamps (id int, owner text); insert into lamps values (1, 'rows_ann'), (2, 'rows_bob');
alter table lamps enable row level security; create policy own on lamps using (owner = current_user);
create table safes as select 'SECRET' as v`)
	superuser := func(format string, args ...any) {
		t.Helper()
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, database), fmt.Sprintf(format, args...))
		pgtest.CatchUp(t)
	}
	const ann, group = "rows_ann", "rows_group"
	make := fmt.Sprintf("create role %s login; grant select on lamps to %[1]s; grant %[1]s to %s", ann, shop.Service)
	superuser(make+"; create role %[1]s; grant %[1]s to %[2]s; grant %[1]s to %[3]s; grant select on lamps to %[1]s", group, ann, shop.Service)
	t.Cleanup(func() { superuser("drop owned by %s, %s; drop role %[1]s; drop role %[2]s", ann, group) })
	r := start(t, func(c *Config) {
		c.Admin.ReviewerToken, c.Admin.ShowRows = reviewerToken, 3
		c.Store.KeepRows = 0
	})
	conn := connect(t, strings.Replace(r.URL(ann), "/shop", "/"+database, 1))
	idOf := func(question string) string {
		t.Helper()
		if got, err := asked(testContext(t), conn, "-- ask: "+question); err != nil {
			t.Fatal(got, err)
		}
		page, err := r.store.List(testContext(t), store.Filter{})
		if err != nil || len(page.Records) == 0 {
			t.Fatal(page, err)
		}
		return page.Records[0].ID
	}
	id := idOf("how many lamps are there")
	if _, err := conn.Exec(testContext(t), "set role "+group); err != nil {
		t.Fatal(err)
	}
	grouped := idOf("number of lamps")
	run := func(id, sql string) (int, string) {
		t.Helper()
		form := url.Values{"do": {"run"}, "sql": {sql}}
		req, err := http.NewRequestWithContext(testContext(t), http.MethodPost, "http://"+r.admin.Addr().String()+"/translations/"+id, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Authorization", "Bearer "+reviewerToken)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	shown := func(id, sql string, want ...string) {
		t.Helper()
		code, text := run(id, sql)
		for _, w := range want {
			if code != http.StatusOK || !strings.Contains(text, w) {
				t.Fatalf("%s: %d, lacks %q\n%s", sql, code, w, text)
			}
		}
	}
	refused := func(id, sql, why string) {
		t.Helper()
		if code, text := run(id, sql); code != http.StatusUnprocessableEntity || !strings.Contains(text, "The rows are not shown: ") || !strings.Contains(text, why) || strings.Contains(text, "rows-seen") {
			t.Errorf("%s: %d, want %q\n%s", sql, code, why, text)
		}
	}
	shown(id, "select owner || '!' as whose from lamps", "rows_ann!", "whose", `class="card seen"`)
	if _, text := run(id, "select owner || '!' from lamps"); strings.Contains(text, "rows_bob!") {
		t.Error("row security of the asker does not count")
	}
	shown(id, "select n from generate_series(1, 8) n", "3 of 8 rows.")
	shown(id, "select current_user::text || '.' as me", "rows_ann.")
	shown(grouped, "select current_user::text || '.' as me", "rows_group.")
	refused(id, "select v from safes", "42501")
	refused(id, "delete from lamps", "ASK05")
	refused(id, "select 1; select 2", "ASK05")
	refused(id, "select pg_sleep(9)", "ASK05")
	refused(id, "select set_config('role', 'postgres', false)", "ASK05")
	refused(id, "select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b, generate_series(1, 100000) c", "54000")

	cfg := *r.config()
	cfg.Listen.DenyQuestions = []string{ann}
	if _, _, err := r.reload(cfg); err != nil {
		t.Fatal(err)
	}
	refused(id, "select 1", "may not ask questions")
	refused(grouped, "select 1", "may not ask questions")
	cfg.Listen.DenyQuestions = nil
	if _, _, err := r.reload(cfg); err != nil {
		t.Fatal(err)
	}
	superuser("revoke %s from %s", group, ann)
	refused(grouped, "select 1", "may not ask as role")
	_ = conn.Close(testContext(t))
	superuser("drop owned by %s; drop role %[1]s", ann)
	refused(id, "select 1", "42501")
	superuser(make+"; grant select on safes to %s", ann)
	refused(id, "select v from safes", "42501")
	refused(grouped, "select 1", "may not ask as role")
	superuser("grant %s to %s", group, ann)
	shown(grouped, "select current_user::text || '.' as me", "rows_group.") // the same role still

	// An entry that does not say which role it was is not run.
	e := store.Entry{Question: ask.Question{ID: ask.NewID(), Text: "how many", Asked: time.Now(), Session: ask.Session{Database: database, Role: ann, SessionUser: ann}}}
	if err := r.store.Append(testContext(t), e); err != nil {
		t.Fatal(err)
	}
	refused(e.Question.ID, "select 1", "the log does not say which role")
	remarks, err := r.store.Remarks(testContext(t), id)
	if err != nil || len(remarks) < 12 {
		t.Errorf("%d remarks, %v", len(remarks), err)
	}
	for _, remark := range remarks {
		if remark.Kind != "see rows" || remark.By != "token" || remark.SQL == "" {
			t.Errorf("%+v", remark)
		}
	}
}
