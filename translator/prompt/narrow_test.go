package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/translator/prompt"
)

// Of a schema that is larger than it needs to be what is near the question is described, and
// what a measure reads that the question names; a small one, or one that was linked, is described whole.
func TestRender_Narrow(t *testing.T) {
	for _, test := range []struct {
		name    string
		edit    func(*prompt.Input)
		without string // relations that are not described
	}{
		{"Small", func(in *prompt.Input) { in.NarrowFrom = 100_000 }, ""},
		{"Never", func(in *prompt.Input) { in.NarrowFrom = 0 }, ""},
		{"NothingNear", func(in *prompt.Input) { in.Near = nil }, ""},
		{"Large", func(*prompt.Input) {}, "orders Revenue"},
		{"Measure", func(in *prompt.Input) {
			orders := in.Snapshot.Relations[1]
			in.Question = "turnover by country"
			in.Snapshot.Measures = []*catalog.Measure{{Name: "turnover", Relation: orders, Relations: []*catalog.Relation{orders}}}
		}, "Revenue"},
		{"Linked", func(in *prompt.Input) { in.Tables = in.Snapshot.Relations[1:] }, "customers"},
	} {
		for _, style := range prompt.Styles {
			in := input(style, prompt.Direct)
			in.History, in.Demos, in.Hits = nil, nil, nil
			in.Near, in.NarrowFrom = in.Snapshot.Relations[:1], 20
			test.edit(&in)
			p, err := prompt.Render(in)
			if err != nil {
				t.Fatal(err)
			}
			var without []string
			for _, r := range in.Snapshot.Relations {
				shown := false
				for _, s := range p.Shown {
					shown = shown || s == r
				}
				if !shown {
					without = append(without, r.Name.Name)
				}
			}
			if got := strings.Join(without, " "); got != test.without || p.Left != 0 {
				t.Errorf("%s, %s: %q are not shown, %d left out; want %q", test.name, style, got, p.Left, test.without)
			}
			if told := len(p.Shown) + len(p.Named); p.Part || in.Tables == nil && told != len(in.Snapshot.Relations) {
				t.Errorf("%s, %s: %d relations are said to be told with their columns", test.name, style, told)
			}
		}
	}
}

// What is not near the question is told by the names of its columns, as far as there is room, else by its own,
// and nothing private is among them.
func TestRender_Named(t *testing.T) {
	const columns = "orders(id, customer_id→customers, status order_status['open', 'shipped'], \"order\", placed date)\n"
	for _, test := range []struct {
		name    string
		edit    func(*prompt.Input)
		want    []string
		without []string
	}{
		{"Columns", func(*prompt.Input) {}, []string{columns, "reports.\"Revenue\"(\"Month\" date, made timestamp)\n"}, []string{"by name alone", "FOREIGN KEY (customer_id)", "orders.customer_id", "orders(customer_id)"}},
		{"Implied", func(in *prompt.Input) { in.Snapshot.ForeignKeys[0].Implied = true }, []string{"customer_id→?customers"}, nil},
		{"Private", func(in *prompt.Input) { in.Near = in.Snapshot.Relations[1:2] }, []string{"customers(id, name, country['DE', 'FR', 'O''Land']) \"People"}, []string{"card", "private"}},
		{"PrivateKey", func(in *prompt.Input) { in.Snapshot.Relations[0].Columns[0].Private = true }, []string{"customer_id, status"}, nil},
		{"Codes", func(in *prompt.Input) { in.Snapshot.Relations[1].Columns[3].Comment = "1 = open" }, []string{"\"order\" \"1 = open\""}, nil},
		{"Beside", func(in *prompt.Input) { in.Naming, in.Beside = 30, in.Snapshot.Relations[2:] }, []string{"Revenue\"(\"Month", "by name alone", ": orders\n"}, []string{"orders("}},
		{"Between", func(in *prompt.Input) { // customers are told; payments lead to them by orders
			orders, payments := in.Snapshot.Relations[1], &catalog.Relation{Name: catalog.Name{Schema: "public", Name: "payments"}}
			order := &catalog.Column{Relation: payments, Name: "order_id", Num: 1, Type: "bigint", Class: catalog.Number}
			payments.Columns = []*catalog.Column{order}
			in.Snapshot.Relations = append(in.Snapshot.Relations, payments)
			in.Snapshot.ForeignKeys = append(in.Snapshot.ForeignKeys, &catalog.ForeignKey{From: payments, To: orders, FromCols: payments.Columns, ToCols: orders.PrimaryKey})
			in.Naming, in.Beside = 68, []*catalog.Relation{payments, in.Snapshot.Relations[2]}
		}, []string{"payments(order_id→orders)\n", columns, ": reports.\"Revenue\"\n"}, []string{"Revenue\"("}},
		{"OnTheWay", func(in *prompt.Input) { // customers and refunds are told; from one to the other it goes by orders and payments
			before := in.Snapshot.Relations[1]
			for i, name := range []string{"payments", "refunds"} {
				r := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: name}}
				r.Columns = []*catalog.Column{{Relation: r, Name: "id", Num: 1, Type: "bigint", Class: catalog.Number}, {Relation: r, Name: "of", Num: 2, Type: "bigint", Class: catalog.Number}}
				r.PrimaryKey, r.OID = r.Columns[:1], uint32(100+i)
				in.Snapshot.Relations = append(in.Snapshot.Relations, r)
				in.Snapshot.ForeignKeys = append(in.Snapshot.ForeignKeys, &catalog.ForeignKey{From: r, To: before, FromCols: r.Columns[1:], ToCols: before.PrimaryKey})
				before = r
			}
			in.Near, in.Naming = []*catalog.Relation{in.Snapshot.Relations[0], before}, 68
		}, []string{"payments(id, of→orders)\n", columns, ": reports.\"Revenue\"\n"}, []string{"Revenue\"("}},
		{"Names", func(in *prompt.Input) { in.Naming = 8 }, []string{": orders, reports.\"Revenue\"\n"}, []string{"Further tables", "orders("}},
		{"NoRoom", func(in *prompt.Input) { in.Naming = 3 }, []string{": orders, and 1 more\n"}, []string{"Further tables", "orders("}},
	} {
		for _, style := range prompt.Styles {
			in := input(style, prompt.Direct)
			in.History, in.Demos, in.Hits = nil, nil, nil
			in.Near, in.NarrowFrom = in.Snapshot.Relations[:1], 20
			test.edit(&in)
			p, err := prompt.Render(in)
			if err != nil {
				t.Fatal(err)
			}
			if left := in.Naming == 3; p.Part != left {
				t.Errorf("%s, %s: some are not even named: %v, want %v", test.name, style, p.Part, left)
			}
			for _, want := range test.want {
				if !strings.Contains(p.User, want) {
					t.Errorf("%s, %s: %q is not in\n%s", test.name, style, want, p.User)
				}
			}
			for _, without := range test.without {
				if strings.Contains(p.User, without) {
					t.Errorf("%s, %s: %q is in\n%s", test.name, style, without, p.User)
				}
			}
		}
	}
}

