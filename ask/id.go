package ask

import "github.com/google/uuid"

// NewID returns a new translation id: a UUID of version 7 (RFC 9562), so that
// ids sort by time.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }
