package param

import (
	"context"
	"strings"
	"testing"
	"time"
)

// reader reads two number words and one column.
var reader = &Reader{
	Now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), DayFirst: true,
	Number: func(words string) (string, bool) {
		n, ok := map[string]string{"ten": "10", "five": "5", "two": "2", "twelve": "12"}[strings.ToLower(words)]
		return n, ok
	},
	Column: func(_ context.Context, column, words string) ([]string, error) {
		var found []string
		for _, v := range []string{"Spain", "France", "Côte d'Ivoire", "Österreich", "US", "us", `O\'Brien`} {
			if column == "customers.country" && strings.EqualFold(v, words) {
				found = append(found, v)
			}
		}
		return found, nil
	},
}

func TestTemplate(t *testing.T) {
	type asked struct {
		question string
		want     string // what the SQL holds then; None, Unread or Ambiguous otherwise
	}
	outcomes := map[Match]string{None: "none", Unread: "unread", Ambiguous: "ambiguous"}
	for _, tt := range []struct {
		name, question, sql string
		asked               []asked
	}{
		{"a column's values", "How many orders in {country:Spain|in customers.country}?", "select count(*) from orders where country = {country:'Spain'}", []asked{
			{"how many orders in France", "country = 'France'"},
			{"how many  ORDERS in France", "none"}, // a word in capitals is another
			{"How many orders in fRANCE ?!", "country = 'France'"},
			{"how many orders in \"France\"", "country = 'France'"},
			{"how many orders in côte d'ivoire", "country = 'Côte d''Ivoire'"},
			{"how many orders in co\u0302te d'ivoire", "country = 'Côte d''Ivoire'"},
			{"how many orders in ÖSTERREICH", "country = 'Österreich'"},
			{"how many orders in US", "country = 'US'"},
			{"how many orders in us", "country = 'us'"},
			{"how many orders in Us", "unread"},
			{`how many orders in o\'brien`, `country = E'O\\''Brien'`},
			{"how many orders in Spain by month", "unread"},
			{"how many orders in Spain' or '1'='1", "unread"},
			{"how many orders in", "none"},
			{"how many orders", "none"},
			{"how many returns in Spain", "none"},
		}},
		{"a unit in two places", "orders of last {period:month}", "select count(*) from orders where day >= date_trunc('{period:month}', now()) - interval '1 {period:month}' and day < date_trunc({period:'month'}, now())", []asked{
			{"orders of last week", "date_trunc('week', now()) - interval '1 week' and day < date_trunc('week', now())"},
			{"Orders of last YEAR?", "interval '1 year'"},
			{"orders of last quarter", "date_trunc('quarter', now()) - interval '3 month' and day < date_trunc('quarter', now())"},
			{"orders of last weeks", "interval '1 week'"},
			{"orders of last Friday", "unread"},
			{"orders of last month', now()); delete from orders; --", "unread"},
		}},
		{"a unit of extract", "{per:monthly} revenue", "select extract({per:month} from day), sum(total) from orders group by 1", []asked{
			{"quarterly revenue", "extract('quarter' from day)"},
			{"annual revenue", "extract('year' from day)"},
			{"weakly revenue", "unread"},
		}},
		{"numbers", "top {n:10} customers with more than {least:2.5} orders", "select name from customers where orders > {least:2.5} order by orders desc limit {n:10}", []asked{
			{"top 5 customers with more than 1,000 orders", "orders > 1000 order by orders desc limit 5"},
			{"top five customers with more than two orders", "orders > 2 order by orders desc limit 5"},
			{"top 5 customers with more than -3 orders", "orders > (-3) order"},
			{"top 5 customers with more than −0.5 orders", "orders > (-0.5) order"},
			{"top 007 customers with more than 3 orders", "limit 7"},
			{"top 2.5 customers with more than 3 orders", "unread"},
			{"top 99999999999999999999 customers with more than 3 orders", "unread"},
			{"top 9999999999 customers with more than 3 orders", "limit 9999999999"},
			{"top 5; drop table customers with more than 3 orders", "unread"},
			{"top 5 customers with more than 1 or 1=1 orders", "unread"},
			{"top ٣ customers with more than 3 orders", "unread"},
			{"top many customers with more than 3 orders", "unread"},
		}},
		{"a signed number", "accounts below {x:-5}", "select * from accounts where balance < {x:-5}", []asked{
			{"accounts below 7", "balance < 7"}, {"accounts below -8", "balance < (-8)"},
		}},
		{"dates", "orders between {from:2025-01-01} and {to:31 January 2025}", "select * from orders where day between {from:'2025-01-01'} and date {to:'2025-01-31'}", []asked{
			{"orders between 2024-02-28 and 2024-02-29", "between '2024-02-28' and date '2024-02-29'"},
			{"orders between 1st of March 2024 and March 5th, 2024", "between '2024-03-01' and date '2024-03-05'"},
			{"orders between 03/04/2024 and today", "between '2024-04-03' and date '2026-11-21'"},
			{"orders between yesterday and tomorrow", "between '2026-11-20' and date '2026-11-22'"},
			{"orders between 2023-02-29 and today", "unread"},
			{"orders between 13/13/2024 and today", "unread"},
			{"orders between 2024-01-01' or true and today", "unread"},
			{"orders between infinity and today", "unread"},
		}},
		{"an instant", "logins since {t:2025-01-01 10:00}", "select * from logins where at >= timestamp {t:'2025-01-01 10:00:00'}", []asked{
			{"logins since 2024-05-06 at 3:05 pm", "timestamp '2024-05-06 15:05:00'"}, {"logins since 2024-05-06", "timestamp '2024-05-06'"}, {"logins since 2024-05-06 25:00", "unread"},
		}},
		{"an interval and pieces of one", "orders of the last {n:30} {unit:days} and returns within {span:2 weeks}", "select * from orders where day > now() - interval '{n:30} {unit:days}' and back < now() - {span:'2 weeks'}::interval", []asked{
			{"orders of the last 2 months and returns within a year", "interval '2 month' and back < now() - '1 year'::interval"},
			{"orders of the last two quarters and returns within 3 quarters", "interval '6 month' and back < now() - '9 month'::interval"},
			{"orders of the last 2 more months and returns within a year", "unread"},
		}},
		{"a list", "{state:cancelled=C|paid=P|on hold=H} orders", "select * from orders where status = {state:'C'}", []asked{
			{"on hold orders", "status = 'H'"}, {"PAID orders", "status = 'P'"}, {"C orders", "unread"}, {"lost orders", "unread"},
		}},
		{"a list of numbers", "{which:all=0|big=1000} orders", "select * from orders where total > {which:0}", []asked{{"big orders", "total > 1000"}, {"small orders", "unread"}}},
		{"any text", "products like {what:phone|any}", "select * from products where name ilike '%{what:phone}%'", []asked{
			{"products like lamp", "ilike '%lamp%'"},
			{"products like Lamp", "ilike '%Lamp%'"},
			{"products like 100%", `ilike E'%100\\%%'`},
			{"products like a_b", `ilike E'%a\\_b%'`},
			{`products like "table lamp"`, "ilike '%table lamp%'"},
			{`products like “table lamp”`, "ilike '%table lamp%'"},
			{"products like table lamp", "unread"}, // could be more of another question
			{`products like "it's"`, "ilike '%it''s%'"},
			{`products like "'; drop table products; --"`, "ilike '%''; drop table products; --%'"},
			{`products like a\'b`, `ilike E'%a\\\\''b%'`},
			{"products like $$x$$", "ilike '%$$x$$%'"},
			{"products like a\u202eb", "unread"},
			{"products like a\x00b", "unread"},
			{"products like " + strings.Repeat("x", 201), "unread"},
		}},
		{"a regular expression", "codes with {what:ab|any}", "select * from codes where code ~ {what:'ab'}", []asked{{"codes with a.*", `code ~ E'a\\.\\*'`}}},
		{"the same parameter twice", "{c:Spain|in customers.country} against {d:France|in customers.country} and back to {c:Spain}", "select {c:'Spain'}, {d:'France'}", []asked{
			{"us against US and back to us", "select 'us', 'US'"}, {"Spain against France and back to France", "unread"},
		}},
		{"beside punctuation", "{country:Spain|in customers.country}'s orders, since {y:2024}?", "select * from orders where country = {country:'Spain'} and extract(year from day) >= {y:2024}", []asked{
			{"France's orders, since 2020", "country = 'France' and extract(year from day) >= 2020"},
		}},
		{"ambiguous", "orders of {a:x|any} of {b:y|any}", "select {a:'x'}, {b:'y'}", []asked{
			{"orders of p of q", "select 'p', 'q'"},
			{`orders of "p of q" of r`, "select 'p of q', 'r'"},
			{"orders of p of q of r", "unread"},
			{`orders of "p" of "q" of "r"`, "unread"},
		}},
		{"ambiguous columns", "move {a:Spain|in x.y} to {b:France|in x.y}", "select {a:'Spain'}, {b:'France'}", []asked{{"move Spain to France", "unread"}}},
		{"a true one", "{what:active=true|former=false} members", "select * from members where active = {what:true}", []asked{{"former members", "active = false"}}},
		{"braces that are none", `how many \{x:1} of {n:3}`, `select '{"a":1}', '\{b:2}', array[1] where 3 > {n:3}`, []asked{{"how many {x:1} of 4", `select '{"a":1}', '{b:2}', array[1] where 3 > 4`}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tmpl, err := Compile(tt.question, tt.sql)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range tt.asked {
				values, match, err := tmpl.Match(context.Background(), a.question, reader)
				if err != nil {
					t.Fatal(err)
				}
				if match != Matched {
					if outcomes[match] != a.want {
						t.Errorf("%q: %s, want %q", a.question, outcomes[match], a.want)
					}
					continue
				}
				sql, err := tmpl.Fill(values)
				if err != nil || !strings.Contains(sql, a.want) {
					t.Errorf("%q: %v\n%s, %v\nwant %s", a.question, values, sql, err, a.want)
				}
			}
			if values, match, err := tmpl.Match(context.Background(), tmpl.Question, reader); err != nil || match == None {
				t.Errorf("its own question: %v, %v, %v", values, match, err)
			}
		})
	}
}

