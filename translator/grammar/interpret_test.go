package grammar_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/catalog"
	"askpg/eval"
	"askpg/internal/pgtest"
	"askpg/translator/grammar"
)

// clinic loads the test schema; "desk" may not read salaries nor invoices.
func clinic(t *testing.T) (conn *pgx.Conn, all, desk *catalog.Snapshot) {
	t.Helper()
	script, err := os.ReadFile("testdata/clinic.sql")
	if err != nil {
		t.Fatal(err)
	}
	name := pgtest.NewDatabase(t, string(script))
	url := pgtest.Shared(t).Primary.URL(pgtest.Superuser, name)
	role := "desk_" + name
	pgtest.Exec(t, url, "analyze; create role "+role+"; grant select on departments, \"Patients\", visits, drugs, visit_drugs, transfers to "+role+
		"; grant select (id, first_name, last_name, department_id) on doctors to "+role)
	t.Cleanup(func() { pgtest.Exec(t, url, "drop owned by "+role+"; drop role "+role) })
	pgtest.CatchUp(t)
	server := func(database string) string { return pgtest.Shared(t).Standby.URL(pgtest.Superuser, database) }
	conn, err = pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn, snapshot(t, server, name, pgtest.Superuser), snapshot(t, server, name, role)
}

// questions and SQL that says the same.
var clinicQuestions = []struct{ question, gold string }{
	{"how many patients are there", `SELECT count(*) FROM "Patients"`},
	{"how many remedies are there", `SELECT count(*) FROM drugs`},
	{"average pay packet of doctors", `SELECT avg(salary) FROM doctors`},
	{"List the departments.", `SELECT name FROM departments`},
	{"names of all doctors", `SELECT first_name, last_name FROM doctors`},
	{"show the last name and salary of each doctor", `SELECT last_name, salary FROM doctors`},
	{"patients from Oslo", `SELECT "fullName" FROM "Patients" WHERE city = 'Oslo'`},
	{"How many patients from Oslo are older than 30?", `SELECT count(*) FROM "Patients" WHERE city = 'Oslo' AND age > 30`},
	{"how many patients are between 20 and 40 years old", `SELECT count(*) FROM "Patients" WHERE age BETWEEN 20 AND 40`},
	{"which patients are insured", `SELECT "fullName" FROM "Patients" WHERE insured`},
	{"how many patients live in Oslo or Bergen", `SELECT count(*) FROM "Patients" WHERE city IN ('Oslo', 'Bergen')`},
	{"number of patients per city", `SELECT city, count(*) FROM "Patients" GROUP BY city`},
	{"average age of patients by blood group", `SELECT "bloodGroup", avg(age) FROM "Patients" GROUP BY 1`},
	{"what is the minimum, maximum and average salary of doctors", `SELECT min(salary), max(salary), avg(salary) FROM doctors`},
	{"the doctor with the highest salary", `SELECT first_name, last_name FROM doctors ORDER BY salary DESC LIMIT 1`},
	{"top 2 doctors by salary", `SELECT first_name, last_name, salary FROM doctors ORDER BY salary DESC LIMIT 2`},
	{"the 2 cheapest drugs", `SELECT title FROM drugs ORDER BY price LIMIT 2`},
	{"what is the most expensive drug", `SELECT title FROM drugs ORDER BY price DESC LIMIT 1`},
	{"how many doctors work in Cardiology", `SELECT count(*) FROM doctors d JOIN departments p ON p.id = d.department_id WHERE p.name = 'Cardiology'`},
	{"number of doctors in each department", `SELECT p.name, count(*) FROM doctors d JOIN departments p ON p.id = d.department_id GROUP BY 1`},
	{"which department has the most doctors", `SELECT p.name FROM doctors d JOIN departments p ON p.id = d.department_id GROUP BY 1 ORDER BY count(*) DESC FETCH FIRST ROW WITH TIES`},
	{"which departments have no doctors", `SELECT name FROM departments WHERE name = 'Radiology'`},
	{"which departments have at least two doctors", `SELECT name FROM departments WHERE name <> 'Radiology'`},
	{"visits that were cancelled", `SELECT * FROM visits WHERE state = 'cancelled'`},
	{"how many done visits are there", `SELECT count(*) FROM visits WHERE state = 'done'`},
	{"how many visits were there in 2023", `SELECT count(*) FROM visits WHERE visited_at >= '2023-01-01' AND visited_at < '2024-01-01'`},
	{"how many visits were there in February 2023", `SELECT count(*) FROM visits WHERE visited_at >= '2023-02-01' AND visited_at < '2023-03-01'`},
	{"how many visits since 2024-01-01", `SELECT count(*) FROM visits WHERE visited_at >= '2024-01-01'`},
	{"how many visits since '2024-01-01 00:00:00'", `SELECT count(*) FROM visits WHERE visited_at >= '2024-01-01'`},
	{"how many visits after '2023-02-11 09:30:00+01:00'", `SELECT count(*) FROM visits WHERE visited_at > '2023-02-11 09:30:00+01'`},
	{"how many visits between '2023-02-10 08:00' and '2023-02-11 09:30:15.5'", `SELECT count(*) FROM visits WHERE visited_at BETWEEN '2023-02-10 08:00' AND '2023-02-11 09:30:15.5'`},
	{"how many visits before March 2023", `SELECT count(*) FROM visits WHERE visited_at < '2023-03-01'`},
	{"visits between 2023-02-11 and 2023-06-01", `SELECT * FROM visits WHERE visited_at >= '2023-02-11' AND visited_at < '2023-06-02'`},
	{"number of visits per month", `SELECT date_trunc('month', visited_at)::date, count(*) FROM visits GROUP BY 1`},
	{"total fee of all visits", `SELECT sum(fee) FROM visits`},
	{"total fee per doctor", `SELECT d.first_name, d.last_name, sum(fee) FROM visits v JOIN doctors d ON d.id = v.doctor_id GROUP BY 1, 2`},
	{"doctors who are paid more than 7500", `SELECT first_name, last_name FROM doctors WHERE salary > 7500`},
	{"doctors whose salary is above the average", `SELECT first_name, last_name FROM doctors WHERE salary > (SELECT avg(salary) FROM doctors)`},
	{"doctors hired before 2016", `SELECT first_name, last_name FROM doctors WHERE hired_on < '2016-01-01'`},
	{"when was the last visit", `SELECT max(visited_at) FROM visits`},
	{"what is the price of Aspirin", `SELECT price FROM drugs WHERE title = 'Aspirin'`},
	{"drugs whose title starts with 'A'", `SELECT title FROM drugs WHERE title LIKE 'A%'`},
	{"list patients ordered by age from youngest to oldest", `SELECT "fullName" FROM "Patients" ORDER BY age`},
	{"how many transfers to Radiology", `SELECT count(*) FROM transfers WHERE to_dept = 3`},
	{"how many transfers from Cardiology", `SELECT count(*) FROM transfers WHERE from_dept = 1`},
	{"what percentage of patients are insured", `SELECT 100.0 * count(*) FILTER (WHERE insured) / count(*) FROM "Patients"`},
	{"ratio of visits that are done to visits that are cancelled", `SELECT 5.0 / 1`},
	{"who has the lowest salary", `SELECT first_name, last_name FROM doctors ORDER BY salary LIMIT 1`},
	{"how many different cities do patients live in", `SELECT count(DISTINCT city) FROM "Patients"`},
	{"For each department, how many doctors are there?", `SELECT p.name, count(*) FROM doctors d JOIN departments p ON p.id = d.department_id GROUP BY 1`},
	{"patients who have never had a visit in Oslo", `SELECT "fullName" FROM "Patients" p WHERE city = 'Oslo' AND NOT EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p."patientId")`},
	{"patients who were prescribed both Aspirin and Ibuprofen", `SELECT "fullName" FROM "Patients" WHERE "patientId" = 1`},
	{"Which doctor had the most visits? Return the last name and number of visits.", `SELECT 'Ruiz', 3`},
}

