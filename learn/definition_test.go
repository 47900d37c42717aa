package learn_test

import (
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/learn"
)

// TestDefinition_Entry: what a person gives is an entry of the semantics file that means it, whatever the words are.
func TestDefinition_Entry(t *testing.T) {
	snap := snapshot(t, "")
	db := snap.Database
	for want, d := range map[string]learn.Definition{
		"synonym public.staff\n[[table]]\ndatabase = \"DB\"\nname = \"public.staff\"\nsynonyms = [\"headcount\", \"people \\\"here\\\"\"]\n":                                     {Kind: "synonym", Of: "public.staff", Words: ` headcount,, people "here"`},
		"synonym staff.name\n[[column]]\ndatabase = \"DB\"\nname = \"staff.name\"\nsynonyms = [\"who\"]\n":                                                                       {Kind: "synonym", Of: "staff.name", Words: "who"},
		"description public.fees.due\n[[column]]\ndatabase = \"DB\"\nname = \"public.fees.due\"\ndescription = '''\ntwo\nlines'''\n":                                             {Kind: "description", Of: "public.fees.due", Words: "two\nlines"},
		"filter fees\n[[table]]\ndatabase = \"DB\"\nname = \"fees\"\nfilter = \"state <> 0\"\nagreed = \"2026-11-23 by Ada\"\n":                                                  {Kind: "filter", Of: "fees", Condition: "state <> 0"},
		"private members.name\n[[column]]\ndatabase = \"DB\"\nname = \"members.name\"\nprivate = true\n":                                                                         {Kind: "private", Of: "members.name"},
		"term dear fees\n[[term]]\ndatabase = \"DB\"\nname = \"dear fees\"\ntable = \"fees\"\ncondition = \"amount > 100\"\nagreed = \"2026-11-23 by Ada\"\n":                    {Kind: "term", Of: "fees", Words: "dear fees", Condition: "amount > 100"},
		"measure odd [[table]]\n[[measure]]\ndatabase = \"DB\"\nname = '''\nodd\n[[table]]'''\ntable = \"fees\"\nexpression = \"sum(amount)\"\nagreed = \"2026-11-23 by Ada\"\n": {Kind: "measure", Of: "fees", Words: "odd\n[[table]]", Expression: "sum(amount)"},
	} {
		d.Database = db
		want = "\n# added 2026-11-23 by Ada: " + strings.ReplaceAll(want, "DB", db)
		got := d.Entry(snap, "2026-11-23 by Ada")
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if err := catalog.CheckSemantics(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
		if s := snapshot(t, got); len(s.Problems) != 0 {
			t.Errorf("%s: %v", got, s.Problems)
		}
	}
}

// TestCorrected: a verified statement alone says what its named sums are, and which conditions the answer lacked.
func TestCorrected(t *testing.T) {
	snap := snapshot(t, "[[table]]\nname = 'members'\nfilter = 'left_on is null'\n")
	for _, c := range []struct{ answer, verified, want string }{
		{"", "SELECT sum(amount) AS takings FROM fees WHERE state = 2", "measure|takings|fees|sum(amount)|state = 2"},
		{"SELECT sum(amount) FROM fees", "SELECT sum(amount) AS takings FROM fees WHERE state = 2", "measure|takings|fees|sum(amount)|state = 2, filter||fees||state = 2"},
		{"SELECT sum(amount) FROM fees WHERE state = 2", "SELECT sum(f.amount) FROM fees f WHERE f.state = 2 AND f.amount > 0", "measure||fees|sum(amount)|amount > 0 AND state = 2, filter||fees||amount > 0"},
		{"SELECT count(*) FROM staff", "SELECT sum(amount) FROM fees WHERE state = 2", "measure||fees|sum(amount)|state = 2"},
		{"", "SELECT sum(amount), avg(amount) FROM fees WHERE state = 2", ""},                                                             // which of them has the name that is asked for is not known
		{"SELECT count(*) FROM members", "SELECT count(*) FROM members WHERE kind = 'adult'", "measure||members|count(*)|kind = 'adult'"}, // the table has a filter
		{"", "SELECT count(*) AS headcount FROM staff", ""},
		{"SELECT count(*) FROM lockers", "SELECT count(*) AS keys FROM lockers WHERE pin_token = 'SECRET'", ""},
		{"SELECT count(*) FROM staff", "DELETE FROM staff", ""},
		{"no SQL", "no SQL", ""},
		{"", "", ""},
	} {
		var got []string
		for _, d := range learn.Corrected(snap, []string{"public"}, c.answer, c.verified) {
			got = append(got, strings.Join([]string{d.Kind, d.Words, d.Of, d.Expression, d.Condition}, "|"))
			if d.Database != snap.Database {
				t.Errorf("of database %q", d.Database)
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s, in place of %s: %q, want %q", c.verified, c.answer, got, c.want)
		}
	}
}
