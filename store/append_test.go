package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

func TestStore_AppendGet(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		e := entry("How many orders?")
		id := add(t, s, e)
		r := get(t, s, id)
		if r.Question != "How many orders?" || r.Normalised != "how many orders" || r.Hint != "paid ones" || r.Outcome != store.Answered {
			t.Fatalf("%+v", r)
		}
		if !r.Asked.Equal(e.Question.Asked.Truncate(time.Microsecond)) {
			t.Fatalf("asked at %v, logged as %v", e.Question.Asked, r.Asked)
		}
		if r.RowsReturned != 1 || r.KeptRows != nil || r.Confidence != 0.75 || r.Chosen != 1 || r.Cost != 0.01 || r.AnswerKey != "key-"+id {
			t.Fatalf("%+v", r)
		}
		if fmt.Sprint(r.Options) != "map[notices:off strategy:auto]" || r.Settings["search_path"] != "public" || r.History[0].SQL != "select 0" ||
			r.Annotations[0] != "Metabase:: userID: 7" || r.Linked[0].Object != "public.orders" || fmt.Sprint(r.Demos) != "[how many invoices]" || r.Stages[0].Elapsed != 1 || r.ResultColumns[0].Name != "count" || r.ResultColumns[0].TypeOID != 20 {
			t.Fatalf("%+v", r)
		}
		if len(r.Candidates) != 3 || r.Candidates[0].Code != "42P01" || r.Candidates[0].ErrorHint != "look again" || r.Candidates[0].Rows != -1 ||
			r.Candidates[1].Elapsed != 3 || r.Candidates[2].Repair != 1 || r.Candidates[2].Model != "other" {
			t.Fatalf("%+v", r.Candidates)
		}
		if _, err := s.Get(context.Background(), ask.NewID()); !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
		if got, err := s.Get(context.Background(), id[:35]); err != nil || got.ID != id {
			t.Fatal(got, err)
		}
	})
}

func TestStore_AppendIsIdempotent(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		e := entry("once")
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := s.Append(context.Background(), e); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := list(t, s, store.Filter{}); len(got) != 1 {
			t.Fatalf("%d entries of one", len(got))
		}
		if r := get(t, s, e.Question.ID); len(r.Candidates) != 3 {
			t.Fatalf("%d candidates of 3", len(r.Candidates))
		}
		o, err := s.Overview(context.Background(), store.OverviewFilter{})
		if err != nil || o.Questions != 1 {
			t.Fatalf("counted %+v, %v", o, err)
		}
	})
}

func TestStore_AppendSurvivesReopening(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		id := add(t, s, entry("kept"))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Append(context.Background(), entry("late")); err != nil {
			t.Log(err)
		}
		if r := get(t, open(t, cfg), id); len(r.Candidates) != 3 {
			t.Fatal("candidates are gone")
		}
	})
}

// What no text column can hold must not keep an entry out of the log.
func TestStore_AppendHostileText(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		for _, text := range []string{
			"nul \x00 inside", "bad \xff\xfe utf-8", "'; drop table translations; --", "\u202Eright to left", strings.Repeat("long ", 200_000), "<script>alert(1)</script>",
			`back\slash "quotes" {json: true}`, "\\u0000", "surrogate \xed\xa0\x80",
		} {
			e := entry(text)
			e.Question.Client.ApplicationName, e.Question.Client.Annotations = text, []string{text}
			e.Question.Session.Settings["search_path"] = text
			e.Translation.SQL, e.Translation.Understood = text, text
			e.Translation.Candidates[0].SQL = text
			e.Translation.Linked[0].Words = text
			e.Translation.Candidates[0].Err.Message = text
			r := get(t, s, add(t, s, e))
			want := strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
			if r.Question != want || r.Annotations[0] != want || r.Candidates[0].SQL != want || r.Linked[0].Words != want {
				t.Fatalf("%.40q is not what was logged", text)
			}
		}
		if got := list(t, s, store.Filter{}); len(got) != 9 {
			t.Fatalf("%d entries of 9", len(got))
		}
	})
}

