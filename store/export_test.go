package store

import "time"

// Counted and Budgeted with a clock, for their tests.
var (
	CountedAt  = counted
	BudgetedAt = budgeted
)

// CancelMessage is a cancel request as an instance sends it at a time.
func CancelMessage(secret, key []byte, now time.Time) ([]byte, error) {
	r, err := newCancelRequest(secret, key, now)
	return r[:], err
}

// ForgetTemplates has the examples with parameters compiled anew.
func (s *Store) ForgetTemplates() {
	s.templates.mu.Lock()
	defer s.templates.mu.Unlock()
	s.templates.set = nil
}
