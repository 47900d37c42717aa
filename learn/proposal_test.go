package learn_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/learn"
)

// proposed learns from SQL and returns the text of the proposals.
func proposed(t *testing.T, snap *catalog.Snapshot, sql string) string {
	t.Helper()
	return learn.Learn(snap, []string{"public"}, statements(t, sql)).Fragment()
}

// holds has the test fail unless a text has all of these.
func holds(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %s", want)
		}
	}
}

// A proposal shows who says so in his own words, and who does not: a long statement without what does not matter.
func TestExplain_Statements(t *testing.T) {
	long := strings.Repeat("amount + ", 60) + "amount"
	text := proposed(t, snapshot(t, ""), `
-- calls: 900; by: bi; source: dashboard "Money"
SELECT date_trunc('month', paid) AS month, -- a comment
  sum(amount) AS takings FROM fees WHERE state = 2 GROUP BY 1 ORDER BY 1;
-- calls: 30; by: boss; source: report
SELECT `+long+` AS odd, member_id, sum(amount) AS takings FROM fees WHERE state = 2 GROUP BY 1, 2 ORDER BY `+long+`;
-- calls: 20; by: c; source: report
SELECT sum(amount) AS takings FROM fees WHERE state = 2 AND member_id = 3;
-- calls: 3; by: temp; source: sheet
SELECT sum(amount) AS takings FROM fees;
-- calls: 1; by: temp2; source: sheet
SELECT sum(amount) AS takings FROM fees WHERE state = 1;
-- calls: 50; by: x; source: sheet
SELECT sum(amount) AS takings FROM fees f, lockers l WHERE state = 2 AND l.pin_token = 'SECRET';`)
	holds(t, text,
		`#   for it: SELECT date_trunc('month', paid) AS month, sum(amount) AS takings FROM fees WHERE state = 2 GROUP BY 1 ORDER BY 1 (900 calls; bi: dashboard "Money")`+"\n",
		"#   for it: SELECT sum(amount) AS takings, … FROM fees WHERE state = 2 GROUP BY … (30 calls; boss: report)\n",
		"#   against it: SELECT sum(amount) AS takings FROM fees (3 calls; temp: sheet)\n[[measure]]\n",
	)
	measure, _, _ := strings.Cut(text, "[[measure]]")
	if strings.Count(measure, "for it: ") != 2 || strings.Contains(text, "SECRET") || t.Failed() {
		t.Error(text)
	}
}

// A statement that no shortening makes fit is cut off, and its controls are made visible.
func TestExplain_Cut(t *testing.T) {
	text := proposed(t, snapshot(t, ""), "-- calls: 40; by: bi\nSELECT sum(amount) AS takings FROM fees WHERE trainer IN ("+strings.Repeat("1000, ", 300)+"1) AND state = 2 AND 'a\x1b[2Jb' <> 'c'")
	line := regexp.MustCompile(`#   for it: .*`).FindString(text)
	if len(line) > 1300 || !strings.Contains(line, " … (40 calls; bi: history.sql)") || strings.Contains(text, "\x1b") {
		t.Error(text)
	}
}

// A filter says what it hides: how many rows, where they may be counted.
func TestReport_CountHidden(t *testing.T) {
	const sql = `
-- calls: 20; by: a
SELECT id FROM members WHERE left_on IS NULL;
-- calls: 20; by: b
SELECT name FROM members WHERE left_on IS NULL;
-- calls: 20; by: c
SELECT kind FROM members WHERE left_on IS NULL;`
	snap := snapshot(t, "")
	report := learn.Learn(snap, []string{"public"}, statements(t, sql))
	const counting = `SELECT count(*) FILTER (WHERE (left_on IS NULL) IS NOT TRUE), count(*) FROM "public"."members"`
	const hides = "rows: all but those where left_on IS NULL\n"
	if text := report.Fragment(); !strings.Contains(text, "#   hides "+hides+"#   not counted: askpg learn in a terminal counts them; to count them: "+counting+"\n") {
		t.Error(text)
	}
	var counted string
	report.CountHidden(func(sql string) (int64, int64, error) { counted = sql; return 1031, 20000, nil })
	if text := report.Fragment(); !strings.Contains(text, "#   hides 1,031 of 20,000 "+hides+"#   for it") {
		t.Error(text)
	}
	if counted != counting {
		t.Error(counted)
	}
	report = learn.Learn(snap, []string{"public"}, statements(t, sql))
	report.CountHidden(func(string) (int64, int64, error) { return 0, 0, errors.New("too dear") })
	if text := report.Fragment(); !strings.Contains(text, "#   not counted: too dear; to count them: SELECT") {
		t.Error(text)
	}
}

