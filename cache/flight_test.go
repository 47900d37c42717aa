package cache_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"askpg/ask"
	"askpg/cache"
)

// gate is a Translator that tells when a call begins and holds it until told.
type gate struct {
	began   chan context.Context
	release chan struct{}
}

func newGate() *gate { return &gate{make(chan context.Context, 100), make(chan struct{})} }

func (g *gate) Translate(ctx context.Context, q ask.Question) (*ask.Translation, error) {
	g.began <- ctx
	select {
	case <-g.release:
		return &ask.Translation{ID: q.ID, SQL: "select 1", Usage: ask.Usage{Calls: 1}, Result: &ask.Result{}}, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

type outcome struct {
	t   *ask.Translation
	err error
}

func start(ctx context.Context, tr ask.Translator, q ask.Question) chan outcome {
	done := make(chan outcome, 1)
	go func() {
		t, err := tr.Translate(ctx, q)
		done <- outcome{t, err}
	}()
	return done
}

// joined waits until n askers have taken part in the translation under way:
// each of them is told of its progress once.
func joined(t *testing.T, c *cache.Cache, g *gate, n int, q ask.Question) (contexts []context.CancelFunc, done []chan outcome) {
	t.Helper()
	var call context.Context
	for range n {
		told := make(chan struct{})
		var once sync.Once
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		ctx = ask.WithProgress(ctx, func(string) { once.Do(func() { close(told) }) })
		q.ID = ask.NewID()
		contexts = append(contexts, cancel)
		done = append(done, start(ctx, c, q))
		if call == nil {
			call = <-g.began
		}
		for taking := false; !taking; runtime.Gosched() {
			ask.Progress(call, "thinking")
			select {
			case <-told:
				taking = true
			default:
			}
		}
	}
	return contexts, done
}

func TestFlight_Shared(t *testing.T) {
	g := newGate()
	c, _ := newCache(t, g, nil)
	_, done := joined(t, c, g, 5, question("q"))
	close(g.release)
	spent := 0
	for _, d := range done {
		o := <-d
		if o.err != nil || o.t.SQL != "select 1" {
			t.Fatal(o.t, o.err)
		}
		spent += o.t.Usage.Calls
		if (o.t.Source == ask.SourceCache) == (o.t.Result != nil) {
			t.Fatal("rows went to another asker than the one whose question was run")
		}
	}
	if spent != 1 {
		t.Fatalf("%d calls are accounted for, one was made", spent)
	}
	if len(g.began) != 0 {
		t.Fatal("identical questions were translated side by side")
	}
}

func TestFlight_OneLeaves(t *testing.T) {
	g := newGate()
	c, _ := newCache(t, g, nil)
	leave, done := joined(t, c, g, 3, question("q"))
	leave[0]() // the one whose question started it
	if o := <-done[0]; !errors.Is(o.err, context.Canceled) {
		t.Fatal(o.err)
	}
	close(g.release)
	for _, d := range done[1:] {
		if o := <-d; o.err != nil {
			t.Fatalf("the others were cancelled too: %v", o.err)
		}
	}
}

func TestFlight_AllLeave(t *testing.T) {
	g := newGate()
	c, _ := newCache(t, g, nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := start(ctx, c, question("q"))
	call := <-g.began
	cancel()
	if o := <-done; !errors.Is(o.err, context.Canceled) {
		t.Fatal(o.err)
	}
	<-call.Done()

	// The next one is not caught by the cancelled call.
	next := start(context.Background(), c, question("q"))
	<-g.began
	close(g.release)
	if o := <-next; o.err != nil {
		t.Fatal(o.err)
	}
}

func TestFlight_ErrorIsShared(t *testing.T) {
	release := make(chan struct{})
	began := make(chan context.Context, 10)
	failing := ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		began <- ctx
		<-release
		return nil, ask.WithTranslation(ask.Errorf(ask.CodeNoCandidate, "none"), &ask.Translation{Usage: ask.Usage{Calls: 4}})
	})
	c, _ := newCache(t, failing, nil)
	_, done := joined(t, c, &gate{began: began}, 3, question("q"))
	close(release)
	carried := 0
	for _, d := range done {
		o := <-d
		if ask.CodeOf(o.err) != ask.CodeNoCandidate {
			t.Fatal(o.err)
		}
		if ask.TranslationOf(o.err) != nil {
			carried++
		}
	}
	if carried != 1 {
		t.Fatalf("%d askers account for the same candidates", carried)
	}
}

func TestFlight_Panic(t *testing.T) {
	c, _ := newCache(t, ask.TranslatorFunc(func(context.Context, ask.Question) (*ask.Translation, error) { panic("boom") }), nil)
	for range 2 {
		if _, err := c.Translate(context.Background(), question("q")); ask.CodeOf(err) != ask.CodeInternal {
			t.Fatal(err)
		}
	}
}

func TestFlight_Limit(t *testing.T) {
	g := newGate()
	c, _ := newCache(t, g, func(cfg *cache.Config) { cfg.MaxFlights = 1 })
	done := start(context.Background(), c, question("one"))
	<-g.began
	if _, err := c.Translate(context.Background(), question("two")); ask.CodeOf(err) != ask.CodeInsufficientRes {
		t.Fatal(err)
	}
	close(g.release)
	if o := <-done; o.err != nil {
		t.Fatal(o.err)
	}
}

func TestCache_Concurrent(t *testing.T) {
	next := &counting{}
	c, _ := newCache(t, next, nil)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for j := range 50 {
				q := question("q")
				q.Session.Role = []string{"a", "b"}[(i+j)%2]
				q.Fresh = j%10 == 0
				if got, err := c.Translate(context.Background(), q); err != nil || got.ID != q.ID {
					t.Error(got, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestFlight_OneAskerPays: what a translation has spent is one asker's to log, whoever leaves.
func TestFlight_OneAskerPays(t *testing.T) {
	spent := ask.Usage{Calls: 3, Cost: 7}
	for name, tt := range map[string]struct {
		leave []int
		fail  bool
	}{
		"all stay": {}, "the first leaves": {leave: []int{0}}, "all but one leave": {leave: []int{0, 2}}, "all leave": {leave: []int{2, 0, 1}},
		"it fails": {fail: true}, "the first leaves, it fails": {leave: []int{0}, fail: true},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate()
			next := ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
				made, err := g.Translate(ctx, q)
				if tt.fail || err != nil {
					return nil, ask.WithTranslation(ask.Errorf(ask.CodeNoCandidate, "none"), &ask.Translation{Usage: spent})
				}
				made.Usage = spent
				return made, nil
			})
			c, _ := newCache(t, next, nil)
			leave, done := joined(t, c, g, 3, question("q"))
			total := 0.0
			take := func(o outcome) {
				if o.t != nil {
					total += o.t.Usage.Cost
				} else if made := ask.TranslationOf(o.err); made != nil {
					total += made.Usage.Cost
				}
			}
			for _, i := range tt.leave {
				leave[i]()
				o := <-done[i]
				if !errors.Is(o.err, context.Canceled) {
					t.Errorf("the one who left got %v", o.err)
				}
				take(o)
			}
			close(g.release)
			for i, d := range done {
				if !slices.Contains(tt.leave, i) {
					take(<-d)
				}
			}
			if total != spent.Cost {
				t.Errorf("the askers account for %v of %v", total, spent.Cost)
			}
		})
	}
}
