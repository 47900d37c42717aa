package catalog

// Semantics is what an admin says about the database beyond its catalog.
type Semantics struct{}

// terms returns the terms of the synonyms of a relation (c nil) or column.
func (s *Semantics) terms(r *Relation, c *Column) []string { return nil }
