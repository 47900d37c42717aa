package grammar_test

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/translator/grammar"
)

var quotedPattern = regexp.MustCompile(`"([^"]+)"`)

// A refusal names what was not understood, and what it suggests has an answer and keeps what was understood.
func TestInterpret_Suggests(t *testing.T) {
	dbs := schemas(t)
	db, _ := loadShop(t)
	server := func(database string) string { return pgtest.Shared(t).Primary.URL(pgtest.Superuser, database) }
	dbs["shop"] = schema{snap: snapshot(t, server, db, shop.Analyst)}
	for _, q := range []struct{ schema, question, says, suggests string }{
		{"library", "how many books with dragons are there", "dragons", `Without "with dragons" it has an answer: "how many books are there"`},
		{"library", "number of loans per moon phase", "moon", `"number of loans"`},
		{"library", "average pages of novels in Leeds", "", "average pages"},
		{"library", "what's our best month", "", "The tables are"},
		{"library", "pages by genre", "a total or an average", `Ask "total pages by genre" or "average pages by genre".`},
		{"tours", "attendence per bandd", "", "per"},
		{"tours", "how many concerts were there under the moon", "moon", `"how many concerts were there"`},
		{"tours", "current concerts", "status", "Table concerts has played_on, status, attendance."},
		{"tours", "wie viele konzerte gab es", "English", "The tables are"},
		{"clinic", "average salary of doctors with a yacht", "yacht", `Without "with a yacht" it has an answer: "average salary of doctors"`},
		{"clinic", "visits per month by moon phase", "moon", `Without "by moon phase" it has an answer: "visits per month"`},
		{"clinic", "salary by department", "a total or an average", `"average salary by department"`},
		{"clinic", "patients from Oslo at the moment", "at the moment", `Without "at the moment" it has an answer: "patients from Oslo"`},
		{"clinic", "yachts of patients", "yachts", "Table Patients has"},
		{"shop", "number of products per top level category", "level", `"number of products"`},
		{"shop", "how many orders were placed before dusk in 2024", "dusk", "how many orders were placed"},
		{"shop", "customers in France with a grudge", "grudge", `Without "with a grudge" it has an answer: "customers in France"`},
		{"shop", "revenue of flurbed orders by region", "flurbed", `"revenue of orders by region"`},
		{"shop", "which products have ratings above 4 and squeak", "squeak", "which products"},
		{"library", "scrolls by genre", "scrolls", `With "books" for "scrolls" it has an answer: "books by genre"`},
		{"library", "which tome has the most pages", "tome", `"which book has the most pages"`},
		{"library", "loans per month with their share of all loans in percent", `rest: "with their share of all loans in percent"`, `"loans per month"`},
		{"library", "what did we lend last month", `"what did"`, `"lend last month"`},
		{"library", "books on which nobody wrote a review", `"books": "on which nobody wrote a review"`, "Table books has"},
		{"library", "combien de livres à Leeds", "ask in English", "Table readers has"},
		{"tours", "most popular band right now", "what is counted", `In other words and without "right now" it has an answer: "top 10 bands by number of concerts"`},
		{"clinic", "highest fee by weather", "weather", "Table visits has"},
		{"clinic", "how long do doctors take to pay on average", "", "Table doctors has"},
		{"clinic", "doctors whose visits exceed 20 percent of their salary", "", `"doctors with visits"`},
		{"library", "how many books were republished", "republished", "Table books has"},
		{"tours", "which fan brought the most fans", "", "Table fans has"},
		{"shop", "grudges of customers", "grudges", "Table customers has name"},
	} {
		e := refusal(t, q.question, dbs[q.schema].snap)
		switch {
		case e == nil && q.says != "":
			t.Errorf("%s: %q is answered", q.schema, q.question)
		case e != nil && (!strings.Contains(e.Detail, q.says) || !strings.Contains(e.Hint, q.suggests)):
			t.Errorf("%s: %q: %s\n%s", q.schema, q.question, e.Detail, e.Hint)
		}
	}
	// whatever is refused of what the other tests ask
	suggested := 0
	for _, list := range principles {
		for _, q := range list {
			if e := refusal(t, q.question, dbs[q.schema].snap); e != nil && len(offered(e)) > 0 {
				suggested++
			}
		}
	}
	if suggested < 20 {
		t.Errorf("only %d refusals suggest anything", suggested)
	}
}

