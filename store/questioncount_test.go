package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// A question is in the queue once, by its asking that is most worth a person's
// time, and rises with each asking; what is deleted is not counted.
func TestStore_Askings(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		cfg.Retention = 0
		s := open(t, cfg)
		ctx := context.Background()
		now := time.Now()
		put := func(text string, confidence float64, asked time.Time) string {
			e := alone(text)
			e.Question.Asked = asked
			e.Translation.Confidence = confidence
			e.Translation.Candidates = nil
			e.Translation.Usage = ask.Usage{}
			return add(t, s, e)
		}
		queue := func() string {
			t.Helper()
			out := ""
			for _, r := range list(t, s, store.Filter{Order: store.PriorityFirst}) {
				out += fmt.Sprintf("%s %d %.2f; ", r.Question, r.TimesAsked, r.Priority)
			}
			return out
		}
		expect := func(want string) {
			t.Helper()
			if got := queue(); got != want {
				t.Fatalf("the queue is %q, want %q", got, want)
			}
		}
		put("unsure", 0.5, now)
		put("sure", 0.9, now.Add(-40*24*time.Hour))
		expect("unsure 1 0.50; sure 1 0.10; ")
		for range 4 {
			put("Sure?", 0.9, now)
		}
		expect("unsure 1 0.50; sure 5 0.30; ")
		worse := put("sure", 0.6, now) // is worth more time than the first one
		expect("sure 6 0.65; unsure 1 0.50; ")
		for range 20 {
			put("sure", 0.9, now)
		}
		expect("sure 26 0.90; unsure 1 0.50; ")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		cfg.Retention = ask.Duration(30 * 24 * time.Hour)
		s = open(t, cfg)
		if _, err := s.Prune(ctx, now); err != nil {
			t.Fatal(err)
		}
		expect("sure 25 0.90; unsure 1 0.50; ")
		if _, err := s.Approve(ctx, worse, nil, store.Reviewer{Name: "r"}, ""); err != nil {
			t.Fatal(err)
		}
		expect("unsure 1 0.50; ")
		put("sure", 0.9, now) // after the verdict it is new
		expect("sure 26 0.60; unsure 1 0.50; ")
		put("sure", 1, now)
		expect("sure 27 0.60; unsure 1 0.50; ")

		// In batches, side by side.
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() {
				e := alone(fmt.Sprintf("together %d", i%3))
				e.Translation.Confidence = 0.2
				if err := s.Append(ctx, e); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := list(t, s, store.Filter{Order: store.PriorityFirst, Text: "together"}); len(got) != 3 || got[0].TimesAsked != 20 || got[2].TimesAsked != 20 || got[0].Priority < 1.3 {
			t.Fatalf("%d of 3 in the queue: %+v", len(got), got)
		}
		other := alone("sure")
		other.Question.Hint = "another"
		add(t, s, other)
		if got := list(t, s, store.Filter{Order: store.PriorityFirst, Text: "another"}); len(got) != 1 || got[0].TimesAsked != 1 {
			t.Fatalf("with another hint it is another question: %+v", got)
		}
		if _, err := s.Prune(ctx, now.Add(60*24*time.Hour)); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := raw(t, cfg).QueryRow(`select count(*) from askings`).Scan(&n); err != nil || n != 0 {
			t.Fatal("questions are counted that are gone", n, err)
		}
	})
}
