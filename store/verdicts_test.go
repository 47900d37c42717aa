package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// TestStore_Verdicts reads what was decided of a translation: each verdict with the SQL that stood before it.
func TestStore_Verdicts(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		e := alone("how many orders")
		id := add(t, s, e)
		answer := e.Translation.SQL
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(s.Feedback(ctx, id, false, "ann", "the year is wrong")) // is no verdict
		_, err := s.Correct(ctx, id, "select 7", nil, store.Reviewer{Name: "rita"}, "seven")
		must(err)
		must(s.Reject(ctx, id, store.Reviewer{Name: "bob"}, "no"))
		example, err := s.Approve(ctx, id, nil, store.Reviewer{Name: "rita"}, "after all")
		must(err)
		must(s.RetireExample(ctx, example.ID, store.Reviewer{Name: "bob"}))
		if err := s.RetireExample(ctx, example.ID, store.Reviewer{Name: "bob"}); err == nil {
			t.Error("a retired example is retired again")
		}
		must(s.NoteRows(ctx, id, store.Reviewer{Name: "rita"}, "select 8")) // nor is this
		got, err := s.Verdicts(ctx, store.Filter{Database: e.Question.Session.Database, Role: e.Question.Session.Role, Since: e.Question.Asked.Add(-1e9), Limit: 10})
		must(err)
		sql := func(s *string) string {
			if s == nil {
				return "-"
			}
			return *s
		}
		var lines []string
		for _, v := range got {
			lines = append(lines, strings.Join([]string{v.Verdict, v.Reviewer, v.Note, sql(v.OldSQL), sql(v.NewSQL)}, "|"))
			if v.Translation != id || v.Question != "how many orders" || v.At.Before(e.Question.Asked) || v.Login == "" {
				t.Errorf("%+v", v)
			}
		}
		want := "retire|bob||" + answer + "|-\napprove|rita|after all|-|" + answer + "\nreject|bob|no|select 7|-\ncorrect|rita|seven|" + answer + "|select 7"
		if have := strings.Join(lines, "\n"); have != want {
			t.Errorf("the verdicts are\n%s\nwant\n%s", have, want)
		}
		for _, none := range []store.Filter{{Database: "other", Limit: 10}, {Until: e.Question.Asked.Add(-1e9), Limit: 10}} {
			if got, err := s.Verdicts(ctx, none); err != nil || len(got) != 0 {
				t.Error(got, err)
			}
		}
		var by, shown string
		if err := raw(t, cfg).QueryRow(`select reviewer, sql from seen_log where translation = '`+id+`'`).Scan(&by, &shown); err != nil || by != "rita" || shown != "select 8" {
			t.Error(by, shown, err)
		}
		var cost float64
		if err := raw(t, cfg).QueryRow(`select plan_cost from candidate_log where fate = 'chosen'`).Scan(&cost); err != nil {
			t.Error(err)
		}
	})
}

