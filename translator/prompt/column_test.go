package prompt_test

import (
	"strings"
	"testing"

	"askpg/translator/prompt"
)

// The key of several columns is told as one: no column of it is said to be a key.
func TestRender_CompositeKey(t *testing.T) {
	in := input(prompt.Profile, prompt.Direct)
	orders := in.Snapshot.Relations[1]
	orders.PrimaryKey = orders.Columns[:2]
	orders.Columns[0].Unique = false
	p, err := prompt.Render(in)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.User, "# orders, primary key (id, customer_id), about") || !strings.Contains(p.User, "- id: bigint\n- customer_id: bigint\n") {
		t.Errorf("a part of the key passes for the key:\n%s", p.User)
	}
}

// All values of a column stand beside a comment that has them too: only they say how the column spells them.
func TestRender_ValuesBesideComment(t *testing.T) {
	for _, narrowed := range []bool{false, true} {
		for _, style := range prompt.Styles {
			in := input(style, prompt.Direct)
			in.Hits = nil
			in.Snapshot.Relations[0].Columns[2].Comment = "DE, FR or O'Land = where it is"
			if narrowed {
				in.Near, in.NarrowFrom = in.Snapshot.Relations[1:2], 20
			}
			p, err := prompt.Render(in)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(p.User, "'DE', 'FR', 'O''Land'") {
				t.Errorf("%s, narrowed %v: no values beside the comment:\n%s", style, narrowed, p.User)
			}
		}
	}
}

// The line of a relation that is not described keeps what decides of its columns' comments, and what an administrator says of them.
func TestRender_DecisiveComments(t *testing.T) {
	in := input(prompt.DDL, prompt.Direct)
	in.Near, in.NarrowFrom = in.Snapshot.Relations[:1], 20
	orders := in.Snapshot.Relations[1]
	placed, number := orders.Column("placed"), orders.Column("order")
	number.Unit = "EUR"
	for comment, want := range map[string]string{
		"Soft delete (duplicates, test records): ignore the row when set": `placed date "Soft delete (duplicates, test records): ignore the row when set"`,
		"Day of the order. Rows without one are cancelled; see the wiki":  `placed date "Rows without one are cancelled")`,
		"Day\nof the order, as the customer has said it":                  "placed date)",
		"back on the road; NULL = still in the garage":                    `placed date "back on the road; NULL = still in the garage")`,
		"Not counted " + strings.Repeat("long ", 60):                      `long …")`,
	} {
		placed.Comment = comment
		p, err := prompt.Render(in)
		if err != nil {
			t.Fatal(err)
		}
		start := strings.Index(p.User, "-- orders(")
		line, _, _ := strings.Cut(p.User[max(0, start):], "\n")
		if start < 0 || !strings.Contains(line, want) || !strings.Contains(line, `"order" in EUR`) || len(line) > 250 {
			t.Errorf("%q: %q is not in %q", comment, want, line)
		}
	}
}

// Every form of the prompt says between which values the numbers of a column are, and two of them how many are NULL.
func TestRender_Statistics(t *testing.T) {
	for _, style := range prompt.Styles {
		in := input(style, prompt.Direct)
		in.Snapshot.Relations[1].Columns[3].Profile.NullFrac = 0.25
		p, err := prompt.Render(in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.User, "from 1 to 99") || strings.Contains(p.User, "25% null") != (style != prompt.Reference) {
			t.Errorf("%s:\n%s", style, p.User)
		}
	}
}
