package joins_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"askpg/catalog/joins"
	"askpg/catalog/schema"
)

// manyViews returns tables, each with a view that joins it to itself and says what its codes stand for.
func manyViews(n int) (relations []*schema.Relation) {
	for i := range n {
		table := &schema.Relation{Name: schema.Name{Schema: "public", Name: fmt.Sprintf("t%d", i)}, OID: uint32(i), Kind: schema.Table}
		for j, name := range []string{"state", "parent"} {
			table.Columns = append(table.Columns, &schema.Column{Relation: table, Name: name, Num: int16(j + 1), Class: schema.Number, Type: "integer", TypeOID: 23})
		}
		view := &schema.Relation{Name: schema.Name{Schema: "public", Name: fmt.Sprintf("v%d", i)}, Kind: schema.View}
		view.Definition = fmt.Sprintf("SELECT CASE a.state WHEN 1 THEN 'open' WHEN 2 THEN 'paid' END AS s%s FROM t%d a JOIN t%d b ON a.parent = b.state",
			strings.Repeat(", 1 + 2 + 3", 100), i, i)
		relations = append(relations, table, view)
	}
	return relations
}

// TestViewsWithinLimit has more views than can be read in time: whoever may create views decides how many there are.
func TestViewsWithinLimit(t *testing.T) {
	const views = 2000
	for _, tt := range []struct {
		views int
		limit time.Duration
		all   bool
	}{{2, time.Hour, true}, {views, time.Millisecond, false}} {
		relations := manyViews(tt.views)
		joins.Decode(relations, tt.limit)
		decoded := 0
		for _, r := range relations {
			if r.Kind == schema.Table && len(r.Columns[0].Labels) > 0 {
				decoded++
			}
		}
		f := joins.Finder{Relations: relations, Lookup: func(_, _ string) *schema.Relation { return nil }, Limit: tt.limit}
		if err := f.Mine(context.Background(), nil, false); err != nil {
			t.Fatal(err)
		}
		if (decoded == tt.views) != tt.all || (len(f.Keys) == tt.views) != tt.all {
			t.Errorf("%d views, limit %s: %d decoded, %d mined; want all: %v", tt.views, tt.limit, decoded, len(f.Keys), tt.all)
		}
	}
}
