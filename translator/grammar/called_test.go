package grammar_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/translator/grammar"
)

// sketch makes a snapshot of tables, each a line: its name, its columns, and behind "--" its comment. A column is its name and its
// type: n a number, t a text that tells rows apart, d a date, ts a timestamp, b yes or no, c/a/b a text with the values a and b. One
// with > is a key to a table. The first column is the primary key. What stands in quotes behind it is the column's comment.
func sketch(t *testing.T, name, text string) *catalog.Snapshot {
	t.Helper()
	const rows = 200
	s := &catalog.Snapshot{Database: name, Role: "me", Values: &catalog.Values{}}
	byName := map[string]*catalog.Relation{}
	type pointer struct {
		from *catalog.Column
		to   string
	}
	var keys []pointer
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		line, comment, _ := strings.Cut(strings.TrimSpace(line), " -- ")
		table, columns, _ := strings.Cut(line, ": ")
		r := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: table}, OID: uint32(i + 1), Kind: catalog.Table, Rows: rows, Comment: comment}
		for k, text := range strings.Split(columns, ", ") {
			text, said, _ := strings.Cut(text, " \"")
			c := &catalog.Column{Relation: r, Num: int16(k + 1), NotNull: true, Comment: strings.TrimSuffix(said, "\"")}
			if from, to, ok := strings.Cut(text, ">"); ok {
				c.Name, c.Class, c.Profile = from, catalog.Number, &catalog.Profile{Distinct: 20}
				keys = append(keys, pointer{c, to})
			} else {
				var kind string
				c.Name, kind, _ = strings.Cut(text, " ")
				kind, c.NotNull = strings.TrimSuffix(kind, "?"), !strings.HasSuffix(kind, "?")
				list := strings.Split(kind, "/")
				c.Class = map[string]catalog.Class{"": catalog.Number, "n": catalog.Number, "t": catalog.Text, "d": catalog.Date, "ts": catalog.Timestamp, "b": catalog.Boolean, "c": catalog.Text}[list[0]]
				c.Profile = &catalog.Profile{Distinct: rows}
				if len(list) > 1 {
					c.Profile = &catalog.Profile{Distinct: float64(len(list) - 1), Common: list[1:]}
				}
			}
			c.Unique = k == 0
			r.Columns = append(r.Columns, c)
		}
		r.PrimaryKey = r.Columns[:1]
		s.Relations = append(s.Relations, r)
		byName[table] = r
	}
	for _, k := range keys {
		to := byName[k.to]
		if to == nil {
			t.Fatalf("%s: no table %s", name, k.to)
		}
		s.ForeignKeys = append(s.ForeignKeys, &catalog.ForeignKey{From: k.from.Relation, To: to, FromCols: []*catalog.Column{k.from}, ToCols: to.PrimaryKey})
	}
	return s
}

// called asks a question and says what of the wanted objects, such as "staff.salary", the best reading does not use, "" if it uses
// all. A question of which nothing is wanted has to be refused or to have two readings.
func called(question, wanted string, s *catalog.Snapshot) string {
	list, err := grammar.Interpret(question, "", s, grammar.Options{})
	if wanted == "" {
		if err == nil && !(len(list) > 1 && list[1].Near) {
			return "answered: " + list[0].SQL
		}
		return ""
	}
	if err != nil {
		return fmt.Sprintf("refused: %v", err)
	}
	if len(list) > 1 && list[1].Near {
		return "two readings: " + list[0].SQL + "; " + list[1].SQL
	}
	for _, w := range strings.Fields(wanted) {
		if !usesObject(list[0], w) {
			return "WRONG: " + list[0].SQL
		}
	}
	return ""
}

// usesObject reports whether the SQL of a reading uses a table or a column.
func usesObject(i grammar.Interpretation, object string) bool {
	for _, l := range i.Linked {
		if l.Object == "public."+object {
			return true
		}
	}
	return false
}

// TestCalled asks simple questions of tables of all trades, whose names are written out, cut short or in capitals, in the words of people
// who have not seen them. testdata/called.txt has the tables, and behind each question what the answer has to use; nothing where it has
// to be refused or asked back.
func TestCalled(t *testing.T) {
	data, err := os.ReadFile("testdata/called.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(data), "\n=== ")[1:] {
		name, part, _ := strings.Cut(part, "\n")
		tables, questions, _ := strings.Cut(part, "\n---\n")
		s := sketch(t, name, tables)
		for line := range strings.SplitSeq(strings.TrimSpace(questions), "\n") {
			question, wanted, _ := strings.Cut(line, " =>")
			if why := called(question, strings.TrimSpace(wanted), s); why != "" {
				t.Errorf("%s: %s: want %s: %s", name, question, wanted, why)
			}
		}
	}
}

// TestCalled_Number shows rows without a name by the number that people know them by, and not by their key. Where there is none, they are shown
// whole.
func TestCalled_Number(t *testing.T) {
	s := sketch(t, "parcels", `
shipments: shipment_id, tracking_number t, service c/express/standard, shipped_at ts, delivered_at ts?, remark t?
visits: visit_id, reason c/audit/repair, visited_on d, remark t?`)
	for question, want := range map[string]string{
		"shipments that are not delivered": "SELECT tracking_number FROM shipments WHERE delivered_at IS NULL",
		"list the visits":                  "SELECT visit_id, reason, visited_on, remark FROM visits",
	} {
		list, err := grammar.Interpret(question, "", s, grammar.Options{})
		if err != nil {
			t.Errorf("%s: %v", question, err)
		} else if list[0].SQL != want {
			t.Errorf("%s: %s", question, list[0].SQL)
		}
	}
}