func TestCompile_Errors(t *testing.T) {
	for _, tt := range []struct{ question, sql, says string }{
		{"orders", "select 1", "no mark"},
		{"orders of {x:Spain", "select {x:'Spain'}", "closing brace"},
		{"orders of {x:}", "select {x:'Spain'}", "empty"},
		{"orders of {x:Spain|any}", "select 'Spain'", "SQL has none"},
		{"orders of {x:Spain|any}", "select {y:'Spain'}, {x:'Spain'}", "{y:"},
		{"orders of {x:Spain|any}", "select {x:country}", "no constant"},
		{"orders of {x:Spain|any}", "select {x:'France'}", "list the words"},
		{"orders of {x:Spain|any}", "selct {x:'Spain'}", "syntax"},
		{"orders of {x:many}", "select 1 limit {x:5} offset {x:6}", "list the words"},
		{"orders of {x:ab}", "select 1 limit {x:'a'}", "list the words"},
		{"orders of {x:soon}", "select date {x:'2020-01-01'}", "cannot be read as a date"},
		{"{x:orders|any}", "select {x:'orders'}", "every word"},
		{"orders {x:a|any}{y:b|any}", "select {x:'a'}, {y:'b'}", "between"},
		{"orders of {x:5}", "select 1 - -{x:5}", "sign"},
		{"orders of {x:5} and {x:6}", "select {x:5}", "same words"},
		{"orders of {x:Spain|in country}", "select {x:'Spain'}", "name the table"},
		{"orders of {x:2020} in {x:2020}", "select date '{x:2020}-01-01', {x:'2020'}", "different names"},
		{"{x:a=1|b=two} orders", "select 1 limit {x:1}", "choice"},
	} {
		if _, err := Compile(tt.question, tt.sql); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s / %s: %v, want %q", tt.question, tt.sql, err, tt.says)
		}
	}
}

