package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"askpg/store"
)

// What a question looks up is what stands, whoever has changed it: this
// process, another one, or somebody with a client.
func TestStore_LookUpsSeeEveryChange(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		elsewhere := cfg
		elsewhere.Spill = ""
		other := open(t, elsewhere)
		verified := func(want string) {
			t.Helper()
			time.Sleep(time.Millisecond)
			for range 2 {
				e, err := s.Example(ctx, "shop", "How many orders?", "paid ones")
				got := ""
				if e != nil {
					got = e.SQL
					e.SQL = "changed by whoever got it"
				}
				if got != want || err != nil {
					t.Errorf("the example is %q, %v; want %q", got, err, want)
				}
			}
		}
		verified("")
		asking := entry("how many orders")
		asking.Question.History = nil // what follows up makes no example
		id := add(t, s, asking)
		const sql = "select count(*) from orders"
		withdrawn := func(want bool) {
			t.Helper()
			time.Sleep(time.Millisecond)
			for range 2 {
				if got, err := s.Withdrawn(ctx, "key-"+id, sql); got != want || err != nil {
					t.Errorf("withdrawn is %v, %v; want %v", got, err, want)
				}
			}
		}
		withdrawn(false)
		if _, err := s.Approve(ctx, id, "ann", ""); err != nil {
			t.Fatal(err)
		}
		verified(sql)
		if err := other.Reject(ctx, id, "ann", "wrong"); err != nil {
			t.Fatal(err)
		}
		verified("")
		withdrawn(true)
		if _, err := other.Approve(ctx, id, "ann", ""); err != nil {
			t.Fatal(err)
		}
		verified(sql)
		withdrawn(false)
		if path, ok := strings.CutPrefix(cfg.URL, "sqlite:"); ok {
			if _, err := openSQL(t, path).Exec("update examples set sql = 'select 1'"); err != nil {
				t.Fatal(err)
			}
			verified("select 1")
		}
	})
}
