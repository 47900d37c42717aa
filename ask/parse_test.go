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
		if e := ask.AsError(err); e != nil && e.Position != tt.position {
			t.Fatalf("%.40s: position %d, want %d", tt.sql, e.Position, tt.position)
		}
	}
}
