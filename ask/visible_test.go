package ask_test

import (
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