func TestEscape(t *testing.T) {
	for _, s := range []string{"plain", "{a:b}", `\{a:b}`, `\\{a:b}`, "{}", `{"a":1}`, "{1,2}", "x {a: y"} {
		if got := Escape(s); Marked(got) {
			t.Errorf("%q escaped is %q, which has a mark", s, got)
		}
		if back, marks, err := readMarks(Escape(s), inQuestion); err != nil || back != s || len(marks) > 0 {
			t.Errorf("%q came back as %q, %v, %v", s, back, marks, err)
		}
	}
}

func TestTemplate_WithColumn(t *testing.T) {
	tmpl, err := Compile(`\{x:y} in {x:Spain}`, "select 1 from c where country = {x:'Spain'}")
	if err != nil {
		t.Fatal(err)
	}
	if got := tmpl.Open(); len(got) != 1 || got[0] != "x" {
		t.Fatal(got)
	}
	if got := tmpl.Compared("x"); len(got) != 1 || got[0] != "Spain" {
		t.Fatal(got)
	}
	if tmpl, err = tmpl.WithColumn("x", "customers.country"); err != nil || len(tmpl.Open()) != 0 || tmpl.Parameters[0].Column != "customers.country" {
		t.Fatal(tmpl, err)
	}
	if q, _ := tmpl.Marked(); q != `\{x:y} in {x:Spain|in customers.country}` {
		t.Fatal(q)
	}
}