func TestInterpret_Clinic(t *testing.T) {
	conn, snap, _ := clinic(t)
	for _, q := range clinicQuestions {
		list, err := grammar.Interpret(q.question, "", snap, grammar.Options{Now: time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC), Location: time.UTC})
		if err != nil {
			t.Errorf("%q: %v", q.question, err)
			continue
		}
		want, err := run(conn, q.gold)
		if err != nil {
			t.Fatalf("%s: %v", q.gold, err)
		}
		got, err := run(conn, list[0].SQL)
		if err != nil {
			t.Errorf("%q is read as %s: %v", q.question, list[0].SQL, err)
			continue
		}
		if !eval.Compare(want, got, false).Perm {
			t.Errorf("%q is read as %s", q.question, list[0].SQL)
			continue
		}
		if len(list[0].Linked) == 0 || list[0].Score <= 0 || list[0].Score > 1 {
			t.Errorf("%q: %d links, score %v", q.question, len(list[0].Linked), list[0].Score)
		}
		for _, l := range list[0].Linked {
			if l.Value != "" && l.Words == "" {
				t.Errorf("%q: no words are linked to %s = %q", q.question, l.Object, l.Value)
			}
		}
	}
}

func TestInterpret_Refused(t *testing.T) {
	_, all, desk := clinic(t)
	for _, c := range []struct {
		name, question string
		snap           *catalog.Snapshot
		code, says     string
	}{
		{"empty", "", all, ask.CodeNoCandidate, "empty"},
		{"blank", " \n", all, ask.CodeNoCandidate, "empty"},
		{"not UTF-8", "how many \xff", all, ask.CodeNoCandidate, ""},
		{"no tables", "how many patients", &catalog.Snapshot{Database: "void", Role: "me", Values: all.Values}, ask.CodeNoCandidate, "void"},
		{"too long", strings.Repeat("patients ", 1000), all, ask.CodeNoCandidate, "too long"},
		{"a word that means nothing", "how many zeppelins do we have", all, ask.CodeNoCandidate, "zeppelins"},
		{"a word beside one that does", "patients with a yacht", all, ask.CodeNoCandidate, "yacht"},
		{"a value that nothing has", "how many patients are from 'Atlantis'", all, ask.CodeNoCandidate, "'Atlantis'"},
		{"only function words", "what is the of", all, ask.CodeNoCandidate, ""},
		{"general knowledge", "what is the capital of France", all, ask.CodeNoCandidate, ""},
		{"a relation that may not be read", "how many invoices are there", desk, ask.CodeInsufficientRights, "invoices"},
		{"a column that may not be read", "average salary of doctors", desk, ask.CodeInsufficientRights, "salary"},
	} {
		list, err := grammar.Interpret(c.question, "", c.snap, grammar.Options{})
		e := ask.AsError(err)
		if e == nil {
			t.Errorf("%s: %q is read as %v, want %s", c.name, c.question, list, c.code)
			continue
		}
		if e.Code != c.code || !strings.Contains(e.Message+e.Detail, c.says) {
			t.Errorf("%s: got %v, want %s that says %q", c.name, err, c.code, c.says)
		}
		for _, hidden := range []string{"salary"} {
			if c.snap == desk && c.says != hidden && strings.Contains(e.Error(), hidden) {
				t.Errorf("%s: the error tells of %s: %v", c.name, hidden, err)
			}
		}
	}
}

