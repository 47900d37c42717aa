package joins

import "askpg/catalog/schema"

// Start returns the relation that the step leaves.
func (j Join) Start() *schema.Relation { return Join{j.Key, !j.Reverse}.End() }