// A filter says where its condition is not kept: by statements that look its rows up, and by what is proposed of them. What has
// the condition, under the table's name too, is not named.
func TestLearn_FilterContrast(t *testing.T) {
	text := proposed(t, snapshot(t, ""), `
-- calls: 20; by: a
SELECT id FROM members WHERE left_on IS NULL;
-- calls: 20; by: b
SELECT name FROM members WHERE left_on IS NULL;
-- calls: 20; by: c
SELECT kind FROM members WHERE left_on IS NULL;
-- calls: 12; by: d
SELECT count(*) FILTER (WHERE left_on IS NOT NULL) / count(*) AS churn_rate FROM members;
-- calls: 15; by: e
SELECT sum(f.amount) AS child_takings FROM fees f JOIN members m ON m.id = f.member_id WHERE m.kind = 'child';
-- calls: 16; by: f
SELECT sum(f.amount) AS present_takings FROM fees f JOIN members m ON m.id = f.member_id AND m.left_on IS NULL;`)
	filter, _, _ := strings.Cut(text[strings.Index(text, "# filter members"):], "[[table]]")
	holds(t, filter,
		"# filter members: in 5 of 6 statements (176 calls",
		"#   looked up from other rows without it in 1 (15 calls; e: history.sql)\n",
		"#   proposed of these rows without it: measure child takings, measure churn rate\n",
		"#   otherwise in 1 (12 calls; d: history.sql), weight 87 % for it\n",
	)
	if t.Failed() {
		t.Error(text)
	}
}

// The period of one report is no part of a query; one that says which things are meant, or that is set against another, is.
func TestLearn_Periods(t *testing.T) {
	snap := snapshot(t, "")
	for name, c := range map[string]struct {
		sql, want, said string
	}{
		"a period": {
			`WITH last AS (SELECT member_id, max(paid) AS paid FROM fees WHERE state = 2 AND due >= current_date - 365 GROUP BY member_id)
SELECT avg(current_date - l.paid) AS silence_days FROM members m JOIN last l ON l.member_id = m.id WHERE m.joined BETWEEN '2024-01-01' AND '2024-12-31'`,
			`WHERE state = 2 GROUP BY member_id) SELECT avg(current_date - l.paid) AS silence_days FROM members m JOIN last l ON l.member_id = m.id"`,
			`#   without what restricts that report: m.joined BETWEEN '2024-01-01' AND '2024-12-31', due >= (current_date - 365)`},
		"a parameter for its period": {
			`SELECT avg(x.n) AS silence_days FROM (SELECT member_id, count(*) AS n FROM fees WHERE due > $1 GROUP BY 1) x`,
			`FROM fees GROUP BY 1) x"`, `#   without what restricts that report: due > $1`},
		"no period": {
			`SELECT avg(x.n) AS silence_days FROM (SELECT member_id, count(*) AS n FROM fees WHERE due < current_date - 30 GROUP BY 1) x`,
			`WHERE due < current_date - 30 GROUP BY 1`, ""},
		"which things are meant": {
			`SELECT avg(x.n) AS silence_days FROM (SELECT member_id, count(*) AS n FROM fees f WHERE NOT EXISTS (SELECT 1 FROM bookings b WHERE b.member_id = f.member_id AND b.made >= current_date - 30) GROUP BY 1) x`,
			`b.made >= current_date - 30)`, ""},
		"which groups are meant": {
			`SELECT count(*) AS silence_days FROM (SELECT member_id FROM fees WHERE due >= current_date - 365 GROUP BY 1 HAVING sum(amount) > 1000) x`,
			`WHERE due >= current_date - 365 GROUP BY 1 HAVING`, ""},
		"a period of a subquery's date": {
			`SELECT x.member_id, avg(x.n) AS silence_days FROM (SELECT member_id, max(due)::date AS latest, count(*) AS n FROM fees GROUP BY 1) x WHERE x.latest >= current_date - 365 GROUP BY 1`,
			`FROM fees GROUP BY 1) x GROUP BY 1"`, `#   without what restricts that report: x.latest >= (current_date - 365)`},
		"two periods": {
			`SELECT 1.0 * a.n / b.n AS silence_days FROM (SELECT count(*) AS n FROM fees WHERE due >= current_date - 30) a, (SELECT count(*) AS n FROM fees WHERE due >= current_date - 60) b`,
			`WHERE due >= current_date - 60) b`, ""},
		"a day": {
			`SELECT avg(x.n) AS silence_days FROM (SELECT member_id, count(*) AS n FROM fees WHERE due <= '2024-06-30' AND (paid IS NULL OR paid > '2024-06-30') GROUP BY 1) x`,
			`WHERE due <= '2024-06-30' AND`, ""},
		"which groups a report shows, and how many": {
			`SELECT x.member_id, avg(x.n) AS silence_days FROM (SELECT member_id, count(*) AS n FROM fees GROUP BY 1) x GROUP BY 1 HAVING avg(x.n) > 2 ORDER BY 2 LIMIT 40`,
			`FROM fees GROUP BY 1) x GROUP BY 1 ORDER BY 2"`, `#   without what restricts that report: HAVING avg(x.n) > 2, LIMIT 40`},
		"the first": {
			`SELECT avg(x.n) AS silence_days FROM (SELECT member_id, count(*) AS n FROM fees GROUP BY 1) x GROUP BY x.member_id ORDER BY 1 LIMIT 1`,
			`ORDER BY 1 LIMIT 1`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := proposed(t, snap, "-- calls: 40; by: bi; source: report\n"+c.sql)
			if !strings.Contains(text, "[[query]]\nnames = [\"silence days\"]\n") || !strings.Contains(text, c.want) || !strings.Contains(text, c.said) ||
				(c.said == "") == strings.Contains(text, "without what restricts") {
				t.Error(text)
			}
		})
	}
}

