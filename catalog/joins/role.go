package joins

import (
	"slices"
	"strings"

	"askpg/catalog/schema"
)

// Role returns what the columns of a key say of the thing that they refer to,
// beside its name: billing of orders.billing_customer_id, owner of
// accounts.owner_id, nothing of orders.customer_id. Two columns that refer to
// the same key join their relations only if their roles are the same.
func Role(k *schema.ForeignKey) string {
	c := k.FromCols[0]
	name := strings.ToLower(c.Name)
	if abbreviation := sharedPrefix(c.Relation); abbreviation != "" && namesKey(name[len(abbreviation):]) {
		return strings.Trim(name[len(abbreviation):], "_")
	}
	target := append(canonicals(k.To.Name.Name), nameOf(k.ToCols[0]).noun...)
	said := slices.DeleteFunc(nameOf(c).noun, func(w string) bool { return slices.Contains(target, w) })
	return strings.Join(said, " ")
}
