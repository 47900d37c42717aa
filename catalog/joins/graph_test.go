package joins_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// Where very many ways are as short, one of them is found, and it is said that there are others.
func TestGraph_PathOfMany(t *testing.T) {
	var keys []string
	for i := range 12 {
		for j := range 8 {
			keys = append(keys, fmt.Sprintf("m%dx%d>h%d", i, j, i), fmt.Sprintf("m%dx%d>h%d", i, j, i+1))
		}
	}
	s := newModel(keys...)
	path, ambiguous := s.Path(s.relation("h0"), s.relation("h12"))
	if len(path) != 24 || !ambiguous || path[23].End() != s.relation("h12") {
		t.Errorf("%d joins, ambiguous %v: %s", len(path), ambiguous, show(path))
	}
}

func TestGraph_Paths(t *testing.T) {
	s := newModel("flights>airports", "flights>airports", "staff>staff", "staff>shops", "shops>staff", "a~b", "a>x", "x>b", "alone")
	for _, c := range []struct {
		from, to string
		n        int
		want     []string
	}{
		{"a", "b", 3, []string{"2 a-x x-b", "3 a-b"}},
		{"a", "b", 1, []string{"2 a-x x-b"}},
		{"airports", "airports", 9, []string{"2 airports-flights flights-airports", "2 airports-flights flights-airports"}},
		{"staff", "staff", 9, []string{"1 staff-staff", "1 staff-staff", "2 staff-shops shops-staff", "2 staff-shops shops-staff"}},
		{"staff", "shops", 9, []string{"1 staff-shops", "1 staff-shops"}},
		{"x", "x", 9, []string{"5 x-a a-b b-x", "5 x-b b-a a-x"}},
		{"alone", "a", 9, nil},
	} {
		var got []string
		for _, p := range s.Paths(s.relation(c.from), s.relation(c.to), c.n, 9) {
			got = append(got, fmt.Sprint(p.Cost, " ", show(p.Joins)))
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%d from %s to %s: %q; want %q", c.n, c.from, c.to, got, c.want)
		}
	}
}

// The cheapest paths in random graphs are those among all paths.
func TestGraph_PathsAreCheapest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for round := range 400 {
		n := 2 + rnd.IntN(6)
		var keys []string
		for i := range n {
			keys = append(keys, fmt.Sprintf("t%d", i))
		}
		for range rnd.IntN(2 * n) {
			keys = append(keys, fmt.Sprintf("t%d%ct%d", rnd.IntN(n), ">>~"[rnd.IntN(3)], rnd.IntN(n)))
		}
		s := newModel(keys...)
		from, to := s.Relations[rnd.IntN(n)], s.Relations[rnd.IntN(n)]
		longest := 1 + rnd.IntN(7)
		want := costs(s, to, []*schema.Relation{from}, nil, longest)
		slices.Sort(want)
		want = want[:min(len(want), 5)]
		var got []int
		for _, p := range s.Paths(from, to, 5, longest) {
			got = append(got, p.Cost)
			at := from
			for _, j := range p.Joins {
				if j.Start() != at {
					t.Fatalf("round %d: joins do not follow each other: %s", round, show(p.Joins))
				}
				at = j.End()
			}
			if at != to {
				t.Fatalf("round %d: %s does not end at %s", round, show(p.Joins), to.Name.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("round %d, %v from %s to %s: costs %v, want %v", round, keys, from.Name.Name, to.Name.Name, got, want)
		}
	}
}

// costs returns what all paths to a relation cost that begin with those relations, joined so, and go on for at most so many joins.
func costs(s *model, to *schema.Relation, been []*schema.Relation, by []joins.Join, longest int) (all []int) {
	if longest == 0 {
		return nil
	}
	at := been[len(been)-1]
	for _, k := range s.ForeignKeys {
		for _, reverse := range []bool{false, true} {
			j := joins.Join{Key: k, Reverse: reverse}
			if j.Start() != at || len(by) == 1 && j.End() == been[0] && by[0].Key == k {
				continue
			}
			c := 1
			if k.Implied {
				c = 3
			}
			if j.End() == to {
				all = append(all, c)
			} else if !slices.Contains(been, j.End()) {
				for _, rest := range costs(s, to, append(slices.Clone(been), j.End()), append(slices.Clone(by), j), longest-1) {
					all = append(all, c+rest)
				}
			}
		}
	}
	return all
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
