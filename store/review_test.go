package store_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// executor stands for the replica: what it is asked for and what it says.
type executor struct {
	ran  []string
	rows []bool
	err  error
}

func (e *executor) execute(_ context.Context, _ ask.Session, sql string, rows bool) (ask.Plan, *ask.Result, ask.Replica, error) {
	e.ran, e.rows = append(e.ran, sql), append(e.rows, rows)
	if e.err != nil {
		return ask.Plan{}, nil, ask.Replica{}, e.err
	}
	res := &ask.Result{Columns: []ask.Column{{Name: "n", TypeOID: 20}}, Rows: [][][]byte{{[]byte("1")}}, Complete: true}
	if !rows {
		res = nil
	}
	return ask.Plan{Cost: 1, Text: "Aggregate"}, res, ask.Replica{Name: "r1"}, nil
}

func TestStore_Review(t *testing.T) { both(t, testReview) }

func testReview(t *testing.T, cfg store.Config) {
	s := open(t, cfg)
	ctx := context.Background()
	calls := 0
	next := ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
		calls++
		return translated(q.ID), nil
	})
	exec := &executor{}
	tr := store.VerifiedFirst(next, s, exec.execute, unhelped, sameTables)
	translate := func(q ask.Question) *ask.Translation {
		t.Helper()
		got, err := tr.Translate(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}

	asked := func(text string) ask.Question { return alone(text).Question }
	id := add(t, s, alone("How many orders?"))
	if got := translate(asked("how many orders")); got.Source != ask.SourceModel || calls != 1 {
		t.Fatal("something was learned without a reviewer's word")
	}
	e, err := s.Approve(ctx, id, nil, store.Reviewer{Name: "rita"}, "fine")
	if err != nil || e.SQL != "select count(*) from orders" || e.Reviewer != "rita" {
		t.Fatal(e, err)
	}
	q := asked("how many  ORDERS")
	if got := translate(q); got.Source == ask.SourceExample {
		t.Fatal("ORDERS is not orders")
	}
	q = asked("how many  Orders")
	got := translate(q)
	if got.Source != ask.SourceExample || got.SQL != e.SQL || got.ID != q.ID || got.Usage.Calls != 0 || got.Result == nil || len(got.Columns) != 1 || calls != 2 {
		t.Fatalf("%+v", got)
	}
	if len(got.Notices) != 1 || !strings.Contains(got.Notices[0], "rita") {
		t.Fatalf("the asker is not told: %q", got.Notices)
	}
	for name, change := range map[string]func(*ask.Question){
		"another database": func(q *ask.Question) { q.Session.Database = "other" },
		"another hint":     func(q *ask.Question) { q.Hint = "all" },
		"a follow-up":      func(q *ask.Question) { q.History = []ask.Turn{{Question: "x", SQL: "y"}} },
		"fresh":            func(q *ask.Question) { q.Fresh = true },
	} {
		q := asked("how many orders")
		q.History = nil
		change(&q)
		if got := translate(q); got.Source == ask.SourceExample {
			t.Errorf("%s is answered by the example", name)
		}
	}
	q = asked("how many orders")
	q.Action = ask.ActionSQL
	if got := translate(q); got.Source != ask.SourceExample || exec.rows[len(exec.rows)-1] {
		t.Fatal("ask(sql) ran the example")
	}

	// A correction replaces it; a rejection takes it away.
	c, err := s.Correct(ctx, id, " select sum(1) from orders; ", nil, store.Reviewer{Name: "rob"}, "better")
	if err != nil || c.SQL != "select sum(1) from orders" {
		t.Fatal(c, err)
	}
	if got := translate(asked("how many orders")); got.SQL != "select sum(1) from orders" {
		t.Fatalf("%q still answers", got.SQL)
	}
	if err := s.Reject(ctx, id, store.Reviewer{Name: "rita"}, "wrong table"); err != nil {
		t.Fatal(err)
	}
	if got := translate(asked("how many orders")); got.Source == ask.SourceExample {
		t.Fatal("a rejected example answers")
	}
	if r := get(t, s, id); r.Review != store.Rejected {
		t.Fatal(r.Review)
	}
	words, err := s.Remarks(ctx, id)
	if err != nil || len(words) != 3 || words[1].Kind != "correct" || words[1].SQL != "select sum(1) from orders" || words[2].By != "rita" || words[2].Reason != "wrong table" {
		t.Fatal(words, err)
	}
	if all, err := s.Examples(ctx, "shop", store.Retired); err != nil || len(all) != 2 {
		t.Fatalf("history of the example: %+v, %v", all, err)
	}
}