func TestStore_KeptRows(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		cfg.KeepRows, cfg.KeepRowsFor = 2, ask.Duration(time.Hour)
		s := open(t, cfg)
		e := entry("rows")
		e.Translation.Result = &ask.Result{Columns: []ask.Column{{Name: "a"}}, Rows: [][][]byte{{[]byte("1\x00")}, {nil}, {[]byte("3")}}, Complete: true}
		id := add(t, s, e)
		r := get(t, s, id)
		if r.KeptRows == nil || len(r.KeptRows.Rows) != 2 || *r.KeptRows.Rows[0][0] != "1\ufffd" || r.KeptRows.Rows[1][0] != nil || r.KeptRows.Complete || r.RowsReturned != 3 {
			t.Fatalf("%+v", r.KeptRows)
		}
		if _, err := s.Prune(context.Background(), time.Now().Add(2*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if r := get(t, s, id); r.KeptRows != nil {
			t.Fatal("rows are kept for longer than they may be")
		}
	})
}

func TestLogged(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		ctx := context.Background()
		answering := store.Logged(ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
			return translated("another id"), nil
		}), s)
		q := asked("answered")
		if tr, err := answering.Translate(ctx, q); err != nil || tr.ID != q.ID {
			t.Fatal(tr, err)
		}
		if r := get(t, s, q.ID); r.Outcome != store.Answered || len(r.Candidates) != 3 {
			t.Fatalf("%+v", r)
		}
		canceled, cancel := context.WithCancel(ctx)
		cancel()
		for _, c := range []struct {
			name    string
			err     error
			outcome store.Outcome
			code    string
		}{
			{"no candidate", ask.Errorf(ask.CodeNoCandidate, "none").WithDetail("tried").Because(errors.New("secret")), store.Failed, ask.CodeNoCandidate},
			{"unsure", ask.Errorf(ask.CodeLowConfidence, "unsure"), store.Unsure, ask.CodeLowConfidence},
			{"refused", ask.Errorf(ask.CodeRefused, "refused"), store.Refused, ask.CodeRefused},
			{"rights", ask.Errorf(ask.CodeInsufficientRights, "no"), store.Refused, ask.CodeInsufficientRights},
			{"canceled", ask.Errorf(ask.CodeQueryCanceled, "canceled"), store.Canceled, ask.CodeQueryCanceled},
			{"left", context.Canceled, store.Canceled, ask.CodeQueryCanceled},
			{"plain", errors.New("broken"), store.Failed, ask.CodeInternal},
		} {
			q := asked(c.name)
			failing := store.Logged(ask.TranslatorFunc(func(context.Context, ask.Question) (*ask.Translation, error) {
				return nil, ask.WithTranslation(c.err, translated("x"))
			}), s)
			if _, err := failing.Translate(canceled, q); !errors.Is(err, c.err) {
				t.Fatalf("%s: %v", c.name, err)
			}
			r := get(t, s, q.ID)
			if r.Outcome != c.outcome || r.Code != c.code || len(r.Candidates) != 3 || r.Calls != 3 || r.AnswerKey != "" {
				t.Fatalf("%s: %+v", c.name, r)
			}
			if c.name == "no candidate" && (r.Detail != "tried" || r.Cause != "secret") {
				t.Fatalf("%+v", r)
			}
		}
	})
}

func TestOpen_Errors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*store.Config)
		want   string
	}{
		"no folder":    {func(c *store.Config) { c.URL = "sqlite:/no/such/folder/log.db" }, "store.url"},
		"a folder":     {func(c *store.Config) { c.URL = "sqlite:" + t.TempDir() }, "store.url"},
		"wrong scheme": {func(c *store.Config) { c.URL = "mysql://x" }, "store.url"},
		"away":         {func(c *store.Config) { c.URL, c.Spill = "postgres://u:secret@127.0.0.1:1/x", "" }, "127.0.0.1"},
		"required":     {func(c *store.Config) { c.URL, c.Required = "postgres://u:secret@127.0.0.1:1/x", true }, "127.0.0.1"},
		"batch":        {func(c *store.Config) { c.Batch = 0 }, "store.batch"},
		"retention":    {func(c *store.Config) { c.Retention = -1 }, "store.retention"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := sqliteConfig(t)
			c.change(&cfg)
			_, err := store.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), nil)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Fatal(err)
			}
		})
	}
}

// The names of an export are those of the tables, and the same table holds
// the same in both databases.
func TestRecord_JSONNamesAreColumns(t *testing.T) {
	b, err := json.Marshal(store.Record{})
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	for _, c := range store.ColumnNames() {
		if _, ok := m[c]; !ok {
			t.Errorf("column %s is not in the JSON", c)
		}
		delete(m, c)
	}
	if len(m) != 0 {
		t.Errorf("no columns: %v", m)
	}
}
