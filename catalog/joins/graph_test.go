package joins_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"askpg/catalog/joins"
	"askpg/catalog/schema"
)

// model is a graph and what it is made of.
type model struct {
	*joins.Graph
	Relations   []*schema.Relation
	ForeignKeys []*schema.ForeignKey
}

func (s *model) relation(name string) *schema.Relation {
	for _, r := range s.Relations {
		if r.Name.Name == name {
			return r
		}
	}
	return nil
}

// newModel makes a model of keys written "a>b", or "a~b" for implied ones.
func newModel(keys ...string) *model {
	s := &model{}
	rel := func(name string) *schema.Relation {
		if r := s.relation(name); r != nil {
			return r
		}
		r := &schema.Relation{Name: schema.Name{Schema: "public", Name: name}}
		s.Relations = append(s.Relations, r)
		return r
	}
	for _, k := range keys {
		sep := ">"
		if strings.Contains(k, "~") {
			sep = "~"
		}
		from, to, ok := strings.Cut(k, sep)
		f := rel(from)
		if ok {
			s.ForeignKeys = append(s.ForeignKeys, &schema.ForeignKey{Name: k, From: f, To: rel(to), Implied: sep == "~"})
		}
	}
	s.Graph = joins.NewGraph(s.Relations, s.ForeignKeys)
	return s
}

func show(path []joins.Join) string {
	var s []string
	for _, j := range path {
		s = append(s, j.Start().Name.Name+"-"+j.End().Name.Name)
	}
	return strings.Join(s, " ")
}

func TestGraph_Path(t *testing.T) {
	s := newModel("orders>customers", "items>orders", "items>products", "products>vendors", "flights>airports", "flights>airports",
		"self>self", "a~b", "a>x", "x>b", "p~q", "p>r1", "r1>r2", "r2>q", "alone")
	for _, c := range []struct {
		from, to, want string
		ambiguous      bool
	}{
		{"customers", "vendors", "customers-orders orders-items items-products products-vendors", false},
		{"vendors", "items", "vendors-products products-items", false},
		{"flights", "airports", "flights-airports", true},
		{"a", "b", "a-x x-b", false},
		{"p", "q", "", true}, // three declared joins cost what an implied one does
		{"alone", "a", "", false},
		{"self", "self", "", false},
	} {
		path, ambiguous := s.Path(s.relation(c.from), s.relation(c.to))
		if got := show(path); got != c.want && c.want != "" || ambiguous != c.ambiguous || c.want == "" && !c.ambiguous && path != nil {
			t.Errorf("%s to %s: %q, ambiguous %v; want %q, %v", c.from, c.to, got, ambiguous, c.want, c.ambiguous)
		}
	}
	if path, _ := s.Path(s.relation("a"), &schema.Relation{}); path != nil {
		t.Errorf("a path to a relation of another snapshot: %v", path)
	}
}

// The path in random graphs is compared with distances and numbers of ways that
// are worked out relation by relation.
func TestGraph_PathIsShortest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for round := range 400 {
		n := 2 + rnd.IntN(40)
		var keys []string
		for i := range n {
			keys = append(keys, fmt.Sprintf("t%d", i))
		}
		for range rnd.IntN(3 * n) {
			a, b := rnd.IntN(n), rnd.IntN(n)
			if rnd.IntN(3) == 0 {
				b = 0 // that many refer to
			}
			keys = append(keys, fmt.Sprintf("t%d%ct%d", a, ">>~"[rnd.IntN(3)], b))
		}
		s := newModel(keys...)
		from, to := s.Relations[rnd.IntN(n)], s.Relations[rnd.IntN(n)]
		cost, ways := distances(s, from)
		path, ambiguous := s.Path(from, to)
		got, at := 0, from
		for _, j := range path {
			if j.Start() != at {
				t.Fatalf("round %d: joins do not follow each other: %s", round, show(path))
			}
			at = j.End()
			if got++; j.Key.Implied {
				got += 2
			}
		}
		joined := from != to && ways[to] > 0
		if joined != (path != nil) || joined && (got != cost[to] || at != to || ambiguous != (ways[to] > 1)) {
			t.Fatalf("round %d, %v from %s to %s: %s costs %d, ambiguous %v; want %d, %d ways", round, keys, from.Name.Name, to.Name.Name, show(path), got, ambiguous, cost[to], ways[to])
		}
	}
}

// distances returns the cost of the cheapest path to each relation and the
// number of paths that cheap.
func distances(s *model, from *schema.Relation) (cost, ways map[*schema.Relation]int) {
	cost, ways = map[*schema.Relation]int{from: 0}, map[*schema.Relation]int{from: 1}
	for d := range 3 * len(s.Relations) {
		for _, k := range s.ForeignKeys {
			c := 1
			if k.Implied {
				c = 3
			}
			for _, ends := range [][2]*schema.Relation{{k.From, k.To}, {k.To, k.From}} {
				at, ok := cost[ends[0]]
				if !ok || at+c != d || ends[0] == ends[1] {
					continue
				}
				if _, ok := cost[ends[1]]; !ok {
					cost[ends[1]] = d
				}
				if cost[ends[1]] == d {
					ways[ends[1]] += ways[ends[0]]
				}
			}
		}
	}
	return cost, ways
}