// A value that is only near a word of the question says so.
func TestRender_NearValue(t *testing.T) {
	in := input(prompt.DDL, prompt.Direct)
	country := in.Snapshot.Relations[0].Columns[2]
	country.Profile.Distinct = 200
	in.Question, in.Hint = "customers from Olandd or DE", ""
	in.Hits = []catalog.Hit{
		{Column: country, Value: "O'Land", Start: 15, End: 21, Score: .7},
		{Column: country, Value: " Oland  d", Start: 15, End: 21, Score: .95},
		{Column: country, Value: "DE", Start: 25, End: 27, Score: 1, Exact: true},
	}
	p, err := prompt.Render(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- 'O''Land' (near 'Olandd') in customers.country\n", "- ' Oland  d' (near 'Olandd') in customers.country\n", "- 'DE' in customers.country\n"} {
		if !strings.Contains(p.User, want) {
			t.Errorf("%q is not in\n%s", want, p.User)
		}
	}
}

// Values that the description of all their columns lists are not told again. Nor are those of a key in the columns that
// refer to it, nor one value in too many columns. A comment lists none: its words need not be values.
func TestRender_ValuesOnce(t *testing.T) {
	in := input(prompt.DDL, prompt.Direct)
	customers, orders := in.Snapshot.Relations[0], in.Snapshot.Relations[1]
	name, country, buyer, status := customers.Columns[1], customers.Columns[2], orders.Columns[1], orders.Columns[2]
	name.Comment = "such as anonymous"
	in.Hits = []catalog.Hit{{Column: country, Value: "DE"}, {Column: status, Value: "open"}, {Column: name, Value: "anonymous"},
		{Column: customers.Columns[0], Value: "17"}, {Column: buyer, Value: "17"}, {Column: buyer, Value: "18"}}
	for i := range 8 {
		c := &catalog.Column{Relation: orders, Name: fmt.Sprintf("note%d", i), Class: catalog.Text, Type: "text"}
		orders.Columns = append(orders.Columns, c)
		in.Hits = append(in.Hits, catalog.Hit{Column: c, Value: "gift"})
	}
	in.Hits = append(in.Hits, catalog.Hit{Column: status, Value: "shipped"}, catalog.Hit{Column: name, Value: "shipped"})
	p, err := prompt.Render(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- 'anonymous' in customers.name\n", "- '17' in customers.id\n", "- '18' in orders.customer_id\n", "- 'gift' in orders.note0, orders.note1, orders.note2, orders.note3, orders.note4, orders.note5\n",
		"- 'shipped' in orders.status, customers.name\n"} {
		if !strings.Contains(p.User, want) {
			t.Errorf("%q is not in\n%s", want, p.User)
		}
	}
	if n := strings.Count(p.User, "\n- '"); n != 5 {
		t.Errorf("%d values are told, want 5:\n%s", n, p.User)
	}
	window := p.Tokens - 10 // in which values have no room
	for _, edit := range []func(){func() { in.Paper, in.Style = true, prompt.Reference }, func() { in.Paper, in.Style, in.Budget = false, prompt.DDL, window }} {
		edit()
		if p, err = prompt.Render(in); err != nil || !strings.Contains(p.User, "'open' in orders.status") {
			t.Errorf("a value is not told that the description need not have (%v):\n%s", err, p.User)
		}
	}
}

