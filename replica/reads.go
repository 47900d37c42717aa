package replica

import (
	"askpg/ask"
	"askpg/ask/analysed"
)

// reads returns the columns that an analysed statement reads, nil if it may read
// something else. It may do so by a function that is not known to read nothing, or by
// what the analysis has that is not understood.
func reads(tree string, l *lookup) *ask.Reads {
	q, err := analysed.Read(tree)
	if err != nil || q.Asks {
		return nil
	}
	for _, oid := range q.Operators {
		o := l.OperatorOf(oid)
		if o == nil {
			return nil
		}
		q.Functions = append(q.Functions, o.Function)
	}
	for _, oid := range q.Functions {
		f := l.FunctionOf(oid)
		if f == nil || !analysed.Pure(f.OID, f.Schema, f.Name, f.Volatile, f.Extension != "" && f.Superuser && !f.Procedural) {
			return nil
		}
	}
	return &ask.Reads{Columns: q.Columns}
}
