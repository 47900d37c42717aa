package ask_test

import (
	"strings"
	"testing"

	"askpg/ask"
)

// A text that would overflow the parser's stack ends the process, and no
// recover helps.
func TestParse_Deep(t *testing.T) {
	for name, sql := range map[string]string{
		"plus":   "select 1" + strings.Repeat("+1", 100_000),
		"casts":  "select 1" + strings.Repeat("::int", 100_000),
		"joins":  "select 1 from a" + strings.Repeat(" join a on true", 50_000),
		"parens": "select " + strings.Repeat("(", 100_000),
		"quote":  "select 1" + strings.Repeat("+1", 100_000) + " 'never ends",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ask.Parse(sql); ask.AsError(err) == nil {
				t.Fatalf("got %v, want an *ask.Error", err)
			}
			if _, err := ask.ParseJSON(sql); ask.AsError(err) == nil {
				t.Fatalf("as JSON: got %v, want an *ask.Error", err)
			}
		})
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		sql, code string
		position  int
	}{
		{"select 1", "", 0},
		{"select 1" + strings.Repeat("+1", 3000), "", 0},
		{"selec 1", "42601", 1},
		{"select 'ä' frm t x", "42601", 16},
		{"select 1\x00; drop table t", "22021", 0},
		{"select '" + strings.Repeat("x", 100_000) + "'", "", 0},
	} {
		_, err := ask.Parse(tt.sql)
		if ask.CodeOf(err) != tt.code {
			t.Fatalf("%.40s: got %v, want %q", tt.sql, err, tt.code)
		}
		if _, jerr := ask.ParseJSON(tt.sql); ask.CodeOf(jerr) != tt.code {
			t.Fatalf("%.40s: as JSON: got %v, want %q", tt.sql, jerr, tt.code)
		}
		if e := ask.AsError(err); e != nil && e.Position != tt.position {
			t.Fatalf("%.40s: position %d, want %d", tt.sql, e.Position, tt.position)
		}
	}
}

// What Parse takes must not overflow a thread's stack as JSON either, whatever
// it is that nests.
func TestParseJSON_DeepestAllowed(t *testing.T) {
	n := ask.MaxTokens
	for name, sql := range map[string]string{
		"plus":       "select 1" + strings.Repeat("+1", n/2-2),
		"casts":      "select 1" + strings.Repeat("::int", n/2-2),
		"joins":      "select 1 from a" + strings.Repeat(" join a on true", n/5-2),
		"minus":      "select " + strings.Repeat("- ", n-5) + "1",
		"not":        "select " + strings.Repeat("not ", n-5) + "true",
		"subselects": "select " + strings.Repeat("(select ", n/3-2) + "1" + strings.Repeat(")", n/3-2),
		"calls":      "select " + strings.Repeat("f(", n/3-2) + "1" + strings.Repeat(")", n/3-2),
		"case":       "select " + strings.Repeat("case when true then ", n/5-2) + "1" + strings.Repeat(" end", n/5-2),
		"unions":     "select 1" + strings.Repeat(" union select 1", n/3-2),
	} {
		t.Run(name, func(t *testing.T) {
			if err := ask.Parseable(sql); err != nil {
				t.Fatalf("too much for this test: %v", err)
			}
			if _, err := ask.ParseJSON(sql); err != nil && ask.CodeOf(err) != ask.CodeTooComplex {
				t.Fatalf("got %v", err)
			}
		})
	}
}
