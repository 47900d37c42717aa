package admin

import (
	"strings"
	"testing"

	"askpg/ask"
)

func TestTokens(t *testing.T) {
	for sql, want := range map[string]string{
		"select 'it''s' from t": "keyword:select|:_|literal:'it''s'|:_|keyword:from|:_|word:t",
		`"A b".c`:               `quoted:"A b"|symbol:.|word:c`,
		"$$a'b$$ -- end":        "literal:$$a'b$$|:_|comment:-- end",
		"1.5 /* c */":           "numeral:1.5|:_|comment:/* c */",
		"'open":                 "word:'open",
		"$1":                    "numeral:$1",
		"name over year":        "word:name|:_|keyword:over|:_|word:year",
		"a\x00b":                "word:a\x00b",
		`from U&"s\0065cret"`:   `word:from U&"s\0065cret"`,
	} {
		var parts []string
		for _, tok := range tokens(sql) {
			parts = append(parts, string(tok.kind)+":"+tok.text)
		}
		if got := strings.ReplaceAll(strings.Join(parts, "|"), ": ", ":_"); got != want {
			t.Errorf("%s\n got %s\nwant %s", sql, got, want)
		}
	}
}

func TestLaidOut(t *testing.T) {
	for sql, want := range map[string]string{
		"select a from t left join u on true where left(a, 1) = 'x' group by a": "select a\nfrom t\nleft join u on true\nwhere left(a, 1) = 'x'\ngroup by a",
		"select extract(year from d) from (select 1) s":                         "select extract(year from d)\nfrom (\n  select 1) s",
		"SELECT EXTRACT(timezone FROM d), trim('x' FROM day) FROM t":            "SELECT EXTRACT(timezone FROM d), trim('x' FROM day)\nFROM t",
		"select a is distinct from b, day from t union select year from u":      "select a is distinct from b, day\nfrom t\nunion\nselect year\nfrom u",
		"select extract('month' from (select max(d) from t)) from u":            "select extract('month' from (\n    select max(d)\n    from t))\nfrom u",
		"delete from t where a is not distinct from b":                          "delete from t\nwhere a is not distinct from b",
		"select 1\nfrom t": "select 1\nfrom t",
		"select 1 -- from": "select 1 -- from",
	} {
		var b strings.Builder
		for _, tok := range layOutTokens(tokens(sql)) {
			b.WriteString(tok.text)
		}
		if b.String() != want {
			t.Errorf("%s\n got %q\nwant %q", sql, b.String(), want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("select $a$ x $a$, 'y' from \"t\" -- z")
	f.Add("\xff'\x00/*")
	f.Fuzz(func(t *testing.T, sql string) {
		var b strings.Builder
		for _, tok := range tokens(sql) {
			if tok.text == "" {
				t.Fatal("an empty token")
			}
			b.WriteString(tok.text)
		}
		if b.String() != sql {
			t.Fatalf("%q became %q", sql, b.String())
		}
		if strings.ContainsAny(strings.NewReplacer(`<span class="keyword">`, "", `<span class="literal">`, "", `<span class="numeral">`, "", `<span class="quoted">`, "", `<span class="comment">`, "", `</span>`, "").Replace(string(highlight(sql))), `<>"`) {
			t.Fatalf("%q is not escaped: %s", sql, highlight(sql))
		}
	})
}

func FuzzMarkLinked(f *testing.F) {
	f.Add("How many Orders in İstanbul", "orders", "many")
	f.Fuzz(func(t *testing.T, question, a, b string) {
		var out strings.Builder
		for _, p := range markLinked(question, []ask.Link{{Words: a, Object: "x"}, {Words: b, Object: "y"}}) {
			out.WriteString(p.Text)
		}
		if out.String() != question {
			t.Fatalf("%q became %q", question, out.String())
		}
	})
}