// What is long ago is a condition, however it is written; what is not is the period of a report.
func TestLearn_LongAgo(t *testing.T) {
	snap := snapshot(t, "")
	for condition, filter := range map[string]string{
		"due < current_date - 30":                                     "due < (current_date - 30) AND state = 1",
		"due < current_date - interval '1 month'":                     "due < (current_date - '1 month'::interval) AND state = 1",
		"now() - interval '30 days' > due":                            "(now() - '30 days'::interval) > due AND state = 1",
		"current_date - due > 30":                                     "(current_date - due) > 30 AND state = 1",
		"current_date - due >= 30":                                    "(current_date - due) >= 30 AND state = 1",
		"due < current_date":                                          "due < current_date AND state = 1",
		"due <= now()::date":                                          "due <= now()::date AND state = 1",
		"due >= current_date - 30":                                    "state = 1",
		"current_date - due < 30":                                     "state = 1",
		"current_date - due > 30 AND current_date - due < 60":         "state = 1",
		"due < current_date - 30 AND due >= current_date - 60":        "state = 1",
		"due BETWEEN current_date - 30 AND current_date":              "state = 1",
		"due >= '2024-01-01' AND due < '2025-01-01'":                  "state = 1",
		"date_trunc('month', due) = date_trunc('month', now())":       "state = 1",
		"due < current_date - 30 AND date_trunc('year', due) = now()": "state = 1",
	} {
		text := proposed(t, snap, "-- calls: 40; by: bi\nSELECT sum(amount) AS arrears FROM fees WHERE state = 1 AND "+condition)
		if !strings.Contains(text, "\nfilter = \""+filter+"\"\n") {
			t.Errorf("%s: %s", condition, text)
		}
	}
}

// A run says what it read and why something is not proposed, also where nothing is.
func TestReport_Summary(t *testing.T) {
	snap := snapshot(t, "")
	for name, c := range map[string]struct {
		sql  string
		want []string
	}{
		"nothing read but the view": {"", []string{
			"# 1 proposal from 2 of 3 statements\n# read: 3 of views\n# left out: 1 that name private columns\n"}},
		"too few": {"SELECT sum(amount) AS takings FROM fees WHERE state = 2; SELECT count(*) FROM fees; DELETE FROM fees;", []string{
			"# read: 3 of history.sql, 3 of views\n", "# left out: 1 that are no queries\n", "# not proposed, as one source alone has them, with fewer than 10 calls: takings\n"}},
		"no agreement": {"-- calls: 20; by: a\nSELECT sum(amount) AS takings FROM fees WHERE state = 2; -- calls: 20; by: b\nSELECT max(amount) AS takings FROM fees WHERE state = 1",
			[]string{"# not proposed, as the statements do not agree on them: takings\n"}},
		"parameters": {"-- calls: 20; by: a\nSELECT sum(amount) AS takings FROM fees WHERE state = $1",
			[]string{"# not proposed, as parameters stand where a constant would say what is meant: takings\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := proposed(t, snap, c.sql)
			holds(t, text, c.want...)
			if t.Failed() {
				t.Log(text)
			}
		})
	}

	// Once the view's term is known nothing is left.
	db := snapshot(t, "[[term]]\nname = \"running members\"\ntable = \"members\"\ncondition = \"left_on IS NULL\"\n")
	for sql, want := range map[string]string{
		"":                        "# not proposed, as the semantics file defines them: running members\n# nothing is proposed: for the reasons above, and as no condition, join or code is in enough statements\n",
		"SELECT amount FROM fees": "# 0 proposals from 3 of 4 statements\n",
	} {
		if text := learn.Learn(db, []string{"public"}, statements(t, sql)).Fragment(); !strings.Contains(text, want) {
			t.Errorf("%q: %s", sql, text)
		}
	}
	report := &learn.Report{}
	if got := strings.Join(report.Summary(), "\n"); got != "0 proposals from 0 of 0 statements\nnothing is proposed: no statement was read, and the role can read no view; name a file with --from, or use --statements" {
		t.Error(got)
	}

	// What an admin has refused is counted, too.
	report = learn.Learn(snap, []string{"public"}, nil)
	report.Refuse(report.Proposals[0].Refused("today"))
	if got := strings.Join(report.Summary(), "\n"); len(report.Proposals) > 0 || !strings.Contains(got, "not proposed, as an admin has refused them: term running members\n") {
		t.Error(got)
	}
}
