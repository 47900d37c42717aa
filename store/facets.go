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

// Facets returns the names that occur in the sums by day.
func (s *Store) Facets(ctx context.Context) (*Facets, error) {
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	f := &Facets{}
	for kind, to := range map[string]*[]string{"database": &f.Databases, "role": &f.Roles, "application": &f.Applications, "code": &f.Codes} {
		rows, err := s.read.QueryContext(ctx, s.bind(`select label from totals where scope = 'all' and kind = ? group by label order by sum(n) desc, label limit 200`), kind)
		if err != nil {
			return nil, fmt.Errorf("filter values: %w", err)
		}
		for rows.Next() {
			var v string
			if err := rows.Scan(&v); err != nil {
				rows.Close()
				return nil, fmt.Errorf("filter values: %w", err)
			}
			*to = append(*to, v)
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			return nil, fmt.Errorf("filter values: %w", err)
		}
	}
	slices.Sort(f.Databases)
	slices.Sort(f.Roles)
	return f, nil
}
