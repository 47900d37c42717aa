// Times that a row need not have: null, or a day in the far future.

package grammar

import "askpg/catalog"

// isOpenEnded reports whether a time that each row has is one in the far future where nothing has happened yet: 9999-12-31.
func isOpenEnded(c *catalog.Column) bool {
	return c.NotNull && (c.Class == catalog.Date || c.Class == catalog.Timestamp) && c.Profile != nil && c.Profile.Max >= farFuture && len(c.Profile.Max) >= len(farFuture)
}

// mayLack reports whether rows need not have a value of a column: it may be null, or a day that stands for none.
func mayLack(c *catalog.Column) bool { return !c.NotNull || isOpenEnded(c) }

// farFuture is a day that stands for none.
const farFuture = "2900-01-01"