func TestInterpret_Schema(t *testing.T) {
	_, snap, _ := clinic(t)
	for _, c := range []struct {
		path []string
		want string
	}{
		{nil, "FROM departments"},
		{[]string{"public"}, "FROM departments"},
		{[]string{"other"}, "FROM public.departments"},
		{[]string{}, "FROM public.departments"},
	} {
		list, err := grammar.Interpret("list the departments", "", snap, grammar.Options{SearchPath: c.path})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(list[0].SQL, c.want) {
			t.Errorf("search_path %v: %s, want %s", c.path, list[0].SQL, c.want)
		}
	}
}

// FuzzInterpret holds the parser to its bounds: whatever is asked, it ends, and
// what it answers is one SELECT.
func FuzzInterpret(f *testing.F) {
	for _, q := range clinicQuestions {
		f.Add(q.question)
	}
	f.Add("the the of of and and or or , , ' \" ` ( ) 's n't 12 1e9 $5 2024-13-45")
	f.Add("most most most least least highest lowest of of each each per per by by")
	f.Add("ratio of visits to patients. show the name of each patient. return the id and number of visits.")
	f.Add("the ratio of number of visits to number of doctors. show the city")
	f.Add("ratio of the average age of patients to the average salary of doctors. list the name")
	snap := fuzzSnapshot()
	f.Fuzz(func(t *testing.T, question string) {
		if _, err := grammar.Interpret(question, "", snap, grammar.Options{Previous: "how many visits in 2024", Suggest: true}); err != nil && ask.AsError(err) == nil {
			t.Fatalf("%q follows up: an error of another kind: %v", question, err)
		}
		list, err := grammar.Interpret(question, "", snap, grammar.Options{})
		if err != nil && ask.AsError(err) == nil {
			t.Fatalf("%q: an error of another kind: %v", question, err)
		}
		for _, in := range list {
			if !strings.HasPrefix(in.SQL, "SELECT ") || strings.ContainsRune(in.SQL, 0) {
				t.Fatalf("%q gives %q", question, in.SQL)
			}
		}
	})
}

