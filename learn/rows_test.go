package learn_test

import (
	"strings"
	"testing"

	"askpg/internal/pgtest"
	"askpg/learn"
)

// A definition says of which rows it holds as its statements do.
func TestLearn_Rows(t *testing.T) {
	snap := snapshot(t, "")
	for name, c := range map[string]struct{ sql, want string }{
		"a value of some rows": {
			"SELECT CASE WHEN due >= current_date THEN 'not due' ELSE 'late' END AS ageing_bucket, count(*) FROM fees WHERE state = 1 AND paid > '2024-01-01' GROUP BY 1",
			`expression = "CASE WHEN state = 1 THEN CASE WHEN due >= current_date THEN 'not due' ELSE 'late' END END"`},
		"a value that statements of other rows have too": {
			"SELECT CASE WHEN due >= current_date THEN 'not due' ELSE 'late' END AS ageing_bucket FROM fees WHERE state = 1; -- calls: 9; by: b\nSELECT CASE WHEN due >= current_date THEN 'not due' ELSE 'late' END AS ageing_bucket, id FROM fees",
			`expression = "CASE WHEN due >= current_date THEN 'not due' ELSE 'late' END"`},
		"a value whose condition no expression says": {
			"SELECT id, amount * 2 AS double_fee FROM fees f WHERE state = 1 AND EXISTS (SELECT FROM bookings b WHERE b.member_id = f.member_id)",
			`names = ["double fee"]`},
		"a period": {
			"SELECT extract(year FROM due - interval '1 month') + 1 AS fiscal_year, sum(amount) FROM fees WHERE state = 2 GROUP BY 1",
			`expression = "extract ('year' FROM due - '1 month'::interval) + 1"`},
		"an inner join to what may be empty": {
			"SELECT s.name, sum(f.amount) AS coached_takings FROM fees f JOIN staff s ON s.id = f.trainer GROUP BY s.name", `filter = "trainer IS NOT NULL"`},
		"an inner join to what is never empty": {
			"SELECT m.name, sum(f.amount * 2) AS coached_takings FROM fees f JOIN members m ON m.id = f.member_id GROUP BY m.name", "expression = \"sum(amount * 2)\"\n# to refuse"},
		"an outer join to what may be empty": {
			"SELECT s.name, sum(f.amount * 2) AS coached_takings FROM fees f LEFT JOIN staff s ON s.id = f.trainer GROUP BY s.name", "expression = \"sum(amount * 2)\"\n# to refuse"},
		"values of a key, which were asked for": {
			"SELECT s.name, sum(f.amount) AS coached_takings FROM fees f JOIN staff s ON s.id = f.trainer WHERE f.trainer IN (1, 2) GROUP BY s.name", `filter = "trainer IS NOT NULL"`},
		"a condition on what is listed": {
			"SELECT m.id, sum(f.amount) AS child_takings FROM fees f JOIN members m ON m.id = f.member_id WHERE f.member_id IS NOT NULL AND m.kind = 'child' GROUP BY m.id",
			`filter = "member_id IS NOT NULL AND members.kind = 'child'"`},
	} {
		if text := proposed(t, snap, "-- calls: 90; by: a\n"+c.sql); !strings.Contains(text, c.want) {
			t.Errorf("%s: lacks %s\n%s", name, c.want, text)
		}
	}
}

// The same formula in another spelling speaks for a definition, another formula against it.
func TestLearn_Spellings(t *testing.T) {
	snap := snapshot(t, "")
	for other, same := range map[string]bool{
		"100.0 * avg((state = 2)::int)":                                            true,
		"round(avg(CASE WHEN state = 2 THEN 100 ELSE 0 END), 1)":                   false, // adds 100 for 1: not read
		"avg(CASE WHEN state = 2 THEN 1 ELSE 0 END) * 100":                         true,
		"100.0 * sum(CASE WHEN state = 2 THEN 1 ELSE 0 END) / nullif(count(*), 0)": true,
		"round(count(*) FILTER (WHERE state = 2)::numeric / count(*) * 100, 1)":    true,
		"count(CASE WHEN state = 2 THEN 1 END) * 100.00 / count(*)":                true,
		"coalesce(100 * (sum((state = 2)::int)::float8 / count(*)), 0)":            true,
		"100.0 * avg(CASE WHEN state = 2 THEN 1 END)":                              false, // of the paid ones alone
		"1000.0 * count(*) FILTER (WHERE state = 2) / count(*)":                    false,
		"100.0 * count(*) / count(*) FILTER (WHERE state = 2)":                     false,
		"100.0 * count(*) FILTER (WHERE state = 2) / count(member_id)":             false,
		"100.0 * count(*) FILTER (WHERE state = 1) / count(*)":                     false,
		"100.0 * (count(*) FILTER (WHERE state = 2) - 1) / count(*)":               false,
	} {
		text := proposed(t, snap, "-- calls: 900; by: a\nSELECT 100.0 * count(*) FILTER (WHERE state = 2) / count(*) AS payment_rate FROM fees WHERE amount > 1;\n-- calls: 20; by: b\nSELECT "+other+" AS payment_rate FROM fees WHERE amount > 1")
		want := "# measure payment rate: in 1 of 2 statements"
		if same {
			want = "# measure payment rate: in 2 of 2 statements"
		}
		if !strings.Contains(text, want) || !strings.Contains(text, `expression = "(100.0 * count(*) FILTER (WHERE state = 2)) / count(*)"`) {
			t.Errorf("%s: lacks %s\n%s", other, want, text)
		}
	}
}

