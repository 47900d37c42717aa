package proxy

import (
	"testing"

	"askpg/ask"
)

// TestKeptRows has rows released whoever drops them, and those that are taken by nobody but
// who took them.
func TestKeptRows(t *testing.T) {
	session := ask.Session{Role: "a"}
	for name, tt := range map[string]struct {
		use      func(a *answered)
		released bool
	}{
		"taken":             {func(a *answered) { a.freshRows(nil, 0) }, false},
		"taken twice":       {func(a *answered) { a.freshRows(nil, 0).Release(); a.freshRows(nil, 0).Release() }, true},
		"sent":              {func(a *answered) { (&source{rows: &fetched{result: a.freshRows(nil, 0)}}).close() }, true},
		"dropped":           {func(a *answered) { a.rows.drop(); a.rows.drop() }, true},
		"in parts":          {func(a *answered) { a.freshRows(nil, 10) }, true},
		"in binary":         {func(a *answered) { a.freshRows([]int16{1}, 0) }, true},
		"of another role":   {func(a *answered) { a.info = &sessionInfo{session: ask.Session{Role: "b"}}; a.freshRows(nil, 0) }, true},
		"dropped when used": {func(a *answered) { a.freshRows(nil, 0); a.rows.drop() }, false},
	} {
		t.Run(name, func(t *testing.T) {
			released := 0
			rows := &ask.Result{Rows: [][][]byte{{[]byte("x")}}, Complete: true}
			rows.Counted(func() { released++ })
			a := &answered{question: ask.Question{Session: session}, info: &sessionInfo{session: session}, rows: newVoteRows(rows)}
			tt.use(a)
			if want := map[bool]int{true: 1}[tt.released]; released != want {
				t.Errorf("released %d times, not %d", released, want)
			}
			if tt.released != (rows.Rows == nil) {
				t.Error("the rows are not what was released")
			}
		})
	}
}

// TestKeptRows_Stale waits until rows that nobody wants are gone.
func TestKeptRows_Stale(t *testing.T) {
	released := make(chan struct{})
	rows := &ask.Result{Rows: [][][]byte{{[]byte("x")}}}
	rows.Counted(func() { close(released) })
	k := newVoteRows(rows)
	k.stale.Reset(0)
	<-released
	if k.take() != nil {
		t.Error("stale rows are handed out")
	}
}
