package ask

import "unsafe"

// Bytes is about what the translation takes in memory without its rows.
func (t *Translation) Bytes() int {
	n := len(t.SQL) + len(t.Whole) + len(t.Understood) + len(t.Plan) + TextBytes(t.Demos) + TextBytes(t.Notices) + ColumnBytes(t.Columns)
	for i := range t.Candidates {
		c := &t.Candidates[i]
		n += int(unsafe.Sizeof(*c)) + len(c.SQL) + len(c.Fingerprint) + len(c.Understood)
		if c.Err != nil {
			n += int(unsafe.Sizeof(*c.Err)) + len(c.Err.Message) + len(c.Err.Detail) + len(c.Err.Hint)
		}
	}
	for i := range t.Linked {
		l := &t.Linked[i]
		n += int(unsafe.Sizeof(*l)) + len(l.Words) + len(l.Object) + len(l.Value)
	}
	return n
}

// TextBytes counts what a short text takes beyond its letters: in FROM a, a, a each of
// two bytes takes 30.
func TextBytes(texts []string) int {
	n := 0
	for _, s := range texts {
		n += int(unsafe.Sizeof(s)) + 12 + len(s)
	}
	return n
}

// ColumnBytes takes 16 bytes for a name: it is at most 63 long.
func ColumnBytes(columns []Column) int {
	return len(columns) * (int(unsafe.Sizeof(Column{})) + 16)
}
