package demo_test

import (
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/translator/demo"
)

func pool(t *testing.T) *demo.Pool {
	t.Helper()
	p, err := demo.Read(strings.NewReader(`{"question": "How many singers are there?", "sql": "select count(*) from singer"}
{"question": "What is the name of the youngest singer?", "sql": "select name from singer order by age limit 1"}

{"question": "List the farms in Ohio sorted by area", "gold": ["select * from farm where state = 'Ohio' order by area"]}
`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPool_Similar(t *testing.T) {
	p := pool(t)
	if got := p.Similar("name of the oldest singer", 1); len(got) != 1 || !strings.Contains(got[0].SQL, "order by age") {
		t.Fatalf("got %+v", got)
	}
	if got := p.SimilarMasked("How many <mask> are there?", 1); len(got) != 1 || !strings.Contains(got[0].SQL, "count") {
		t.Fatalf("got %+v", got)
	}
	if got := p.Similar("zzz", 3); len(got) != 0 {
		t.Fatalf("nothing is shared, got %+v", got)
	}
}

func TestRead_Error(t *testing.T) {
	for _, text := range []string{"{", `{"question": "x"}`} {
		if _, err := demo.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestMask(t *testing.T) {
	r := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: "customers"}}
	r.Columns = []*catalog.Column{{Relation: r, Name: "first_name"}, {Relation: r, Name: "city"}}
	s := &catalog.Snapshot{Relations: []*catalog.Relation{r}}
	q := "What is the first name of the 3 customers from Berlin?"
	at := strings.Index(q, "Berlin")
	if got, want := demo.Mask(q, s, []catalog.Hit{{Start: at, End: at + 6}}), "What is the <mask> of the <mask> from <mask>?"; got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
	if got, want := demo.MaskBySQL("How many singers from Ohio", "select count(*) from singer where state = 'Ohio'"), "How many <mask> from <mask>"; got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
}
