package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"askpg/store"
)

// TestStore_Scope reads and judges the log as somebody who may do so with a part of it.
func TestStore_Scope(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		ids, examples := map[string]string{}, map[string]*store.Example{}
		root := store.Reviewer{Name: "root", How: "local"}
		for _, of := range []string{"shop analyst", "shop clerk", "bank analyst", "bank teller"} {
			e := alone("how many things of " + of)
			e.Question.Session.Database, e.Question.Session.Role, _ = strings.Cut(of, " ")
			e.Question.Client.ApplicationName = of
			ids[of] = add(t, s, e)
			e.Question.ID = ""
			e.Question.Text = "how many other things"
			add(t, s, e) // stays unreviewed
			var err error
			if examples[of], err = s.Approve(ctx, ids[of], nil, root, ""); err != nil {
				t.Fatal(err)
			}
		}
		for _, tt := range []struct {
			scope store.Scope
			want  string
		}{
			{nil, "bank analyst, bank teller, shop analyst, shop clerk"},
			{store.Scope{}, ""},
			{store.Scope{{}}, "bank analyst, bank teller, shop analyst, shop clerk"},
			{store.Scope{{Databases: []string{"shop"}}}, "shop analyst, shop clerk"},
			{store.Scope{{Roles: []string{"analyst"}}}, "bank analyst, shop analyst"},
			{store.Scope{{Roles: []string{"teller", "clerk"}}}, "bank teller, shop clerk"},
			{store.Scope{{Databases: []string{"shop"}, Roles: []string{"analyst", "teller"}}}, "shop analyst"},
			{store.Scope{{Databases: []string{"shop"}, Roles: []string{"clerk"}}, {Databases: []string{"bank"}}}, "bank analyst, bank teller, shop clerk"},
			{store.Scope{{Databases: []string{"nowhere"}}}, ""},
		} {
			var may []string
			for _, of := range []string{"bank analyst", "bank teller", "shop analyst", "shop clerk"} {
				database, role, _ := strings.Cut(of, " ")
				if tt.scope.Covers(database, role) {
					may = append(may, of)
				}
				_, err := s.GetWithin(ctx, ids[of], tt.scope)
				if in := strings.Contains(tt.want, of); in != (err == nil) || !in && !errors.Is(err, store.ErrNotFound) {
					t.Errorf("%v: %s gets %v", tt.scope, of, err)
				}
			}
			if strings.Join(may, ", ") != tt.want {
				t.Errorf("%v covers %q", tt.scope, may)
			}
			n := len(may)
			for name, f := range map[string]store.Filter{"all": {}, "words": {Text: "things"}, "time": {Since: time.Now().Add(-24 * time.Hour)}, "reviewed": {Review: "approved"}, "queue": {Order: store.PriorityFirst}} {
				f.Scope = tt.scope
				page, err := s.List(ctx, f)
				if err != nil {
					t.Fatal(name, err)
				}
				for i := range page.Records {
					r := &page.Records[i]
					if !strings.Contains(tt.want, r.Database+" "+r.Role) {
						t.Errorf("%v, %s: shows %s %s", tt.scope, name, r.Database, r.Role)
					}
				}
				if waiting, err := s.CountQueue(ctx, tt.scope, 100); name == "queue" && (err != nil || waiting != len(page.Records)) {
					t.Errorf("%v: %d wait, %v; the queue has %d", tt.scope, waiting, err, len(page.Records))
				}
				want := map[string]int{"all": 2 * n, "words": 2 * n, "time": 2 * n, "reviewed": n}[name]
				if name != "queue" && len(page.Records) != want {
					t.Errorf("%v, %s: %d records", tt.scope, name, len(page.Records))
				}
			}
			f, err := s.Facets(ctx, tt.scope)
			if err != nil || len(f.Applications) != n {
				t.Errorf("%v: facets %+v, %v", tt.scope, f, err)
			}
			o, err := s.Overview(ctx, store.OverviewFilter{Scope: tt.scope})
			if err != nil || o.Questions != int64(2*n) || len(o.Apps) != n {
				t.Errorf("%v: an overview of %d questions, %v", tt.scope, o.Questions, err)
			}
			verdicts, err := s.Verdicts(ctx, store.Filter{Scope: tt.scope, Limit: 100})
			if err != nil || len(verdicts) != n || n > 0 && verdicts[0].How != "local" {
				t.Errorf("%v: %d verdicts, %v", tt.scope, len(verdicts), err)
			}
			var out bytes.Buffer
			if err := s.ExportVerdicts(ctx, &out, store.Filter{Scope: tt.scope}); err != nil || strings.Count(out.String(), "\n") != n {
				t.Errorf("%v: %v\n%s", tt.scope, err, out.String())
			}
		}
		// Verdicts. Both roles of the shop ask the same question, and the clerk's example answers it.
		analyst := store.Reviewer{Name: "ann", How: "oidc", Scope: store.Scope{{Databases: []string{"shop"}, Roles: []string{"analyst"}}}}
		if _, err := s.Approve(ctx, ids["shop clerk"], nil, analyst, ""); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another role's translation is approved: %v", err)
		}
		if err := s.RetireExample(ctx, examples["shop clerk"].ID, analyst); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another role's example is retired: %v", err)
		}
		same := alone("how many things of shop clerk")
		same.Question.Session.Database, same.Question.Session.Role = "shop", "analyst"
		own := add(t, s, same)
		mine, err := s.Correct(ctx, own, "select 5", nil, analyst, "")
		if err != nil || mine.OnlyFor != "analyst" {
			t.Fatalf("%+v, %v", mine, err)
		}
		stands := func(when, clerk, analyst string) {
			t.Helper()
			for role, want := range map[string]string{"clerk": clerk, "analyst": analyst, "teller": clerk} {
				got, err := s.ExampleOf(ctx, "shop", role, same.Question.Text, same.Question.Hint)
				if err != nil || got == nil || got.ID != want {
					t.Errorf("%s: the example of %s is %+v, %v", when, role, got, err)
				}
				answers, err := s.Fill(ctx, "shop", role, same.Question.Text, same.Question.Hint, unread)
				if err != nil || answers == nil || answers.ID != want {
					t.Errorf("%s: %s is answered by %+v, %v", when, role, answers, err)
				}
			}
		}
		stands("a verdict for one role", examples["shop clerk"].ID, mine.ID)
		again, err := s.Correct(ctx, own, "select 7", nil, store.Reviewer{Name: "dana", Scope: store.Scope{{Databases: []string{"bank"}}, {Roles: []string{"analyst", "clerk"}}}}, "")
		if err != nil || again.OnlyFor != "analyst" {
			t.Fatalf("%+v, %v", again, err)
		}
		stands("the role's next example", examples["shop clerk"].ID, again.ID)
		var file bytes.Buffer
		if err := s.ExportExamples(ctx, &file, "shop"); err != nil {
			t.Fatal(err)
		}
		if done, err := s.ImportExamples(ctx, &file, store.Import{By: "eve", Replace: true, Database: "shop"}); err != nil || done != (store.Imported{}) {
			t.Errorf("the file of what stands changes %+v, %v", done, err)
		}
		whole, err := s.Correct(ctx, ids["shop clerk"], "select 8", nil, store.Reviewer{Name: "dana", Scope: store.Scope{{Databases: []string{"shop"}}}}, "")
		if err != nil || whole.OnlyFor != "" {
			t.Fatalf("%+v, %v", whole, err)
		}
		stands("a verdict for the whole database", whole.ID, again.ID)
		if err := s.RetireExample(ctx, examples["shop analyst"].ID, analyst); err != nil {
			t.Error(err)
		}
		if e, err := s.Correct(ctx, ids["shop analyst"], "select 6", nil, analyst, ""); err != nil || e == nil {
			t.Error(err)
		}
	})
}

