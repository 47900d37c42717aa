package translator

import "testing"

func TestExtract(t *testing.T) {
	for _, tt := range []struct{ name, text, sql string }{
		{"fence", "```sql\nSELECT 1;\n```", "SELECT 1"},
		{"fence without language", "Here you are:\n```\nselect 1\n```\nThat is all.", "select 1"},
		{"fence of postgres", "```postgresql\nselect 1\n```", "select 1"},
		{"open fence", "```sql\nselect 1", "select 1"},
		{"two fences, the last counts", "```sql\nselect 1\n```\nbetter:\n```sql\nselect 2\n```", "select 2"},
		{"a fence of another language", "```json\n{\"plan\": 1}\n```\n```sql\nselect 2\n```", "select 2"},
		{"the last fence is broken", "```sql\nselect 1\n```\n```sql\nselec 2\n```", "select 1"},
		{"bare", "SELECT count(*) FROM orders;", "SELECT count(*) FROM orders"},
		{"bare with a trailing explanation", "SELECT count(*) FROM orders;\n\nThis counts the orders.", "SELECT count(*) FROM orders"},
		{"explanation without a blank line", "Sure. The SQL:\nSELECT count(*)\nFROM orders\nIt counts all orders.", "SELECT count(*)\nFROM orders"},
		{"label", "SQL: SELECT 1", "SELECT 1"},
		{"with", "with a as (select 1) select * from a", "with a as (select 1) select * from a"},
		{"json", `{"reasoning": "…", "sql": "SELECT 1;"}`, "SELECT 1"},
		{"json in a fence", "```json\n{\"sql\": \"SELECT 1\"}\n```", "SELECT 1"},
		{"json among words", `Sure: {"sql": "SELECT 1", "reason": "one"} as asked`, "SELECT 1"},
		{"json with a fence inside", "{\"sql\": \"```sql\\nSELECT 1;\\n```\"}", "SELECT 1"},
		{"the form", `{"reason": "r", "sql": "SELECT 1", "cannot_answer": ""}`, "SELECT 1"},
		{"the form with both filled in", `{"reason": "r", "sql": "SELECT 1", "cannot_answer": "the weather"}`, "SELECT 1"},
		{"the form cut off", `{"reason": "r", "sql": "SELECT 1 FR`, ""},
		{"json of another kind", `[{"sql": 1}]`, ""},
		{"thinking", "<think>maybe ```sql\nselect 0\n``` no</think>\n```sql\nselect 1\n```", "select 1"},
		{"thinking without a start", "maybe select 0</think>```sql\nselect 1\n```", "select 1"},
		{"several statements stay together for the guard", "```sql\nselect 1; drop table t\n```", "select 1; drop table t"},
		{"another statement is the guard's to refuse", "delete from t", "delete from t"},
		{"a syntax error is the server's to name", "```sql\nselect count( from t\n```", "select count( from t"},
		{"prose", "I am sorry, I don't know.", ""},
		{"a word", "COMMIT", ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := extract(tt.text); got.SQL != tt.sql || got.Refuses {
				t.Fatalf("got %+v, want %q", got, tt.sql)
			}
		})
	}
}

func TestExtract_CannotAnswer(t *testing.T) {
	for _, tt := range []struct{ text, missing string }{
		{"CANNOT ANSWER: there is no table of salaries.", "there is no table of salaries"},
		{"Plan: none.\n\n**CANNOT ANSWER:** the weather", "the weather"},
		{"```\nCANNOT ANSWER: the weather\n```", "the weather"},
		{"CANNOT_ANSWER", ""},
		{`{"reason": "none", "sql": "", "cannot_answer": "the weather"}`, "the weather"},
		{"```json\n{\"cannot_answer\": \"the weather\"}\n```", "the weather"},
		{`{"cannot_answer": true, "sql": null}`, ""},
		{`{"sql": "CANNOT ANSWER: the weather"}`, "the weather"},
	} {
		if got := extract(tt.text); !got.Refuses || got.Missing != tt.missing {
			t.Errorf("%q: got %+v", tt.text, got)
		}
	}
	if got := extract("Without a join I CANNOT ANSWER.\n```sql\nselect 1\n```"); got.Refuses || got.SQL != "select 1" {
		t.Errorf("SQL counts more than words: %+v", got)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("```sql\nselect 1\n```")
	f.Add("{\"sql\": \"select 1\"}")
	f.Add("CANNOT ANSWER: x")
	f.Fuzz(func(t *testing.T, text string) {
		a := extract(text)
		if a.Refuses && a.SQL != "" {
			t.Fatal("an answer both refuses and answers")
		}
	})
}

func TestAsksForOrder(t *testing.T) {
	for question, want := range map[string]bool{
		"list customers sorted by name":                true,
		"names in alphabetical order":                  true,
		"orders from the highest to the lowest total":  true,
		"revenue by month in ascending order of month": true,
		"how many orders last month":                   false,
		"which customer ordered most":                  false,
		"the order by customer 5":                      true,
		"top 5 products":                               false,
		"what is the descending node":                  false,
		"products ranked by revenue":                   true,
		"orders in the last week":                      false,
	} {
		if got := asksForOrder(question); got != want {
			t.Errorf("%q: got %v, want %v", question, got, want)
		}
	}
}
