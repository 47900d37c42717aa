package store

import (
	"context"
	"fmt"
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
	ctx, cancel := s.within(ctx)
	defer cancel()
	f := &Facets{}
	for _, q := range []struct {
		to    *[]string
		query string
	}{
		{&f.Databases, `select distinct database from totals where kind = 'outcome' order by 1 limit 200`},
		{&f.Roles, `select distinct role from totals where kind = 'outcome' order by 1 limit 200`},
		{&f.Applications, `select label from totals where kind = 'application' group by label order by sum(n) desc, label limit 200`},
		{&f.Codes, `select label from totals where kind = 'code' group by label order by sum(n) desc, label limit 200`},
	} {
		rows, err := s.read.QueryContext(ctx, q.query)
		if err != nil {
			return nil, fmt.Errorf("filter values: %w", err)
		}
		for rows.Next() {
			var v string
			if err := rows.Scan(&v); err != nil {
				rows.Close()
				return nil, fmt.Errorf("filter values: %w", err)
			}
			*q.to = append(*q.to, v)
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			return nil, fmt.Errorf("filter values: %w", err)
		}
	}
	return f, nil
}
