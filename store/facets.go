package store

import (
	"context"
	"fmt"
	"slices"
)

// Facets are the values that a filter can choose from.
type Facets struct {
	Databases    []string
	Roles        []string
	Applications []string
	Codes        []string
}

// facetsRead is how many of the newest translations of a scope are looked at for its facets.
const facetsRead = 10_000

// Facets returns the names that occur in the sums by day, or in the newest translations of a scope.
func (s *Store) Facets(ctx context.Context, scope Scope) (*Facets, error) {
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	f := &Facets{}
	kinds := map[string]*[]string{"database": &f.Databases, "role": &f.Roles, "application": &f.Applications, "code": &f.Codes}
	for kind, to := range kinds {
		query, args := `select label from totals where scope = 'all' and kind = ? group by label order by sum(n) desc, label limit 200`, []any{kind}
		if scope != nil {
			c := &clause{}
			c.within(scope, "")
			query = fmt.Sprintf(`select label from (select %s as label from translations%s order by seq desc limit %d) newest where label <> '' group by label order by count(*) desc, label limit 200`, kind, c, facetsRead)
			args = c.args
		}
		var err error
		if *to, err = s.texts(ctx, s.read, query, args...); err != nil {
			return nil, fmt.Errorf("filter values: %w", err)
		}
	}
	slices.Sort(f.Databases)
	slices.Sort(f.Roles)
	return f, nil
}
