package replica_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

func TestRun_Caps(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.CandidateRows, cfg.CandidateBytes = 100, 10_000
	snap := begin(t, start(t, cfg), session(db, "analyst"))
	for _, tt := range []struct {
		sql      string
		rows     int
		complete bool
	}{
		{"select id from customers", 100, true},
		{"select id from orders", 100, false},
		{"select repeat('x', 3000) from generate_series(1, 3)", 3, true},
		{"select repeat('x', 3000) from generate_series(1, 1000000)", 3, false},
		{"select repeat('x', 30000)", 0, false},
	} {
		res, err := snap.Run(deadline(t), tt.sql)
		if err != nil || len(res.Rows) != tt.rows || res.Complete != tt.complete || len(res.Columns) != 1 {
			t.Errorf("%s: %d rows, complete %v, %v; want %d, %v", tt.sql, len(res.Rows), res.Complete, err, tt.rows, tt.complete)
		}
	}
}

func TestOpen_Bytes(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.MaxBytes = 100_000
	rows, err := start(t, cfg).Open(deadline(t), session(db, "analyst"), "select repeat('x', 1000) from generate_series(1, 100000)", nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rows.Next() {
		n++
	}
	if n != 100 || rows.Err() != nil || len(rows.Notices()) != 1 || !strings.Contains(rows.Notices()[0], "max_bytes") {
		t.Fatalf("%d rows, %v, %q", n, rows.Err(), rows.Notices())
	}
}

// TestLimits has more questions and statements than places: the rest wait, and
// are told when they have waited for too long.
func TestLimits(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	const slow = "with recursive x as (select 1 as n union all select n + 1 from x) select 'slow one', count(*) from x"
	for _, tt := range []struct {
		name string
		edit func(*replica.Config)
		want string
	}{
		{"per role", func(c *replica.Config) { c.PerRole = 1 }, "replica.per_role"},
		{"per instance", func(c *replica.Config) { c.PerInstance = 1 }, "replica.per_instance"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config(t, pgtest.Shared(t).Standby)
			cfg.QueueTimeout = ask.Duration(20 * time.Millisecond)
			tt.edit(&cfg)
			r := start(t, cfg)
			first, second := begin(t, r, session(db, "analyst")), begin(t, r, session(db, "analyst"))
			done := make(chan error)
			go func() {
				_, err := first.Run(deadline(t), slow)
				done <- err
			}()
			running(t, pgtest.Shared(t).Standby, "slow one")
			_, err := second.Run(deadline(t), "select 1")
			if e := ask.AsError(err); e == nil || e.Code != "53300" || !strings.Contains(e.Hint, tt.want) {
				t.Errorf("got %v", err)
			}
			first.Close()
			<-done
			if _, err := second.Run(deadline(t), "select 1"); err != nil {
				t.Errorf("after the first has ended: %v", err)
			}
		})
	}
	t.Run("questions", func(t *testing.T) {
		cfg := config(t, pgtest.Shared(t).Standby)
		cfg.QueueTimeout, cfg.Questions = ask.Duration(20*time.Millisecond), 1
		r := start(t, cfg)
		snap := begin(t, r, session(db, "analyst"))
		if _, err := r.Begin(deadline(t), session(db, "analyst")); ask.CodeOf(err) != "53300" {
			t.Fatalf("got %v", err)
		}
		snap.Close()
		snap.Close() // twice is once
		begin(t, r, session(db, "analyst"))
	})
	t.Run("questions of a role", func(t *testing.T) { // half of them, unless it is set
		cfg := config(t, pgtest.Shared(t).Standby)
		cfg.QueueTimeout, cfg.Questions = ask.Duration(20*time.Millisecond), 4
		r := start(t, cfg)
		begin(t, r, session(db, "analyst"))
		begin(t, r, session(db, "analyst"))
		_, err := r.Begin(deadline(t), session(db, "analyst"))
		if e := ask.AsError(err); e == nil || e.Code != "53300" || !strings.Contains(e.Hint, "replica.questions_per_role") {
			t.Errorf("got %v", err)
		}
		begin(t, r, session(db, "support"))
	})
	t.Run("per question", func(t *testing.T) {
		cfg := config(t, pgtest.Shared(t).Standby)
		cfg.PerQuestion = 2
		snap := begin(t, start(t, cfg), session(db, "analyst"))
		done := make(chan error, 20)
		for i := range 20 {
			go func() {
				res, err := snap.Run(deadline(t), fmt.Sprintf("select %d from pg_class limit 1", i))
				if err == nil && show(res.Rows) != fmt.Sprint(i) {
					err = fmt.Errorf("%d got %s", i, show(res.Rows))
				}
				done <- err
			}()
		}
		for range 20 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// TestQuestion counts what is done under a question's context, by candidates
// and by askpg itself, and what is done under another not.
func TestQuestion(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.QuestionStatements, cfg.QuestionRows = 5, 1050
	r := start(t, cfg)
	ctx := r.Question(deadline(t))
	if r.Question(ctx) != ctx {
		t.Error("a question's context was made another's")
	}
	snap, err := r.Begin(ctx, session(db, "analyst"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	if _, err := snap.Check(ctx, "select 1"); err != nil { // 1
		t.Fatal(err)
	}
	if res, err := snap.Run(ctx, "select id from orders"); err != nil || len(res.Rows) != 1000 || !res.Complete { // 2
		t.Fatal(err)
	}
	if res, err := snap.Run(ctx, "select id from orders"); err != nil || len(res.Rows) != 50 || res.Complete { // 3
		t.Fatalf("%d rows, %v: 50 were left", len(res.Rows), err)
	}
	var errs []error
	err = r.As(ctx, db, "analyst", func(tx pgx.Tx) error {
		sub, err := tx.Begin(ctx)
		if err != nil {
			return err
		}
		for _, sql := range []string{"select 4", "select 5", "select 6"} {
			rows, err := sub.Query(ctx, sql)
			if err == nil {
				rows.Close()
			}
			errs = append(errs, err)
		}
		return nil
	})
	if err != nil || errs[0] != nil || errs[1] != nil || ask.CodeOf(errs[2]) != ask.CodeLimitExceeded {
		t.Errorf("look-ups: %v, %v", errs, err)
	}
	_, err = snap.Run(deadline(t), "select 1")
	if e := ask.AsError(err); e == nil || e.Code != ask.CodeLimitExceeded || !strings.Contains(e.Hint, "replica.question_statements") {
		t.Errorf("got %v", err)
	}
	for range 6 {
		if _, err := begin(t, r, session(db, "analyst")).Run(deadline(t), "select 1"); err != nil {
			t.Errorf("outside of the question: %v", err)
		}
	}
}

// TestLimits_OfTheServer has the server say which limits a statement runs under.
func TestLimits_OfTheServer(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	admin, err := pgx.Connect(deadline(t), pgtest.Shared(t).Primary.URL(pgtest.Superuser, db))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(deadline(t))
	var version int
	if err := admin.QueryRow(deadline(t), "select current_setting('server_version_num')::int").Scan(&version); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"statement_timeout": "7s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "13s", // question_timeout and a moment
		"work_mem": "3MB", "max_parallel_workers_per_gather": "1", "default_transaction_read_only": "on",
	}
	if version >= 130000 {
		want["hash_mem_multiplier"] = "1"
	}
	if version >= 170000 {
		want["transaction_timeout"] = "13s"
	}
	if version >= 150000 { // the login may be given it
		if _, err := admin.Exec(deadline(t), "grant set on parameter temp_file_limit to askpg"); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := admin.Exec(deadline(t), "revoke set on parameter temp_file_limit from askpg"); err != nil {
				t.Error(err)
			}
		}()
		pgtest.CatchUp(t)
		want["temp_file_limit"] = "77MB"
	}
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.StatementTimeout, cfg.QuestionTimeout = ask.Duration(7*time.Second), ask.Duration(11*time.Second)
	cfg.WorkMem, cfg.TempFileLimit, cfg.ParallelWorkers = 3<<20, 77<<20, 1
	snap := begin(t, start(t, cfg), session(db, "analyst"))
	for name, value := range want {
		res, err := snap.RunUnguarded(deadline(t), "", "select current_setting('"+name+"')")
		if err != nil {
			t.Fatal(err)
		}
		if got := show(res.Rows); got != value {
			t.Errorf("%s is %s, want %s", name, got, value)
		}
	}
}

// TestQuestion_Bytes has a question's candidates keep no more than its bytes in all.
func TestQuestion_Bytes(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.QuestionBytes = 100_000
	r := start(t, cfg)
	ctx := r.Question(deadline(t))
	snap, err := r.Begin(ctx, session(db, "analyst"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	// A row counts with what keeping it takes beside its bytes.
	for _, want := range []struct {
		least, most int
		complete    bool
	}{{60, 60, true}, {30, 40, false}, {0, 0, false}} {
		res, err := snap.Run(ctx, "select repeat('x', 1000) from generate_series(1, 60)")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(res.Rows); n < want.least || n > want.most || res.Complete != want.complete {
			t.Errorf("%d rows, complete %v; want %d to %d, %v", n, res.Complete, want.least, want.most, want.complete)
		}
	}
}

// TestQuestion_Work has statements side by side share the question's time: none
// gets what another holds, and what one gives back another gets.
func TestQuestion_Work(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.StatementTimeout, cfg.QuestionWork = ask.Duration(400*time.Millisecond), ask.Duration(time.Second)
	r := start(t, cfg)
	ctx := r.Question(deadline(t))
	snap, err := r.Begin(ctx, session(db, "analyst"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	done := make(chan error, 12)
	for i := range cap(done) {
		go func() {
			_, err := snap.Run(ctx, fmt.Sprintf("with recursive x as (select 1 as n union all select n + 1 from x) select %d, count(*) from x", i))
			done <- err
		}()
	}
	codes := map[string]int{}
	for range cap(done) {
		codes[ask.CodeOf(<-done)]++
	}
	// Two get 400 ms, one the rest, and it may be that a little is left for another.
	if codes[ask.CodeQueryCanceled] < 3 || codes[ask.CodeQueryCanceled] > 6 || codes[ask.CodeQueryCanceled]+codes[ask.CodeLimitExceeded] != cap(done) {
		t.Errorf("got %v", codes)
	}
}

func TestConfig_Validate(t *testing.T) {
	for _, tt := range []struct {
		edit func(*replica.Config)
		want string
	}{
		{func(c *replica.Config) { c.URL = "" }, "replica.url"},
		{func(c *replica.Config) { c.URL = "postgres://x:y:z" }, "replica.url"},
		{func(c *replica.Config) { c.URL = "mysql://root:secret@db/x?sslmode=disable" }, `replica.url begins with "mysql://"`},
		{func(c *replica.Config) { c.MaxLag = 0 }, "replica.max_lag"},
		{func(c *replica.Config) { c.StatementTimeout = -1 }, "replica.statement_timeout"},
		{func(c *replica.Config) { c.CandidateRows = 0 }, "replica.candidate_rows"},
		{func(c *replica.Config) { c.WorkMem = 1 }, "replica.work_mem"},
		{func(c *replica.Config) { c.PerRole = 0 }, "replica.per_role"},
		{func(c *replica.Config) { c.QuestionStatements = 0 }, "replica.question_statements"},
		{func(c *replica.Config) { c.QuestionWork = 0 }, "replica.question_work"},
		{func(c *replica.Config) { c.AllowFunctions = []string{"f"} }, "replica.allow_functions"},
		{func(c *replica.Config) { c.MaxCost = -1 }, "max_cost"},
	} {
		c := replica.DefaultConfig()
		c.URL = "postgres://askpg@localhost/"
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		tt.edit(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

func TestSearchPath(t *testing.T) {
	for _, tt := range []struct{ path, asker, role, want string }{
		{`"$user", public`, "a", "a", `"$user", "public"`},
		{`"$user", public`, "Root", "askpg", `"Root", "public"`},
		{`PUBLIC,  Sales`, "a", "a", `"public", "sales"`},
		{`"a,b", "c""d"`, "a", "a", `"a,b", "c""d"`},
		{`pg_temp, pg_catalog, public`, "a", "a", `"public"`},
		{`"pg_temp_3", public`, "a", "a", `"public"`},
		{``, "a", "a", "pg_catalog"},
		{`"unclosed`, "a", "a", `"unclosed"`},
	} {
		if got := replica.JoinPath(replica.SearchPath(tt.path, tt.asker, tt.role)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.path, got, tt.want)
		}
	}
}
