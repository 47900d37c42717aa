package joins

import (
	"strings"

	"askpg/catalog/schema"
)

// firstUserOID is that of the first type that is no system type (PostgreSQL
// documentation, "System Catalog Initial Data").
const firstUserOID = 16384

// sameDomain reports whether both columns have the same domain, which is made
// for values of one kind.
func sameDomain(a, b *schema.Column) bool {
	return a.TypeOID == b.TypeOID && a.TypeOID >= firstUserOID && a.Class != schema.Enum
}

// comparableTypes reports whether the columns' types can be compared without a cast.
func comparableTypes(a, b *schema.Column) bool {
	return a.Class == b.Class && (a.Class != schema.Enum || a.TypeOID == b.TypeOID) &&
		(a.Class != schema.Number || wholeNumber(a) && wholeNumber(b) || sameDomain(a, b))
}

func wholeNumber(c *schema.Column) bool {
	t, digits, _ := strings.Cut(c.Type, "(")
	switch t {
	case "integer", "bigint", "smallint":
		return true
	case "numeric":
		_, scale, ok := strings.Cut(digits, ",")
		return !ok || strings.TrimSpace(strings.TrimSuffix(scale, ")")) == "0"
	}
	return c.TypeOID >= firstUserOID // a domain
}
