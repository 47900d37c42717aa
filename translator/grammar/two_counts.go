// Counting two kinds of things in one question: "how many customers and orders".

package grammar

// twoCounts counts two kinds of things, each for itself, where a counts one and b stands for others or
// counts them. It is nil of other phrases. What is said of the last kind alone may be meant of both, and then the reading says so.
func (p *parser) twoCounts(a, b *phrase) *phrase {
	counts := func(n *phrase) bool { return countedSet(n) != nil && len(n.items) == 1 }
	if !counts(a) || !counts(b) && !(b.isEntity() && countedSet(b) != nil && b.number == "" && p.isPlural(b)) {
		return nil
	}
	n := &phrase{ratio: []*phrase{a, b}, beside: true}
	if !counts(b) {
		n.ratio[1] = p.counted(b)
		if len(b.set.conditions) > 0 {
			n.unsaid = "It is not said whether that holds of both kinds of things: ask how many there are of each."
		}
	}
	return n
}
