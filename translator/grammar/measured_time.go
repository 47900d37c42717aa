// Times of things where what is measured of them has none.

package grammar

import (
	"fmt"
	"slices"
)

// measuredTime refuses a time that nobody said of the things, where what is added up or counted for them is in rows without a time:
// "top products by revenue this year", where the products have the day on which they were added.
func (p *parser) measuredTime(n *phrase) string {
	if n.set == nil || !slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.bare }) {
		return ""
	}
	measures := slices.Clone(n.items)
	for _, o := range n.order {
		measures = append(measures, o.by)
	}
	for _, m := range measures {
		of := n.set.find(m.setID)
		if m.aggregate == "" || of == nil || of == n.set || len(p.lexicon.relationInfo[of.relation].dates) > 0 {
			continue
		}
		return fmt.Sprintf("%s says nothing of times: leave the time out, or say of what it is, as in \"added this year\".", of.relation.Name.Name)
	}
	return ""
}