// alone is entry without the history that makes its question a follow-up.
func alone(text string) store.Entry {
	e := entry(text)
	e.Question.History = nil
	return e
}

func TestStore_ReviewErrors(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		ctx := context.Background()
		if _, err := s.Approve(ctx, ask.NewID(), nil, store.Reviewer{Name: "r"}, ""); !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
		failed := store.Entry{Question: asked("failed"), Err: ask.Errorf(ask.CodeNoCandidate, "none")}
		id := add(t, s, failed)
		if _, err := s.Approve(ctx, id, nil, store.Reviewer{Name: "r"}, ""); !errors.Is(err, store.ErrNothingToApprove) {
			t.Fatal(err)
		}
		if _, err := s.Correct(ctx, id, " ; ", nil, store.Reviewer{Name: "r"}, ""); err == nil {
			t.Fatal("an empty correction is accepted")
		}
		if err := s.Feedback(ctx, ask.NewID(), true, "ann", ""); !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
	})
}

func TestStore_FollowUpTeachesNothing(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		e := entry("and by month?")
		e.Question.History = []ask.Turn{{Question: "orders", SQL: "select 1"}}
		id := add(t, s, e)
		if ex, err := s.Approve(context.Background(), id, nil, store.Reviewer{Name: "r"}, ""); err != nil || ex != nil {
			t.Fatal(ex, err)
		}
		if r := get(t, s, id); r.Review != store.Approved {
			t.Fatal(r.Review)
		}
	})
}

func sameTables(context.Context, *store.Example, *ask.Session) bool { return true }

// unhelped reads the words of a question that need no help.
func unhelped(*ask.Question) *param.Reader { return &param.Reader{} }

func TestVerifiedFirst_Doubt(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		next := ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) { return translated(q.ID), nil })
		exec := &executor{}
		tr := store.VerifiedFirst(next, s, exec.execute, unhelped, sameTables)
		id := add(t, s, alone("how many orders"))
		if _, err := s.Approve(ctx, id, nil, store.Reviewer{Name: "r"}, ""); err != nil {
			t.Fatal(err)
		}
		standing := func() store.Status {
			t.Helper()
			list, err := s.Examples(ctx, "shop", "")
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			return list[0].Status
		}
		for _, c := range []struct {
			err        error
			role, path string
			want       store.Status
		}{
			{ask.Errorf("42501", "permission denied for table orders"), "", "public", store.Verified},
			{ask.Errorf("08006", "replica is down"), "", "public", store.Verified},
			{ask.Errorf("42P01", "relation orders does not exist"), "", "elsewhere", store.Verified},
			{ask.Errorf("42P01", "relation orders does not exist"), "who may not use its schema", "public", store.Verified},
			{ask.Errorf("42P01", "relation orders does not exist"), "", "public", store.Stale},
		} {
			exec.err = c.err
			q := alone("how many orders").Question
			q.Session.Settings["search_path"] = c.path
			if c.role != "" {
				q.Session.Role = c.role
			}
			got, err := tr.Translate(ctx, q)
			if err != nil || got.Source != ask.SourceModel {
				t.Fatalf("%v: the asker gets %v, %v", c.err, got, err)
			}
			if standing() != c.want {
				t.Fatalf("after %v the example is %s", c.err, standing())
			}
		}
		exec.err = nil
		if got, err := tr.Translate(ctx, alone("how many orders").Question); err != nil || got.Source == ask.SourceExample {
			t.Fatal("a stale example answers", err)
		}
	})
}

func TestStore_Feedback(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		ctx := context.Background()
		calm, angry := add(t, s, entry("calm")), add(t, s, entry("angry"))
		if err := s.Feedback(ctx, angry, false, "ann", "wrong year"); err != nil {
			t.Fatal(err)
		}
		if err := s.Feedback(ctx, calm, true, "ann", ""); err != nil {
			t.Fatal(err)
		}
		if got := questions(list(t, s, store.Filter{Order: store.PriorityFirst})); got != "[angry calm]" {
			t.Fatal(got)
		}
		if got := questions(list(t, s, store.Filter{Feedback: "bad"})); got != "[angry]" {
			t.Fatal(got)
		}
		words, err := s.Remarks(ctx, angry)
		if err != nil || len(words) != 1 || words[0].Reason != "wrong year" || words[0].Kind != "bad" {
			t.Fatal(words, err)
		}
		if ex, err := s.ExampleOf(ctx, "shop", "analyst", "calm", "paid ones"); err != nil || ex != nil {
			t.Fatal("good words alone taught something", err)
		}
	})
}