// A property of the rows that a report has chosen is none of all rows, and not computed by that report.
func TestLearn_Listed(t *testing.T) {
	const sql = "-- calls: 90; by: a\nSELECT m.id, m.name, bool_or(m.left_on < current_date) AS leaving_soon, sum(b.id) AS booking_sum FROM members m JOIN bookings b ON b.member_id = m.id AND b.state = 'ok' GROUP BY m.id"
	text := proposed(t, snapshot(t, ""), sql)
	if strings.Contains(text, "\"leaving soon\"") || !strings.Contains(text, "# not proposed, as a report has chosen the rows that have them: leaving soon\n") || !strings.Contains(text, "name = \"booking sum\"") {
		t.Error(text)
	}
}

// A title of a column of a report is no definition, nor is what a report calls a name the name of each row.
func TestLearn_Titles(t *testing.T) {
	text := proposed(t, snapshot(t, ""), `
-- calls: 90; by: a
SELECT max(current_date - due) AS oldest_days, count(trainer) AS line_cnt, count(amount) AS answers, count(DISTINCT member_id) AS payers, b.made AS day FROM fees f JOIN bookings b ON b.id = f.id;
-- calls: 90; by: a
SELECT name AS coach, id FROM staff;
-- calls: 90; by: b
SELECT name AS coach FROM staff WHERE id > 3`)
	for _, bad := range []string{"oldest days", "line cnt", "answers", "coach"} {
		if strings.Contains(text, "\""+bad+"\"") {
			t.Errorf("%s is proposed", bad)
		}
	}
	if !strings.Contains(text, `name = "payers"`) || !strings.Contains(text, "perhaps only some of them: coach for staff.name\n") || t.Failed() {
		t.Error(text)
	}
}

// What decides in a long statement is shown, though it is at its end, and each proposal has the line that refuses it.
func TestFragment_Shown(t *testing.T) {
	snap := snapshot(t, "")
	long := "-- calls: 90; by: a\nSELECT sum(amount) AS takings FROM fees WHERE amount > 0" + strings.Repeat(" AND amount + 1 > 0", 30) + " AND state = 2"
	report := learn.Learn(snap, []string{"public"}, statements(t, long))
	text := report.Fragment()
	if !strings.Contains(text, "AND state = 2 (90 calls; a: history.sql)\n") {
		t.Error(text)
	}
	_, refusal, _ := strings.Cut(text, "# to refuse it for good, have this line in its place: ")
	before := len(report.Proposals)
	report.Refuse(text)
	if len(report.Proposals) != before {
		t.Error("the text of the proposals refuses them")
	}
	report.Refuse(refusal)
	if len(report.Proposals) != before-1 {
		t.Errorf("%s refuses %d", refusal, before-len(report.Proposals))
	}
}

// The time is the one that statements group or filter by. Where they disagree there is none.
func TestLearn_Time(t *testing.T) {
	snap := snapshot(t, "")
	for range 20 {
		text := proposed(t, snap, `
-- calls: 100; by: bi
SELECT sum(amount) AS takings FROM fees WHERE state = 2 AND paid >= current_date - 30;
-- calls: 90; by: bi
SELECT sum(amount) AS takings FROM fees WHERE state = 2 AND due >= current_date - 30;
-- calls: 100; by: bi
SELECT date_trunc('month', paid) AS month, count(*) AS settled_fees FROM fees WHERE state = 2 GROUP BY 1;
-- calls: 1; by: temp
SELECT count(*) AS settled_fees FROM fees WHERE state = 2 AND due >= current_date - 30`)
		if !strings.Contains(text, "filter = \"state = 2\"\n#") || !strings.Contains(text, "condition = \"state = 2\"\ntime = \"paid\"\n") {
			t.Fatal(text)
		}
	}
}