// TestStore_VerdictsAtOnce: two verdicts of one millisecond stand in the order in which they were given.
func TestStore_VerdictsAtOnce(t *testing.T) {
	cfg := sqliteConfig(t) // whose views write times as text
	ctx := context.Background()
	s := open(t, cfg)
	id := add(t, s, alone("how many orders"))
	for range 4 {
		if err := s.Reject(ctx, id, store.Reviewer{Name: "bob"}, ""); err != nil {
			t.Fatal(err)
		}
	}
	execute(t, raw(t, cfg), `update feedback set at = (select min(at) / 1000 * 1000 from feedback) + rowid * 7 % 5, reason = rowid * 7 % 5`)
	got, err := s.Verdicts(ctx, store.Filter{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var order string
	for _, v := range got {
		order += v.Note
	}
	if order != "4321" {
		t.Errorf("the verdicts come in the order %s", order)
	}
}

// TestStore_VerdictsOfExamples: who has imported and retired examples is told, with or without a translation, also after the retention has
// taken that.
func TestStore_VerdictsOfExamples(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		file := func(sql string) *strings.Reader {
			return strings.NewReader(`{"database":"shop","role":"analyst","question":"how many plums","sql":"` + sql + `"}`)
		}
		for _, sql := range []string{"select 1", "select 2"} {
			if _, err := s.ImportExamples(ctx, file(sql), store.Import{By: "ann", How: "command line"}); err != nil {
				t.Fatal(err)
			}
		}
		id := add(t, s, alone("how many pears"))
		if _, err := s.Approve(ctx, id, nil, store.Reviewer{Name: "rita"}, ""); err != nil {
			t.Fatal(err)
		}
		examples, err := s.Examples(ctx, "", "")
		if err != nil || len(examples) != 2 {
			t.Fatal(examples, err)
		}
		answer := examples[0].SQL
		execute(t, raw(t, cfg), `delete from translations`) // as the retention does
		for _, e := range examples {
			if err := s.RetireExample(ctx, e.ID, store.Reviewer{Name: "bob", How: "oidc"}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Prune(ctx, time.Now()); err != nil {
			t.Fatal(err)
		}
		list, err := s.Verdicts(ctx, store.Filter{Database: "shop", Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		sql := func(s *string) string {
			if s == nil {
				return "-"
			}
			return *s
		}
		var got []string
		for _, v := range list {
			got = append(got, strings.Join([]string{v.Question, v.Verdict, v.Reviewer, v.How, sql(v.OldSQL), sql(v.NewSQL)}, "|"))
			if v.Example == "" {
				t.Errorf("%+v names no example", v)
			}
		}
		slices.Sort(got)
		want := []string{"how many pears|retire|bob|oidc|" + answer + "|-", "how many plums|import|ann|command line|-|select 1", "how many plums|import|ann|command line|-|select 2",
			"how many plums|retire|ann|command line|select 1|-", "how many plums|retire|bob|oidc|select 2|-"}
		if !slices.Equal(got, want) {
			t.Errorf("the verdicts are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if _, err := s.Erase(ctx, store.Erasure{Login: "bob"}); err != nil {
			t.Fatal(err)
		}
		var names int
		if err := raw(t, cfg).QueryRow(`select (select count(*) from examples where note like '%bob%') + (select count(*) from feedback where by_whom = 'bob')`).Scan(&names); err != nil || names != 0 {
			t.Errorf("an erased reviewer is named %d times, %v", names, err)
		}
	})
}

// TestStore_ShortID finds a translation by the beginning of its id, as words too, whatever the collation of the ids is.
func TestStore_ShortID(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		first, second := alone("how many orders"), alone("how many customers")
		first.Question.ID, second.Question.ID = "019a1234-5678-7abc-8def-0123456789ab", "019a1234-5679-7abc-8def-0123456789ab"
		add(t, s, first)
		add(t, s, second)
		if !strings.HasPrefix(cfg.URL, "sqlite:") {
			execute(t, raw(t, cfg), `drop view log, candidate_log, agreement, verdict_log, seen_log; alter table translations alter column id type text collate "en-x-icu"`)
		}
		short := store.ShortID(first.Question.ID)
		if short != "019a1234-5678" {
			t.Fatal(short)
		}
		for _, id := range []string{short, strings.ToUpper(short), first.Question.ID} {
			if r := get(t, s, id); r.Question != "how many orders" {
				t.Errorf("%s is %q", id, r.Question)
			}
			if found := list(t, s, store.Filter{Text: " " + id + " "}); questions(found) != "[how many orders]" {
				t.Errorf("the search for %s finds %q", id, questions(found))
			}
		}
		if _, err := s.Get(ctx, "019a1234"); ask.CodeOf(err) != ask.CodeInvalidParameter || !strings.Contains(err.Error(), second.Question.ID) {
			t.Error(err)
		}
		if _, err := s.Approve(ctx, short, nil, store.Reviewer{Name: "rita"}, ""); err != nil {
			t.Error(err)
		}
		if err := s.Reject(ctx, store.ShortID(second.Question.ID), store.Reviewer{Name: "rita"}, ""); err != nil {
			t.Error(err)
		}
	})
}

// TestStore_ExportNamesCosts: in an export cost is money and plan_cost the planner's.
func TestStore_ExportNamesCosts(t *testing.T) {
	s := open(t, sqliteConfig(t))
	e := alone("how many orders")
	e.Translation.Candidates[0].Cost = 12345
	id := add(t, s, e)
	line, err := json.Marshal(get(t, s, id).Exported())
	var out struct {
		Cost       *float64
		Candidates []map[string]any
	}
	if err == nil {
		err = json.Unmarshal(line, &out)
	}
	if err != nil || out.Cost == nil || *out.Cost != e.Translation.Usage.Cost || len(out.Candidates) == 0 {
		t.Fatalf("%v\n%s", err, line)
	}
	if _, has := out.Candidates[0]["cost"]; has || out.Candidates[0]["plan_cost"] != 12345.0 {
		t.Errorf("a candidate is %v", out.Candidates[0])
	}
	var exported bytes.Buffer
	if err := s.Export(context.Background(), &exported, store.JSONL, store.Filter{}); err != nil || strings.TrimSpace(exported.String()) != string(line) {
		t.Errorf("%v\n%s", err, exported.String())
	}
}

// TestStore_NoteRowsRedacts: with store.redact no constant of SQL that was run for its rows is kept.
func TestStore_NoteRowsRedacts(t *testing.T) {
	cfg := sqliteConfig(t)
	cfg.Redact = true
	s := open(t, cfg)
	id := add(t, s, alone("how many orders"))
	if err := s.NoteRows(context.Background(), id, store.Reviewer{Name: "rita"}, "select * from orders where name = 'SECRET'"); err != nil {
		t.Fatal(err)
	}
	remarks, err := s.Remarks(context.Background(), id)
	if err != nil || len(remarks) != 1 || strings.Contains(remarks[0].SQL, "SECRET") || !strings.Contains(remarks[0].SQL, "from orders") {
		t.Errorf("%+v, %v", remarks, err)
	}
}
