package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"askpg/store"
)

// TestStore_EditSemantics keeps changes of the semantics file that were made, those alone, and without the names of erased people.
func TestStore_EditSemantics(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		id := add(t, s, alone("what is our headcount"))
		edits := func() (lines []string) {
			t.Helper()
			list, err := s.SemanticsEdits(ctx, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				if e.At.IsZero() || e.ID == "" {
					t.Errorf("%+v", e)
				}
				lines = append(lines, strings.Join([]string{e.By, e.How, e.Old, e.New}, "|"))
			}
			return lines
		}
		first, second := "# ours\n", "# ours\n# added 2026-01-02 by an: synonym staff\n[[table]]\nname = 'staff'\n# by andrea: no\n"
		said := &store.Remark{Translation: id, Kind: "teach", By: "an", How: "oidc", Reason: "the entry"}
		full := errors.New("disk full")
		if err := s.EditSemantics(ctx, store.SemanticsEdit{By: "an", How: "oidc", Old: first, New: second}, said, func() error { return full }); !errors.Is(err, full) {
			t.Fatal(err)
		}
		if got := edits(); len(got) != 0 {
			t.Errorf("what was not changed is in the history: %q", got)
		}
		made := 0
		for _, e := range []store.SemanticsEdit{{By: "an", How: "oidc", Old: first, New: second}, {By: "bob", How: "token", Old: second, New: first}} {
			if err := s.EditSemantics(ctx, e, said, func() error { made++; return nil }); err != nil {
				t.Fatal(err)
			}
			said = nil
		}
		if got, want := edits(), []string{"bob|token|" + second + "|" + first, "an|oidc|" + first + "|" + second}; made != 2 || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("the history is %q, want %q", got, want)
		}
		if remarks, err := s.Remarks(ctx, id); err != nil || len(remarks) != 1 || remarks[0].Kind != "teach" || remarks[0].Reason != "the entry" {
			t.Error(remarks, err)
		}
		var out bytes.Buffer
		if err := s.ExportSemanticsEdits(ctx, &out); err != nil || strings.Count(out.String(), "\n") != 2 {
			t.Errorf("%v\n%s", err, out.String())
		}
		var e store.SemanticsEdit
		if err := json.NewDecoder(&out).Decode(&e); err != nil || e.By != "bob" || e.Old != second {
			t.Errorf("%+v, %v", e, err)
		}
		var by, how, before, after string
		if err := raw(t, cfg).QueryRow(`select admin, how, old_text, new_text from semantics_log order by at limit 1`).Scan(&by, &how, &before, &after); err != nil || by != "an" || how != "oidc" || before != first || after != second {
			t.Error(by, how, before, after, err)
		}

		done, err := s.Erase(ctx, store.Erasure{Login: "an"})
		if err != nil || done.Names != 2 {
			t.Errorf("erased %+v, %v, want the name out of a change and a remark", done, err)
		}
		without := strings.Replace(second, "by an:", "by erased:", 1)
		if got, want := edits(), []string{"bob|token|" + without + "|" + first, "erased|oidc|" + first + "|" + without}; got[0] != want[0] || got[1] != want[1] {
			t.Errorf("after the erasure: %q, want %q", got, want)
		}
	})
}