func TestStore_Recall(t *testing.T) {
	for name, withdraw := range map[string]func(ctx context.Context, s *store.Store, id string) error{
		"rejected": func(ctx context.Context, s *store.Store, id string) error {
			return s.Reject(ctx, id, store.Reviewer{Name: "r"}, "")
		},
		"corrected": func(ctx context.Context, s *store.Store, id string) error {
			_, err := s.Correct(ctx, id, "select 'right'", nil, store.Reviewer{Name: "r"}, "")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { recall(t, withdraw) })
	}
}

func recall(t *testing.T, withdraw func(ctx context.Context, s *store.Store, id string) error) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		ctx := context.Background()
		e := entry("q")
		e.Translation.Key = "k"
		id := add(t, s, e)
		copied := entry("q")
		copied.Translation.Key, copied.Translation.Source, copied.Translation.SQL = "k", ask.SourceCache, "copy"
		add(t, s, copied)
		standIn := entry("q")
		standIn.Translation.Key, standIn.Translation.Fallback, standIn.Translation.SQL = "k", true, "stand-in"
		add(t, s, standIn)
		got, err := s.Recall(ctx, "k")
		if err != nil || got == nil || got.ID != id || len(got.Candidates) != 3 || got.Columns[0].TypeOID != 20 || got.Candidates[0].Err.Code != "42P01" || got.Usage.Calls != 0 {
			t.Fatal(got, err)
		}
		for _, key := range []string{"", "other"} {
			if got, err := s.Recall(ctx, key); got != nil || err != nil {
				t.Fatal(got, err)
			}
		}
		if s.Withdrawn("k", got.SQL) {
			t.Fatal("a rejected answer is told by its key and its SQL")
		}
		if err := withdraw(ctx, s, id); err != nil {
			t.Fatal(err)
		}
		if !s.Withdrawn("k", got.SQL) {
			t.Fatal("a rejected answer is told by its key and its SQL")
		}
		if got, err := s.Recall(ctx, "k"); got != nil || err != nil {
			t.Fatal(got, err)
		}
	})
}

func TestBudgeted(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		cfg.Budget = store.Budget{Limits: store.Limits{RoleCalls: 5, Cost: 0.05}}
		s, other := open(t, cfg), (*store.Store)(nil)
		cfg.Spill = ""
		other = open(t, cfg) // another instance with the same store
		next := ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
			if q.Text == "fails" {
				return nil, ask.WithTranslation(ask.Errorf(ask.CodeNoCandidate, "none"), translated(q.ID))
			}
			return translated(q.ID), nil
		})
		ctx := context.Background()
		ask1 := func(st *store.Store, role, text string) error {
			q := asked(text)
			q.Session.Role = role
			_, err := store.Budgeted(next, st).Translate(ctx, q)
			return err
		}
		if err := ask1(s, "a", "ok"); err != nil { // 3 calls
			t.Fatal(err)
		}
		if err := ask1(other, "a", "fails"); ask.CodeOf(err) != ask.CodeNoCandidate { // 6 calls
			t.Fatal(err)
		}
		err := ask1(s, "a", "ok")
		e := ask.AsError(err)
		if e == nil || e.Code != ask.CodeBudget || !strings.Contains(e.Detail, `role "a"`) || !strings.Contains(e.Detail, "6 of 5") || !strings.Contains(e.Detail, "renews") {
			t.Fatal(err)
		}
		for range 3 {
			if err = ask1(other, "b"+ask.NewID(), "ok"); err != nil {
				t.Fatal(err)
			}
		}
		if e := ask.AsError(ask1(s, "c", "ok")); e == nil || !strings.Contains(e.Detail, "all roles") {
			t.Fatal(e)
		}
	})
}

