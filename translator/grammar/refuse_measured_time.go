// Refusing times of things where what is measured of them has none.

package grammar

import (
	"fmt"
	"slices"
)

// refuseDueMeasure refuses a time that is compared with the due date of order lines where the orders have times, too: what was spent this
// year may have been ordered or been due in it.
func (p *parser) refuseDueMeasure(n *phrase) string {
	if n.set == nil || !n.set.isMeasured || n.set.time != nil {
		return ""
	}
	for _, c := range n.set.conditions {
		if c.kind != compare || c.op != "range" || !p.isDue(c.column) || p.mentionsColumn(c.column) {
			continue
		}
		for _, of := range n.set.conditions {
			if of.kind == related && of.child.isReadByMeasure && p.measureDated(of.child) {
				return fmt.Sprintf("It is not said whether %s is meant or a time of %s: define the time of the measure.", c.column.Name, of.child.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseMeasuredTime refuses a time that is compared with a column of things where the rows that are counted or added up have none: "top
// products by revenue this year" is not about products that were added this year.
func (p *parser) refuseMeasuredTime(n *phrase) string {
	if n.set == nil || !slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.unbound }) {
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
