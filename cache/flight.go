package cache

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"askpg/ask"
)

// flights are the translations under way. Unlike a singleflight.Group, a call
// belongs to all who wait for it: one that leaves does not cancel it for the
// others, and the last one to leave does.
type flights struct {
	mu    sync.Mutex
	limit int
	byKey map[string]*flight
}

type flight struct {
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when t and err are set
	t      *ask.Translation
	err    error

	// guarded by flights.mu
	left    bool // the first waiter, whose rows the translation holds, did not wait
	paid    bool // a waiter has taken over what the translation has spent
	nextID  int
	waiters map[int]context.Context // by ids, to tell them what is being done
}

// do returns what call returns for key, of an earlier caller's call if one is
// under way (joined). What it spent is the caller's who pays: the first, or one who joined if the first has left.
// The context that call gets has the first caller's values and no deadline but the callers' patience.
func (f *flights) do(ctx context.Context, key string, call func(context.Context) (*ask.Translation, error)) (t *ask.Translation, joined, pays bool, err error) {
	f.mu.Lock()
	fl, joined := f.byKey[key]
	if !joined {
		if limit := f.limit; len(f.byKey) >= limit {
			f.mu.Unlock()
			return nil, false, false, ask.Errorf(ask.CodeInsufficientRes, "too many questions are being translated at once (%d)", limit).
				WithHint("Ask again in a moment, or raise cache.max_flights.")
		}
		callCtx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
		fl = &flight{cancel: cancel, done: make(chan struct{}), waiters: map[int]context.Context{}}
		f.byKey[key] = fl
		go f.run(ask.WithProgress(callCtx, func(message string) { f.tell(fl, message) }), key, fl, call)
	}
	fl.nextID++
	id := fl.nextID
	fl.waiters[id] = ctx
	f.mu.Unlock()

	select {
	case <-fl.done:
	case <-ctx.Done():
	}
	if last := f.leave(ctx, key, fl, id, joined); last {
		// What was spent until it was called off is known at its end.
		select {
		case <-fl.done:
		case <-time.After(endWait):
		}
	}
	select {
	case <-fl.done:
		if pays = f.pays(fl, joined); fl.err != nil && ctx.Err() != nil { // of what was called off too
			return nil, joined, pays, ask.WithTranslation(context.Cause(ctx), ask.TranslationOf(fl.err))
		}
		return fl.t, joined, pays, fl.err
	default:
		return nil, joined, false, context.Cause(ctx)
	}
}

// endWait is how long the last asker who leaves waits for the end of what he calls off. Calls of models and
// statements end when they are called off.
const endWait = time.Second

// pays says whether a waiter who has the outcome takes over what it cost.
func (f *flights) pays(fl *flight, joined bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl.paid || joined && !fl.left {
		return false
	}
	fl.paid = true
	return true
}

func (f *flights) run(ctx context.Context, key string, fl *flight, call func(context.Context) (*ask.Translation, error)) {
	defer func() {
		if v := recover(); v != nil {
			fl.t = nil
			fl.err = ask.Errorf(ask.CodeInternal, "the translation broke off").WithHint("The log of askpg says why.").Because(fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
		}
		f.end(key, fl)
		fl.cancel(nil)
	}()
	fl.t, fl.err = call(ctx)
}

// leave takes a waiter off; the last one calls an unfinished call off, and at
// once makes room for a new one.
func (f *flights) leave(ctx context.Context, key string, fl *flight, id int, joined bool) (last bool) {
	f.mu.Lock()
	if !joined {
		select {
		case <-fl.done:
		default:
			fl.left = true
		}
	}
	delete(fl.waiters, id)
	last = len(fl.waiters) == 0
	if last && f.byKey[key] == fl {
		delete(f.byKey, key)
	}
	f.mu.Unlock()
	if last {
		fl.cancel(context.Cause(ctx))
	}
	return last
}

// end makes the outcome known. Rows that nobody takes are dropped.
func (f *flights) end(key string, fl *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl.left && fl.t != nil {
		fl.t.Result.Release()
		fl.t.Result = nil
	}
	close(fl.done)
	if f.byKey[key] == fl {
		delete(f.byKey, key)
	}
}

func (f *flights) tell(fl *flight, message string) {
	f.mu.Lock()
	waiting := slices.Collect(maps.Values(fl.waiters))
	f.mu.Unlock()
	for _, ctx := range waiting {
		ask.Progress(ctx, message)
	}
}
