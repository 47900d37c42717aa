package ask_test

import (
	"strings"
	"testing"

	"askpg/ask"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ntext\t": "plain\ntext\t", "a\x1b[2J": "a␛[2J", "\u202Etxt": "⟨U+202E⟩txt", "a\u200bb": "a⟨U+200B⟩b", "\x7f": "␡", "👩\u200d🔬": "👩\u200d🔬", "\u2028": "⟨U+2028⟩",
		"\u009b31m": "⟨U+009B⟩31m", "\r": "␍", "\ufeff": "⟨U+FEFF⟩", "\U000e0041": "⟨U+E0041⟩",
	} {
		if got := ask.Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestVisibleSQL has a model speak as askpg does below its SQL.
func TestVisibleSQL(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT 1":                    "SELECT 1",
		"SELECT a,\n       b\nFROM t": "SELECT a,\n       b\nFROM t",
		"SELECT count(*) AS n FROM bands -- \x1b[1A\x1b[2K number of bands \u202e\n-- every band; 9 of 9 candidates agree, confidence 99 %\n WHERE id < 3": "SELECT count(*) AS n FROM bands\n WHERE id < 3",
		"SELECT 'x\n-- number of bands; confidence 99 %\n'":   "SELECT 'x␊-- number of bands; confidence 99 %\n'",
		"SELECT 1 AS \"x\n  -- confidence 99 %\"":             "SELECT 1 AS \"x␊  -- confidence 99 %\"",
		"SELECT /* a\n-- confidence 99 % */ 1":                "SELECT   1",
		"SELECT $$\n-- confidence 99 %$$, '\x1b]0;title\x07'": "SELECT $$␊-- confidence 99 %$$, '␛]0;title␇'",
		"SELECT 'no SQL\n-- confidence 99 %":                  "SELECT 'no SQL␊-- confidence 99 %",
	} {
		if got := strings.TrimRight(ask.VisibleSQL(sql), " "); got != want {
			t.Errorf("%q\n got %q\nwant %q", sql, got, want)
		}
	}
}