// An outer join has rows that the table has not. What counts them, or asks for them, is no expression over the table; its condition
// chooses no other rows.
func TestLearn_OuterJoins(t *testing.T) {
	const open = " FROM members m LEFT JOIN fees f ON f.member_id = m.id AND f.state = 1"
	const children = " FROM fees f LEFT JOIN members m ON m.id = f.member_id AND m.left_on IS NULL"
	snap := snapshot(t, "")
	for output, measure := range map[string]string{
		"count(f.id) AS open_dues" + open:                                                                "count(id)",
		"sum(coalesce(f.amount, 0)) AS open_dues" + open:                                                 "sum(COALESCE(amount, 0))",
		"count(*) AS open_dues" + open + " WHERE f.amount > 3":                                           "count(*)",
		"count(*) FILTER (WHERE f.id IS NOT NULL) AS open_dues" + open:                                   "count(*)",
		"sum(f.amount) AS open_dues" + children:                                                          "",
		"100.0 * count(f.id) / count(*) AS open_dues" + open:                                             "statement",
		"count(f.id) / count(DISTINCT m.id) AS open_dues" + open:                                         "statement",
		"avg(coalesce(f.amount, 0)) AS open_dues" + open:                                                 "statement",
		"count(*) AS open_dues" + open:                                                                   "statement",
		"count(*) AS open_dues" + open + " WHERE f.id IS NULL":                                           "statement",
		"CASE WHEN f.id IS NULL THEN 'none' ELSE 'some' END AS open_dues" + open:                         "statement",
		"count(*) AS open_dues" + children + " WHERE m.kind = 'child'":                                   "statement",
		"count(*) AS open_dues FROM fees f LEFT JOIN members m ON m.id = f.member_id WHERE m.id IS NULL": "statement",
	} {
		text := proposed(t, snap, "-- calls: 90; by: a\nSELECT "+output)
		want := "[[query]]\nnames = [\"open dues\"]\n"
		switch measure {
		case "":
			want = "expression = \"sum(amount)\"\n"
		case "statement":
		default:
			want = "expression = \"" + measure + "\"\nfilter = \""
			if measure == "count(*)" {
				want = "state = 1"
			}
		}
		if !strings.Contains(text, want) || measure != "statement" && strings.Contains(text, "[[query]]") {
			t.Errorf("%s: lacks %s\n%s", output, want, text)
		}
	}
	view := proposed(t, snap, "CREATE VIEW v_debtless_members AS SELECT m.id"+open+" WHERE f.id IS NULL")
	if strings.Contains(view, "debtless") {
		t.Errorf("a view of members without fees is one of fees: %s", view)
	}
}

// A name that needs no definition is in the first lines, with the reason.
func TestLearn_PlainCounts(t *testing.T) {
	text := proposed(t, snapshot(t, ""), "-- calls: 90; by: a\nSELECT date_trunc('month', made) AS month, count(*) AS signups FROM bookings GROUP BY 1;\n-- calls: 90; by: a\nSELECT count(*) AS fees FROM fees")
	holds(t, text, "as they only count the rows of a table, or say what the column's name says: signups\n", "as a table has the name: fee, fees\n")
}

// What is proposed in the place of a refused definition is what the other statements say.
func TestReport_Refuse_Instead(t *testing.T) {
	report := learn.Learn(snapshot(t, ""), []string{"public"}, statements(t, `
-- calls: 100; by: a
SELECT sum(amount) AS takings FROM fees WHERE state = 2;
-- calls: 30; by: b
SELECT sum(amount) AS takings FROM fees WHERE state = 1;
-- calls: 2; by: c
SELECT sum(amount * 2) AS takings FROM fees`))
	first := report.Proposals[0]
	report.Refuse(first.Refused("today"))
	text := report.Fragment()
	holds(t, text, "an admin has refused them: measure takings\n", "#   in place of the refused measure takings\n", "filter = \"state = 1\"\n")
	report.Refuse(first.Refused("today") + report.Proposals[0].Refused("today"))
	if strings.Contains(report.Fragment(), "name = \"takings\"") || t.Failed() {
		t.Errorf("%s\n%s", text, report.Fragment())
	}
}

// Comments give tables and columns other names.
func TestLearn_Comments(t *testing.T) {
	db := pgtest.NewDatabase(t, `create table parts (id int primary key, pno text, descr text, colour text, pin_token text);
comment on table parts is 'What we sell, also called articles or spare parts. Aka (nothing)';
comment on column parts.pno is 'number, a.k.a. "SKU"; unique';
comment on column parts.descr is 'also known as what the customer reads on the label';
comment on column parts.colour is 'aka descr; also called hue';
comment on column parts.pin_token is 'also called secret';
comment on column parts.id is 'a dakar aka'`)
	snap := read(t, db, "")
	text := learn.Learn(snap, nil, nil).Fragment()
	holds(t, text,
		"# synonym parts: by its comment: What we sell, also called articles or spare parts. Aka (nothing)\n[[table]]\nname = \"parts\"\nsynonyms = [\"articles\", \"spare parts\"]\n",
		"[[column]]\nname = \"parts.pno\"\nsynonyms = [\"SKU\"]\n", "name = \"parts.colour\"\nsynonyms = [\"hue\"]\n",
	)
	if strings.Count(text, "\n[[") != 3 || t.Failed() {
		t.Error(text)
	}
	if again := learn.Learn(read(t, db, text), nil, nil); len(again.Proposals) > 0 {
		t.Errorf("proposed again: %s", again.Fragment())
	}
}
