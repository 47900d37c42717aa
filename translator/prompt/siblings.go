package prompt

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// maxSiblings bounds the joins that siblings writes.
const maxSiblings = 20

// siblings writes the joins of shown relations that refer to the same key of
// one that is not shown, in the same role: where linking left that one out, nothing else says
// that they belong together.
func (in *Input) siblings(w renderer, n *names, shown []*catalog.Relation) string {
	if in.Tables == nil {
		return ""
	}
	among := make(map[*catalog.Relation]bool, len(shown))
	for _, r := range append(slices.Clone(shown), in.named...) {
		among[r] = true
	}
	type what struct {
		key  *catalog.Column
		role string
	}
	first := map[what]*catalog.ForeignKey{}
	var b strings.Builder
	written := 0
	for _, k := range in.Snapshot.ForeignKeys {
		if !among[k.From] || among[k.To] || len(k.FromCols) != 1 || !in.visible(k.FromCols) || k.ToCols[0].Private || k.Guess {
			continue
		}
		as := what{k.ToCols[0], catalog.Role(k)}
		o := first[as]
		if o == nil {
			first[as] = k
			continue
		}
		if o.From == k.From || written == maxSiblings {
			continue
		}
		written++
		fmt.Fprintf(&b, "%s%s.%s = %s.%s joins them: both refer to %s\n", w.aside(), n.relation(o.From), ident(o.FromCols[0].Name),
			n.relation(k.From), ident(k.FromCols[0].Name), n.relation(k.To))
	}
	if written == 0 {
		return ""
	}
	return b.String() + "\n"
}
