// Package joins knows how relations join. It finds keys that nobody declared,
// by names and values (implied keys) or by the statements that use them (mined
// keys). It searches the graph of all keys for the cheapest paths.
package joins

import (
	"slices"

	"askpg/catalog/schema"
)

// Join is one step of a join path: a foreign key followed in one direction.
type Join struct {
	Key     *schema.ForeignKey
	Reverse bool // from Key.To to Key.From
}

// End returns the relation that the step reaches.
func (j Join) End() *schema.Relation {
	if j.Reverse {
		return j.Key.From
	}
	return j.Key.To
}

// Costs of a join: an implied key has to be shorter by two tables to be
// preferred to declared ones.
const (
	declaredCost = 1
	minedCost    = 2
	impliedCost  = 3
	guessCost    = 9
	// preferredCost is that of a join that an admin wrote down. notPreferred
	// is the factor on the cost of all others once there is one: a path of
	// three preferred joins costs as much as one other.
	preferredCost = 1
	notPreferred  = 3
)

// cost returns the cost of a join over a key.
func cost(k *schema.ForeignKey) int {
	switch {
	case k.Cost > 0:
		return k.Cost
	case k.Mined:
		return minedCost
	case k.Guess:
		return guessCost
	case k.Implied:
		return impliedCost
	}
	return declaredCost
}

// Weigh makes joins that an admin prefers cheaper than all others.
func Weigh(keys []*schema.ForeignKey) {
	if !slices.ContainsFunc(keys, func(k *schema.ForeignKey) bool { return k.Preferred }) {
		return
	}
	for _, k := range keys {
		if k.Preferred {
			k.Cost = preferredCost
			continue
		}
		k.Cost = 0
		k.Cost = cost(k) * notPreferred
	}
}
