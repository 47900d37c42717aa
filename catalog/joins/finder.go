package joins

import (
	"slices"
	"time"

	"askpg/catalog/schema"
)

// Finder adds to the declared keys between relations those that nobody has
// declared.
type Finder struct {
	Relations []*schema.Relation
	Keys      []*schema.ForeignKey // declared ones at first; each method adds to them
	Avoided   []string             // identities of keys that an admin does not want

	// Lookup returns one of the relations by its name, or nil.
	Lookup func(schema, name string) *schema.Relation

	// Limit is how long mining takes, and how long looking for implied keys.
	Limit time.Duration
}

// TakeOver adds the implied keys of an earlier snapshot between relations that
// are unchanged since.
func (f *Finder) TakeOver(old []*schema.ForeignKey, unchanged map[*schema.Relation]bool) {
	declared := map[*schema.Column]bool{}
	for _, k := range f.Keys {
		for _, c := range k.FromCols {
			declared[c] = true
		}
	}
	for _, k := range old {
		if k.Implied && !k.Mined && unchanged[k.From] && unchanged[k.To] && !declared[k.FromCols[0]] {
			c := *k
			c.Cost, c.Calls = 0, 0
			f.Keys = append(f.Keys, &c)
		}
	}
}

func (f *Finder) avoided(k *schema.ForeignKey) bool { return slices.Contains(f.Avoided, k.Identity()) }

// isPrimaryKey reports whether a column is the whole primary key of its
// relation.
func isPrimaryKey(c *schema.Column) bool {
	key := c.Relation.PrimaryKey
	return len(key) == 1 && key[0] == c
}

func joinable(c schema.Class) bool {
	return c == schema.Number || c == schema.Text || c == schema.UUID || c == schema.Enum
}