// refusal asks a question and returns why it has no answer, nil if it has one. What it suggests is asked, too.
func refusal(t *testing.T, question string, snap *catalog.Snapshot) *ask.Error {
	t.Helper()
	o := grammar.Options{Now: now, Location: time.UTC, Suggest: true}
	_, err := grammar.Interpret(question, "", snap, o)
	e := ask.AsError(err)
	if e == nil {
		return nil
	}
	for _, again := range offered(e) {
		list, err := grammar.Interpret(again, "", snap, o)
		if err != nil || slices.ContainsFunc(list, func(r grammar.Interpretation) bool { return r.Near }) {
			t.Errorf("%q suggests %q, which has no answer, or several: %v", question, again, err)
		}
	}
	return e
}

// offered returns the questions that a hint suggests.
func offered(e *ask.Error) (questions []string) {
	_, list, found := strings.Cut(e.Hint, " it has an answer: ")
	if !found && !strings.HasPrefix(e.Hint, "Ask ") {
		return nil
	}
	for _, m := range quotedPattern.FindAllStringSubmatch(cmp.Or(list, e.Hint), -1) {
		questions = append(questions, m[1])
	}
	return questions
}

// Of two readings that are as likely each has a question that has it alone.
func TestDisambiguate(t *testing.T) {
	db, _ := loadShop(t)
	snap := snapshot(t, func(database string) string { return pgtest.Shared(t).Primary.URL(pgtest.Superuser, database) }, db, shop.Analyst)
	o := grammar.Options{Now: now, Location: time.UTC}
	for question, want := range map[string][]string{
		"orders sent to Berlin": {"orders sent to address city Berlin", "orders sent to store city Berlin"},
		"total revenue":         {"product sales revenue", "monthly sales revenue"},
	} {
		list, err := grammar.Interpret(question, "", snap, o)
		if err != nil || len(list) < 2 || !list[1].Near {
			t.Fatalf("%q has the readings %v: %v", question, list, err)
		}
		list = list[:2]
		for i, alone := range grammar.Disambiguate(question, snap, list, o) {
			if alone != want[i] {
				t.Errorf("%q: reading %d is asked alone by %q, want %q", question, i+1, alone, want[i])
			}
			if again, err := grammar.Interpret(want[i], "", snap, o); err != nil || again[0].SQL != list[i].SQL || len(again) > 1 && again[1].Near {
				t.Errorf("%q has the readings %v, want %s alone: %v", want[i], again, list[i].SQL, err)
			}
		}
	}
}

// What no word names is named: a column that ranks, one of two times, and which of two keys.
func TestDisambiguate_Unnamed(t *testing.T) {
	db := pgtest.NewDatabase(t, `
		create table people(person_id int primary key, name text not null);
		create table letters(letter_id int primary key, sender_id int not null references people, receiver_id int not null references people,
			posted_at date not null, arrives_at date not null);
		create table kites(kite_id int primary key, name text not null, list_price numeric not null, bulk_price numeric not null);
		insert into people values (1, 'Ann Bell'), (2, 'Bo Cain');
		insert into letters values (1, 1, 2, '2024-05-01', '2024-05-03');
		insert into kites values (1, 'Delta', 10, 8), (2, 'Box', 12, 7)`)
	snap := snapshot(t, func(database string) string { return pgtest.Shared(t).Primary.URL(pgtest.Superuser, database) }, db, pgtest.Superuser)
	o := grammar.Options{Now: now, Location: time.UTC}
	for question, want := range map[string][]string{
		"cheapest kite":                   {"cheapest kite by list price", "cheapest kite by bulk price"},
		"how many letters in May 2024":    {"how many letters posted in May 2024", "how many letters arriving in May 2024"},
		"people with more than 3 letters": {"sender people with more than 3 letters", "receiver people with more than 3 letters"},
	} {
		list, err := grammar.Interpret(question, "", snap, o)
		if err != nil || len(list) < 2 || !list[1].Near {
			t.Errorf("%q has the readings %v: %v", question, list, err)
			continue
		}
		alone := grammar.Disambiguate(question, snap, list[:2], o)
		slices.Sort(alone)
		slices.Sort(want)
		if !slices.Equal(alone, want) {
			t.Errorf("%q is asked by %q, want %q", question, alone, want)
		}
	}
}

// Each example has an answer.
func TestExamples(t *testing.T) {
	for name, s := range schemas(t, "library", "tours", "clinic") {
		list := grammar.Examples(s.snap, grammar.Options{Now: now, Location: time.UTC})
		if len(list) < 5 {
			t.Errorf("%s has the examples %v", name, list)
		}
		for _, e := range list {
			if _, err := grammar.Interpret(e.Question, "", s.snap, grammar.Options{Now: now, Location: time.UTC}); err != nil || e.Relation == nil {
				t.Errorf("%s: %q: %v", name, e.Question, err)
			}
		}
	}
}