// A value of a column that was not linked is not named.
func TestRender_ValueOfUnlinked(t *testing.T) {
	in := input(prompt.DDL, prompt.Direct)
	customers := in.Snapshot.Relations[0]
	in.Tables, in.Cols = in.Snapshot.Relations[:1], map[*catalog.Column]bool{customers.Columns[0]: true, customers.Columns[1]: true}
	p, err := prompt.Render(in)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(p.User, "country holds") {
		t.Errorf("a value leads to a column that is not shown:\n%s", p.User)
	}
}

// Three cell values do not pass for all of them, nor the NULLs of some rows for
// an empty column.
func TestRender_References(t *testing.T) {
	in := input(prompt.Reference, prompt.Direct)
	customers, name := in.Snapshot.Relations[0], in.Snapshot.Relations[0].Columns[1]
	in.Privacy.Values, in.Paper = prompt.ValuesSamples, true
	for _, test := range []struct {
		typ     string
		cells   []string // "" for NULL
		profile *catalog.Profile
		want    string
	}{
		{"text", []string{"a", "b", "c"}, &catalog.Profile{Distinct: 3}, "name['a', 'b', 'c']"},
		{"text", []string{"a", "b", "c"}, &catalog.Profile{Distinct: 4}, "name['a', 'b', 'c', …]"},
		{"text", []string{"a", "b", "c"}, nil, "name['a', 'b', 'c', …]"},
		{"text", []string{"a", "a", ""}, &catalog.Profile{Distinct: 1}, "name['a']"},
		{"text", []string{"", "", ""}, &catalog.Profile{Distinct: 2, NullFrac: 0.9}, "name,"},
		{"text", []string{"", "", ""}, &catalog.Profile{Distinct: 2, NullFrac: 0.9, Common: []string{"x"}}, "name['x', …]"},
		{"text", []string{"", "", ""}, &catalog.Profile{NullFrac: 1}, "name[NULL]"},
		{"text", []string{" a", "b ", "c\nd"}, &catalog.Profile{Distinct: 3}, "name[' a', 'b ', 'c d']"},
		{"character(3)", []string{"a  ", "b  "}, &catalog.Profile{Distinct: 3, Common: []string{"c  "}}, "name['a', 'b', 'c']"},
	} {
		name.Profile, name.Type = test.profile, test.typ
		rows := prompt.Rows{Columns: []string{"name"}}
		for _, c := range test.cells {
			cell := []byte(c)
			if c == "" {
				cell = nil
			}
			rows.Cells = append(rows.Cells, [][]byte{cell})
		}
		in.Samples = prompt.Samples{customers: rows}
		p, err := prompt.Render(in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.User, test.want) {
			t.Errorf("%q, %+v: %q is not in\n%s", test.cells, test.profile, test.want, p.User[:400])
		}
	}
}

// A column of kinds of rows has examples wherever it stands. The labels of an enum type stand beside a comment that has
// them. Of names it is said whether they repeat.
func TestRender_Kinds(t *testing.T) {
	for _, style := range prompt.Styles {
		in := input(style, prompt.Direct)
		customers, orders := in.Snapshot.Relations[0], in.Snapshot.Relations[1]
		in.Hits, in.About = nil, map[*catalog.Column]bool{}
		orders.Columns[2].Comment = "open or shipped"
		customers.Columns[2].Profile.Distinct = 20
		customers.Columns[1].Profile = &catalog.Profile{Distinct: 900, Common: []string{"Zoe"}}
		p, err := prompt.Render(in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.User, "'open', 'shipped'") || !strings.Contains(p.User, "'DE', 'FR'") || strings.Contains(p.User, "'Zoe'") {
			t.Errorf("%s: no labels, no examples of kinds, or examples of names:\n%s", style, p.User)
		}
		if !strings.Contains(p.User, "names repeat") {
			t.Errorf("%s: nothing says that names repeat:\n%s", style, p.User)
		}
		customers.Columns[1].Profile.Distinct = 1195
		if p, err = prompt.Render(in); err != nil || !strings.Contains(p.User, "hardly a name repeats") {
			t.Errorf("%s: %v; nothing says that names hardly repeat:\n%s", style, err, p.User)
		}
	}
}
