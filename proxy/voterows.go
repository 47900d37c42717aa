package proxy

import (
	"maps"
	"sync"
	"time"

	"askpg/ask"
)

// freshness is how old rows that the vote fetched may be when a client executes what it
// has prepared.
const freshness = 5 * time.Second

// voteRows are the rows that the vote fetched, for one use while they are fresh. A
// session keeps those of its last question alone.
type voteRows struct {
	mu    sync.Mutex
	rows  *ask.Result // nil when they were taken or dropped
	stale *time.Timer
}

func newVoteRows(rows *ask.Result) *voteRows {
	k := &voteRows{rows: rows}
	k.stale = time.AfterFunc(freshness, k.drop)
	return k
}

// take returns the rows, nil if they are gone. The caller releases them.
func (k *voteRows) take() *ask.Result {
	if k == nil {
		return nil
	}
	k.stale.Stop()
	k.mu.Lock()
	defer k.mu.Unlock()
	rows := k.rows
	k.rows = nil
	return rows
}

// drop releases the rows if nobody has taken them.
func (k *voteRows) drop() { k.take().Release() }

// freshRows returns the rows that are at hand if they are what the query would return
// now, for one use. The caller releases them. Rows that are fetched in parts come from
// the replica: who has them may take his time.
func (a *answered) freshRows(formats []int16, max uint32) *ask.Result {
	rows := a.rows.take()
	if rows == nil || max == 0 && allText(formats) && sameSession(&a.question.Session, &a.info.session) {
		return rows
	}
	rows.Release()
	return nil
}

func sameSession(a, b *ask.Session) bool {
	return a.Role == b.Role && a.RoleOID == b.RoleOID && a.Database == b.Database && maps.Equal(a.Settings, b.Settings)
}