func TestStore_Export(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		cfg.KeepRows = 5
		s := open(t, cfg)
		ctx := context.Background()
		formula := entry("=HYPERLINK(\"http://x\")")
		add(t, s, formula)
		second := add(t, s, entry("line\nbreak, \"quotes\""))
		var b bytes.Buffer
		if err := s.Export(ctx, &b, store.JSONL, store.Filter{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		var r store.Record
		if err := json.Unmarshal([]byte(lines[0]), &r); err != nil || len(lines) != 2 || r.ID != second || len(r.Candidates) != 3 || r.KeptRows != nil {
			t.Fatalf("%v %d %+v", err, len(lines), r)
		}
		b.Reset()
		if err := s.Export(ctx, &b, store.CSV, store.Filter{}); err != nil {
			t.Fatal(err)
		}
		table, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(table) != 3 || table[1][8] != "line\nbreak, \"quotes\"" || table[2][8] != "'=HYPERLINK(\"http://x\")" {
			t.Fatal(table, err)
		}
		if err := s.Export(ctx, &b, "xml", store.Filter{}); err == nil {
			t.Fatal("an unknown format is written")
		}
	})
}

func TestStore_ExamplesFile(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		for _, text := range []string{"b", "a"} {
			if _, err := s.Approve(ctx, add(t, s, alone(text)), nil, store.Reviewer{Name: "r"}, ""); err != nil {
				t.Fatal(err)
			}
		}
		var file bytes.Buffer
		if err := s.ExportExamples(ctx, &file, "shop"); err != nil {
			t.Fatal(err)
		}
		text := file.String()
		if strings.Index(text, `"question":"a"`) > strings.Index(text, `"question":"b"`) {
			t.Fatal("the file is not sorted")
		}
		other := open(t, sqliteConfig(t))
		for _, want := range []int{2, 0} {
			if n, err := other.ImportExamples(ctx, strings.NewReader(text), store.Import{}); n.Added != want || err != nil {
				t.Fatalf("%d taken, want %d: %v", n, want, err)
			}
		}
		if e, err := other.ExampleOf(ctx, "shop", "analyst", "A?", "paid ones"); err != nil || e == nil || e.Reviewer != "r" || e.Settings["search_path"] != "public" {
			t.Fatal(e, err)
		}
		for _, bad := range []string{"{", `{"question":"x","sql":"y"}`} {
			if _, err := other.ImportExamples(ctx, strings.NewReader(bad), store.Import{}); err == nil || !strings.Contains(err.Error(), "line 1") {
				t.Errorf("%s: %v", bad, err)
			}
		}
	})
}

func TestStore_Prune(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		cfg.Retention = 0
		s := open(t, cfg)
		old := alone("old")
		old.Question.Asked = time.Now().Add(-48 * time.Hour)
		id := add(t, s, old)
		if _, err := s.Approve(ctx, id, nil, store.Reviewer{Name: "r"}, ""); err != nil {
			t.Fatal(err)
		}
		add(t, s, entry("new"))
		if n, err := s.Prune(ctx, time.Now()); n != 0 || err != nil {
			t.Fatal(n, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}

		cfg.Retention = ask.Duration(24 * time.Hour)
		s = open(t, cfg) // which prunes on its own, too
		if _, err := s.Prune(ctx, time.Now()); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the old one is gone", func() bool { return questions(list(t, s, store.Filter{})) == "[new]" })
		if got := list(t, s, store.Filter{Text: "old"}); len(got) != 0 {
			t.Fatal("full text finds what is deleted")
		}
		if e, err := s.ExampleOf(ctx, "shop", "analyst", "old", "paid ones"); err != nil || e == nil {
			t.Fatal("the example went with its translation", err)
		}
		if o, err := s.Overview(ctx, store.OverviewFilter{}); err != nil || o.Questions != 2 {
			t.Fatal(o, err)
		}
	})
}

func TestStore_PruneBySize(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		for range 40 {
			e := entry("big " + strings.Repeat("word ", 2000))
			add(t, s, e)
		}
		size, err := s.Size(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		cfg.MaxBytes = size / 2
		s = open(t, cfg)
		if _, err := s.Prune(context.Background(), time.Now()); err != nil {
			t.Fatal(err)
		}
		eventually(t, "something is deleted", func() bool { return len(list(t, s, store.Filter{Limit: 100})) < 40 })
		left := len(list(t, s, store.Filter{Limit: 100}))
		if left >= 40 || left < 5 {
			t.Fatalf("%d of 40 are left at half the size", left)
		}
	})
}
