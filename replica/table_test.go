package replica_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// drastic matches statements that would harm the test cluster if a superuser
// ran them, so that the standby alone is not tried on them.
var drastic = regexp.MustCompile(`(?i)pg_promote|pg_reload_conf|pg_rotate|pg_terminate|pg_cancel|program|pg_file_|pg_wal_replay|pg_log_backend|checkpoint|` +
	`lo_export|pg_stop_making|binary_upgrade|load |alter system|copy .*'|pg_logdir|pg_backup|drop database|create database`)

const (
	tableBegin = "<!-- walls: kept by TestWalls, ASKPG_UPDATE=1 writes it -->"
	tableEnd   = "<!-- end of walls -->"
	docs       = "../docs/security.md"
)

// TestWalls counts which wall stops which statement of the corpus when it
// stands alone: the guard; the role on a writable primary, without guard or
// read-only transaction; the standby, asked by a superuser. The table is in
// the documentation; without ASKPG_UPDATE only the guard is tried.
func TestWalls(t *testing.T) {
	db := pgtest.NewDatabase(t, script+hostileScript)
	c := pgtest.Shared(t)
	pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "insert into log values ('a'), ('b')")
	pgtest.CatchUp(t)
	cfg := config(t, c.Standby)
	snap := begin(t, start(t, cfg), session(db, "analyst"))
	conns := map[string]*pgx.Conn{}
	defer func() {
		for _, conn := range conns {
			_ = conn.Close(context.Background())
		}
	}()
	alone := func(server *pgtest.Server, login, role, sql string) bool {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		conn := conns[login]
		if conn != nil && !conn.IsClosed() {
			_, _ = conn.Exec(ctx, "rollback")
			_, _ = conn.Exec(ctx, "discard all")
		}
		if conn == nil || conn.IsClosed() {
			var err error
			if conn, err = pgx.Connect(ctx, server.URL(login, db)); err != nil {
				t.Fatal(err)
			}
			conns[login] = conn
		}
		if _, err := conn.PgConn().Exec(ctx, "set statement_timeout = '300ms'; set role "+role).ReadAll(); err != nil {
			t.Fatal(err)
		}
		sql = strings.ReplaceAll(sql, "dbname=postgres", c.Primary.ConnString(pgtest.Superuser, db))
		_, err := conn.PgConn().ExecParams(ctx, sql, nil, nil, nil, nil).Close()
		return err != nil && code(err) != "57014" // the timeout is another wall
	}
	update := os.Getenv("ASKPG_UPDATE") != ""
	type count struct{ all, guard, role, standby, tried int }
	counts := map[string]*count{}
	var order []string
	for _, h := range hostiles(t) {
		if h.class == "bomb" {
			continue
		}
		n := counts[h.class]
		if n == nil {
			n = &count{}
			counts[h.class] = n
			order = append(order, h.class)
		}
		n.all++
		if _, err := snap.Check(deadline(t), h.sql); ask.CodeOf(err) != "" {
			n.guard++
		}
		if !update {
			continue
		}
		if alone(c.Primary, "askpg", "analyst", h.sql) {
			n.role++
		}
		if !drastic.MatchString(h.sql) {
			n.tried++
			if alone(c.Standby, pgtest.Superuser, "none", h.sql) {
				n.standby++
			}
		}
	}
	var b strings.Builder
	fmt.Fprintln(&b, "| class | statements | guard alone | role alone, writable server | standby alone, superuser (stopped of tried) |\n| --- | --- | --- | --- | --- |")
	var sum count
	for _, class := range order {
		n := counts[class]
		if n.guard != n.all {
			t.Errorf("%s: the guard stopped %d of %d", class, n.guard, n.all)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d of %d |\n", class, n.all, n.guard, n.role, n.standby, n.tried)
		sum.all, sum.guard, sum.role, sum.standby, sum.tried = sum.all+n.all, sum.guard+n.guard, sum.role+n.role, sum.standby+n.standby, sum.tried+n.tried
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d of %d |\n", sum.all, sum.guard, sum.role, sum.standby, sum.tried)

	text, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), tableBegin+"\n")
	table, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no table between its markers", docs)
	}
	if update {
		if err := os.WriteFile(docs, []byte(before+tableBegin+"\n"+b.String()+tableEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for line := range strings.SplitSeq(strings.TrimSpace(b.String()), "\n") {
		head := strings.Join(strings.SplitN(line, "|", 5)[:4], "|")
		if !strings.Contains(table, head) {
			t.Errorf("%s does not have %q", docs, head)
		}
	}
}
