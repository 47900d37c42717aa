package schema

import (
	"fmt"
	"strings"
)

// ForeignKey is a join edge from one relation to another.
type ForeignKey struct {
	Name     string
	From, To *Relation
	FromCols []*Column
	ToCols   []*Column
	Implied  bool  // found by names, types and values, or in use, not declared
	Cost     int   // of a join over it, 0 for the default: 1, 2 if it is mined, 3 if it is implied otherwise
	Calls    int64 // of statements that join by it, as far as pg_stat_statements shows them to the role

	Guess    bool   // implied by values that may be there by chance: nothing else joins the relations
	Evidence string // what the values say of an implied key, for people and models; "" of others

	Mined     bool // known only by the statements that join by it
	Preferred bool // by an admin
}

// Identity is equal for keys that join the same columns.
func (k *ForeignKey) Identity() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d>%d", k.From.OID, k.To.OID)
	for i := range k.FromCols {
		fmt.Fprintf(&s, ",%d=%d", k.FromCols[i].Num, k.ToCols[i].Num)
	}
	return s.String()
}
