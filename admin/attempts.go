package admin

import (
	"cmp"
	"net/http"
	"strconv"
	"sync"
	"time"

	"askpg/ask"
)

// attempts slow guesses down, of tokens or of codes of the OpenID provider, by the address that they come from: after a few wrong
// ones it has to wait, each time twice as long, before another one of it is looked at. Who is signed in goes on meanwhile.
type attempts struct {
	mu   sync.Mutex
	from map[string]*attempt
}

type attempt struct {
	failures int
	last     time.Time
	next     time.Time // none is looked at before
}

const (
	freeAttempts   = 5
	firstPause     = time.Second
	longestPause   = time.Minute
	forgetAttempts = 15 * time.Minute
	maxAttempts    = 10_000 // addresses that are remembered
)

func newAttempts() *attempts { return &attempts{from: map[string]*attempt{}} }

// wait returns how long the sender of a request has to wait before a token or code of his is looked at.
func (a *attempts) wait(r *http.Request) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.from[clientAddress(r)]; t != nil {
		return max(0, time.Until(t.next))
	}
	return 0
}

// recordFailure notes a wrong token or code.
func (a *attempts) recordFailure(r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	key := clientAddress(r)
	t := a.from[key]
	if t == nil || now.Sub(t.last) > forgetAttempts {
		a.evict()
		t = &attempt{}
		a.from[key] = t
	}
	t.failures++
	t.last = now
	if over := t.failures - freeAttempts; over > 0 {
		t.next = now.Add(min(longestPause, firstPause<<min(over-1, 10)))
	}
}

// evict forgets one of a few addresses if there are too many: whoever was quiet longest.
func (a *attempts) evict() {
	if len(a.from) < maxAttempts {
		return
	}
	oldest, seen := "", 0
	for key, t := range a.from {
		if oldest == "" || t.last.Before(a.from[oldest].last) {
			oldest = key
		}
		if seen++; seen == 32 {
			break
		}
	}
	delete(a.from, oldest)
}

// clientAddress is whose failures those of a request are.
func clientAddress(r *http.Request) string { return cmp.Or(ask.Subscriber(r.RemoteAddr), r.RemoteAddr) }

// tooSoon answers a request whose sender has to wait.
func tooSoon(w http.ResponseWriter, what string, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
	answer(w, http.StatusTooManyRequests, "Too many "+what+" came from here. Try again in "+wait.Round(time.Second).String()+".")
}
