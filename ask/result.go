package ask

import (
	"runtime"
	"sync"
)

// Result is a fetched result set: values in text format, nil for NULL.
type Result struct {
	Columns  []Column
	Rows     [][][]byte
	Complete bool // false if a cap cut the rows off

	Reads *Reads // nil if it is not known what the statement reads

	release func() // see Counted; nil if nobody counts the rows
}

// Counted has Release call back, once, for memory that is counted for the rows. Rows
// that are never released are given back when nothing refers to the result any more.
func (r *Result) Counted(back func()) {
	r.release = sync.OnceFunc(back)
	runtime.AddCleanup(r, func(release func()) { release() }, r.release)
}

// Release drops the rows and gives back the memory that is counted for them. Who has a
// result calls it when nobody reads the rows any more; a nil result, and a second call, do
// nothing.
func (r *Result) Release() {
	if r == nil || r.release == nil {
		return
	}
	r.Rows = nil
	r.release()
}
