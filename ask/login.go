package ask

import (
	"fmt"
	"io"
	"sync"
)

// LoginKey is a key of SCRAM-SHA-256 (RFC 5802, section 3).
type LoginKey [32]byte

// Login is what a client has proved about itself when it logged in: the key by
// which askpg logs in elsewhere as the same user. It is kept for as long as the
// client's session lasts and no longer. It is safe for concurrent use.
type Login struct {
	user string

	mu             sync.Mutex
	client, server LoginKey
	held           bool
}

// NewLogin returns the login of a user with ClientKey and ServerKey.
func NewLogin(user string, client, server LoginKey) *Login {
	return &Login{user: user, client: client, server: server, held: true}
}

// User returns who has logged in.
func (l *Login) User() string { return l.user }

// Keys returns ClientKey and ServerKey, and false once the session has ended.
func (l *Login) Keys() (client, server LoginKey, held bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.client, l.server, l.held
}

// Forget overwrites the keys; a nil login has none.
func (l *Login) Forget() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.client, l.server, l.held = LoginKey{}, LoginKey{}, false
}

// Format writes the user, whatever the verb: the keys are in no text.
func (l *Login) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, l.user) }