// TestStore_SignIns: a sign-in stands until its time or its sign-out, what began one begins no other, and an erased person has
// none.
func TestStore_SignIns(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		in := store.SignIn{Name: "rita", How: "oidc", Evidence: "{}", Until: time.Now().Add(time.Hour).Truncate(time.Second)}
		stands := func(secret string) bool {
			t.Helper()
			got, err := s.SignedIn(ctx, secret)
			if err != nil || got != nil && fmt.Sprint(*got) != fmt.Sprint(in) {
				t.Fatal(got, err)
			}
			return got != nil
		}
		if err := s.SignIn(ctx, "first", "flow", in); err != nil || !stands("first") || stands("flow") || stands("") {
			t.Fatal(err)
		}
		if err := s.SignIn(ctx, "second", "flow", in); !errors.Is(err, store.ErrUsed) || stands("second") {
			t.Error(err)
		}
		old := in
		old.Until = time.Now().Add(-time.Second)
		if err := s.SignIn(ctx, "old", "", old); err != nil || stands("old") {
			t.Error(err)
		}
		if err := s.SignIn(ctx, "third", "", in); err != nil || !stands("third") {
			t.Fatal(err)
		}
		if err := s.SignOut(ctx, "first"); err != nil || stands("first") || !stands("third") {
			t.Error(err)
		}
		var secrets int
		if err := raw(t, cfg).QueryRow(`select count(*) from signins where id like '%third%' or evidence like '%third%'`).Scan(&secrets); err != nil || secrets > 0 {
			t.Errorf("the secret of a cookie is in the store: %d, %v", secrets, err)
		}
		if _, err := s.Erase(ctx, store.Erasure{Login: "rita"}); err != nil || stands("third") {
			t.Errorf("an erased person is signed in: %v", err)
		}
	})
}
