package prompt

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// maxSiblings bounds the joins that siblings writes.
const maxSiblings = 20

// siblings writes the joins of described relations that refer to the same key of
// one that is not shown, in the same role: where linking left that one out, and no keys join them.
func (in *Input) siblings(w renderer, n names, shown []*catalog.Relation) string {
	if in.Tables == nil {
		return ""
	}
	described := make(map[*catalog.Relation]bool, len(shown))
	for _, r := range shown {
		described[r] = true
	}
	part := in.parts(append(slices.Clone(shown), in.named...))
	type what struct {
		key  *catalog.Column
		role string
	}
	first := map[what]*catalog.ForeignKey{}
	var b strings.Builder
	written := 0
	for _, k := range in.Snapshot.ForeignKeys {
		if _, known := part[k.To]; known || !described[k.From] || len(k.FromCols) != 1 || !in.visible(k.FromCols) || k.ToCols[0].Private || k.Guess {
			continue
		}
		as := what{k.ToCols[0], catalog.Role(k)}
		o := first[as]
		if o == nil {
			first[as] = k
			continue
		}
		if part[o.From] == part[k.From] || written == maxSiblings {
			continue
		}
		written++
		fmt.Fprintf(&b, "%s%s.%s = %s.%s joins them: both refer to %s\n", w.aside(), n.relation(o.From), ident(o.FromCols[0].Name),
			n.relation(k.From), ident(k.FromCols[0].Name), n.relation(k.To))
	}
	if written == 0 {
		return ""
	}
	return b.String() + strings.TrimSpace(w.aside()) + "\n"
}

// parts numbers relations; those that keys join have the same number.
func (in *Input) parts(relations []*catalog.Relation) map[*catalog.Relation]int {
	part := make(map[*catalog.Relation]int, len(relations))
	for i, r := range relations {
		part[r] = i
	}
	for joined := true; joined; {
		joined = false
		for _, k := range in.Snapshot.ForeignKeys {
			from, ok := part[k.From]
			to, both := part[k.To]
			if ok && both && from != to && !k.Guess && in.visible(k.FromCols) && in.visible(k.ToCols) {
				part[k.From], part[k.To] = min(from, to), min(from, to)
				joined = true
			}
		}
	}
	return part
}