// What Fill is given need not have been read from a question: values that are no
// constants, several, or none, are refused.
func TestTemplate_FillRefuses(t *testing.T) {
	for _, tt := range []struct{ sql, value, says string }{
		{"select {n:5} from t", "", "what the statement is"},
		{"select {n:5} from t", "5, secret", "what the statement is"},
		{"select {n:5} from t", "5 -- ", "what the statement is"},
		{"select 1 from t where x = {n:5}", "5 or true", "what the statement is"},
		{"select 1 from t where x = {n:5}", "x", "what the statement is"},
		{"select 1 from t where x = {n:5}", "5 union select 2", "what the statement is"},
		{"select 1 from t where x = {n:5}", "5; drop table t", "what the statement is"},
		{"select 1 from t where x = {n:5}", "5 /* 6 */", "read as they are written"},
		{"select 1 from t where x = {n:5}", "05", "read as they are written"},
		{"select 1 from t where x = {n:5}", "(", "with the values"},
	} {
		tmpl, err := Compile("the first {n:5} of them", tt.sql)
		if err != nil {
			t.Fatal(err)
		}
		sql, err := tmpl.Fill(map[string]string{"n": tt.value})
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s with %q: %q, %v; want %q", tt.sql, tt.value, sql, err, tt.says)
		}
	}
}

// FuzzTemplate_Fill puts any words in the places of parameters of several kinds:
// what comes out is the same statement but for its constants, or nothing.
func FuzzTemplate_Fill(f *testing.F) {
	tmpl, err := Compile(`find {a:x|any} and {n:5} in {m:m|any}`, `select {a:'x'}, 'p{m:m}q' from t where y = {n:5} and z like '%{a:x}'`)
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"x", "'", `\`, `\'`, "''; --", "$$", "é\u0301", "/*", "{a:b}", "\u2028"} {
		f.Add(s, "5", s)
	}
	f.Fuzz(func(t *testing.T, a, n, m string) {
		values, match, err := tmpl.Match(context.Background(), "find "+a+" and "+n+" in "+m, reader)
		if err != nil || match != Matched {
			return
		}
		sql, err := tmpl.Fill(values)
		if err != nil {
			return // refused, which is safe
		}
		if !strings.HasPrefix(sql, "select ") || !strings.Contains(sql, " from t where y = ") {
			t.Errorf("%q", sql)
		}
	})
}

func TestSuggest(t *testing.T) {
	for _, tt := range []struct{ question, sql, wantQuestion, wantSQL string }{
		{"How many orders from Spain last month?", "SELECT count(*) FROM orders o WHERE o.country = 'Spain' AND day >= date_trunc('month', now()) - interval '1 month'",
			"How many orders from {country:Spain} last {period:month}?", "SELECT count(*) FROM orders o WHERE o.country = {country:'Spain'} AND day >= date_trunc({period:'month'}, now()) - interval '1 {period:month}'"},
		{"top 10 customers of the last 30 days", "select 1 where d > now() - interval '30 days' limit 10",
			"top {n2:10} customers of the last {n:30} {period:days}", "select 1 where d > now() - interval '{n:30} {period:days}' limit {n2:10}"},
		{"monthly revenue since 2025-01-01", "select date_trunc('month', day) where day >= '2025-01-01'", "{period:monthly} revenue since {day:2025-01-01}", "select date_trunc({period:'month'}, day) where day >= {day:'2025-01-01'}"},
		{"orders of Costa Rica", "select 1 where x in ('Costa Rica')", "orders of {x:Costa Rica}", "select 1 where x in ({x:'Costa Rica'})"},
		{"Spain or Spain", "select 1 where x = 'Spain'", "Spain or Spain", "select 1 where x = 'Spain'"},
		{"how many", "select count(*) from t where a = 5", "how many", "select count(*) from t where a = 5"},
		{`is {a:b} 5`, `select '{c:d}' where x = 5`, `is \{a:b} {x:5}`, `select '\{c:d}' where x = {x:5}`},
		{"5", "not sql", "5", "not sql"},
	} {
		q, s := Suggest(tt.question, tt.sql)
		if q != tt.wantQuestion || s != tt.wantSQL {
			t.Errorf("%s / %s:\n%s\n%s\nwant\n%s\n%s", tt.question, tt.sql, q, s, tt.wantQuestion, tt.wantSQL)
			continue
		}
		if Marked(q) {
			if _, err := Compile(q, s); err != nil {
				t.Errorf("what is suggested does not compile: %v\n%s\n%s", err, q, s)
			}
		}
	}
}