// TestInterpret_Keys joins by the keys of the snapshot alone. The catalog has compared values: where it knows no key, names that
// go together join nothing.
func TestInterpret_Keys(t *testing.T) {
	const question = "number of visits of each doctor"
	snap := fuzzSnapshot()
	list, err := grammar.Interpret(question, "", snap, grammar.Options{})
	if err != nil || !strings.Contains(list[0].SQL, "JOIN") {
		t.Fatalf("with keys: %v, %v", list, err)
	}
	snap = fuzzSnapshot()
	snap.ForeignKeys = nil
	list, err = grammar.Interpret(question, "", snap, grammar.Options{})
	if err != nil || slices.ContainsFunc(list, func(i grammar.Interpretation) bool { return strings.Contains(i.SQL, "JOIN") }) {
		t.Fatalf("without keys: %v, %v", list, err)
	}
}

// TestInterpret_RatioOfOneColumn divides one column by itself where two relations have one of that name.
func TestInterpret_RatioOfOneColumn(t *testing.T) {
	s := &catalog.Snapshot{Database: "ratio", Role: "me", Values: &catalog.Values{}}
	for i, name := range []string{"town", "district"} {
		r := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: name}, OID: uint32(i + 1), Kind: catalog.Table, Rows: 4}
		for n, c := range []*catalog.Column{
			{Name: name + "_name", Class: catalog.Text, Unique: true, Profile: &catalog.Profile{Distinct: 4}},
			{Name: "population", Class: catalog.Number, Profile: &catalog.Profile{Distinct: 4}},
			{Name: "country_name", Class: catalog.Text, Profile: &catalog.Profile{Distinct: 2, Common: []string{"Norway", "Sweden"}}},
		} {
			c.Relation, c.Num = r, int16(n+1)
			r.Columns = append(r.Columns, c)
		}
		s.Relations = append(s.Relations, r)
	}
	district := s.Relations[1].Columns[0]
	district.Profile.Common = []string{"Northland", "Westmark", "Eastern Hills", "Southport"}
	list, err := grammar.Interpret("What is the ratio of the population of Norway to the population of Westmark?", "", s, grammar.Options{})
	if err != nil || len(list) == 0 || strings.Contains(list[0].SQL, "town") {
		t.Fatal(list, err)
	}
}

// fuzzSnapshot is a schema that needs no server: fuzzing runs in several
// processes.
func fuzzSnapshot() *catalog.Snapshot {
	s := &catalog.Snapshot{Database: "fuzz", Role: "me", Values: &catalog.Values{}}
	rel := func(oid uint32, name string, cols ...*catalog.Column) *catalog.Relation {
		r := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: name}, OID: oid, Kind: catalog.Table, Rows: 10}
		for i, c := range cols {
			c.Relation, c.Num = r, int16(i+1)
			r.Columns = append(r.Columns, c)
		}
		r.PrimaryKey = r.Columns[:1]
		s.Relations = append(s.Relations, r)
		return r
	}
	col := func(name string, class catalog.Class, common ...string) *catalog.Column {
		return &catalog.Column{Name: name, Class: class, Profile: &catalog.Profile{Distinct: float64(len(common)), Common: common}}
	}
	doctors := rel(1, "doctors", col("id", catalog.Number), col("name", catalog.Text), col("salary", catalog.Number), col("hired_on", catalog.Date))
	patients := rel(2, "patients", col("id", catalog.Number), col("name", catalog.Text), col("city", catalog.Text, "Oslo", "Bergen"), col("age", catalog.Number), col("insured", catalog.Boolean))
	visits := rel(3, "visits", col("id", catalog.Number), col("doctor_id", catalog.Number), col("patient_id", catalog.Number), col("visited_at", catalog.Timestamp), col("state", catalog.Text, "done", "cancelled"))
	for i, to := range []*catalog.Relation{doctors, patients} {
		s.ForeignKeys = append(s.ForeignKeys, &catalog.ForeignKey{From: visits, To: to, FromCols: visits.Columns[i+1 : i+2], ToCols: to.PrimaryKey})
	}
	return s
}
