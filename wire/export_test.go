package wire

// MaxOutstanding is maxOutstanding.
const MaxOutstanding = maxOutstanding

// Fatal is fatal.
var Fatal = fatal

// Len returns the number of requests that have not been answered.
func (o *Order) Len() int { return o.n }
