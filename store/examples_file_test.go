package store_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"askpg/store"
)

// TestImport: a file is taken whole or not at all, who imports signs for what is new, and a file that is all there is
// retires the rest.
func TestImport(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		verified := func() string {
			list, err := s.Examples(ctx, "", store.Verified)
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for _, e := range list {
				out = append(out, e.Database+" "+e.Question+" "+e.SQL+" "+e.Reviewer)
			}
			return strings.Join(out, "; ")
		}
		file := `{"database":"shop","question":"a","sql":"select 1","reviewer":"the chief"}
{"database":"shop","question":"b","sql":"select 2"}
{"database":"farm","question":"c","sql":"select 3"}
`
		how := store.Import{By: "ann", Check: func(_ context.Context, e *store.Example) error {
			if e.Question == "b" {
				return errors.New("b is wrong")
			}
			return nil
		}}
		if n, err := s.ImportExamples(ctx, strings.NewReader(file), how); err == nil || n.Added != 0 || !strings.Contains(err.Error(), "line 2: b is wrong") || verified() != "" {
			t.Fatalf("%+v, %v, %s", n, err, verified())
		}
		how.Check = nil
		if n, err := s.ImportExamples(ctx, strings.NewReader(file), how); err != nil || n.Added != 3 || verified() != "farm c select 3 ann; shop a select 1 ann; shop b select 2 ann" {
			t.Fatalf("%+v, %v, %s", n, err, verified())
		}
		how.By, how.Replace, how.Database = "bob", true, "shop"
		if n, err := s.ImportExamples(ctx, strings.NewReader(`{"database":"shop","question":"A?","sql":"select 1"}
{"database":"shop","question":"d","sql":"select 4"}`), how); err != nil || n != (store.Imported{Added: 1, Retired: 1}) || verified() != "farm c select 3 ann; shop a select 1 ann; shop d select 4 bob" {
			t.Fatalf("%+v, %v, %s", n, err, verified())
		}
		if list, err := s.Examples(ctx, "shop", store.Retired); err != nil || len(list) != 1 || list[0].Reviewer != "bob" || list[0].Note == "" {
			t.Fatalf("%+v, %v", list, err)
		}
		twice := `{"database":"shop","question":"e","sql":"select 5"}
{"database":"shop","question":"E ?","sql":"select 6"}`
		if _, err := s.ImportExamples(ctx, strings.NewReader(twice), how); err == nil || !strings.Contains(err.Error(), "line 2: line 1 has the same question") {
			t.Fatal(err)
		}
		// What is exported and read back as all there is changes nothing, a stale example included.
		stale, err := s.ExampleOf(ctx, "shop", "analyst", "a", "")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.MarkExample(ctx, stale.ID, store.Stale, ""); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := s.ExportExamples(ctx, &out, ""); err != nil {
			t.Fatal(err)
		}
		if n, err := s.ImportExamples(ctx, &out, store.Import{Replace: true}); err != nil || n != (store.Imported{}) {
			t.Fatal(n, err)
		}
	})
}
