package store

import "regexp"

// shortID is how much of an id is shown where space is short, in characters: the millisecond of a UUID of version 7.
const shortID = 13

// ShortID returns the beginning of an id. Get and the search for words take it for the id, unless another question came in
// the same millisecond.
func ShortID(id string) string { return id[:min(shortID, len(id))] }

// idForm is an id, or enough of its beginning to be told from words.
var idForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f-]{0,22})?$`)

// idBegins is a condition on the beginning of an id: its arguments are the beginning, and the same with afterID behind it.
// In every collation afterID sorts behind what an id can go on with.
const (
	idBegins = `id >= ? and id < ?`
	afterID  = "g"
)
