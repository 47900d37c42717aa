package store_test

import (
	"context"
	"testing"
	"time"

	"askpg/store"
)

// What a question looks up is what stands: at once if this process has changed it, within about a second if another one has.
func TestStore_LookUpsSeeEveryChange(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		elsewhere := cfg
		elsewhere.Spill = ""
		other := open(t, elsewhere)
		verified := func(s *store.Store) string {
			t.Helper()
			e, err := s.Fill(ctx, "shop", "analyst", "How many orders?", "paid ones", unread)
			if err != nil {
				t.Fatal(err)
			}
			if e == nil {
				return ""
			}
			return e.SQL
		}
		asking := entry("how many orders")
		asking.Question.History = nil // what follows up makes no example
		id := add(t, s, asking)
		const sql = "select count(*) from orders"
		check := func(by *store.Store, what, example string, withdrawn bool) {
			t.Helper()
			if got := verified(by); got != example || by.Withdrawn("key-"+id, sql) != withdrawn {
				t.Errorf("%s: the example is %q, withdrawn %v", what, got, !withdrawn)
			}
			changed := time.Now()
			for _, each := range []*store.Store{s, other} {
				eventually(t, what+" elsewhere", func() bool {
					return verified(each) == example && each.Withdrawn("key-"+id, sql) == withdrawn
				})
			}
			t.Logf("%s: elsewhere after %s", what, time.Since(changed).Round(time.Millisecond))
		}
		check(s, "nothing", "", false)
		if _, err := s.Approve(ctx, id, nil, store.Reviewer{Name: "ann"}, ""); err != nil {
			t.Fatal(err)
		}
		check(s, "approved", sql, false)
		if err := other.Reject(ctx, id, store.Reviewer{Name: "ann"}, "wrong"); err != nil {
			t.Fatal(err)
		}
		check(other, "rejected", "", true)
		if _, err := other.Correct(ctx, id, "select 2", nil, store.Reviewer{Name: "ann"}, ""); err != nil {
			t.Fatal(err)
		}
		check(other, "corrected", "select 2", true)
		if _, err := s.Erase(ctx, store.Erasure{Login: asking.Question.Session.SessionUser}); err != nil {
			t.Fatal(err)
		}
		check(s, "erased", "", false)
	})
}
