package learn

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// TestFragment_OddCodes: whatever a code holds, the fragment is TOML, and a terminal obeys nothing in it.
func TestFragment_OddCodes(t *testing.T) {
	for _, s := range []string{"a\nb", "a\u009bb", "a\u202eb", "a\x1bb", `a"b\c`} {
		line := oneLine(s)
		if strings.ContainsAny(line, "\n\x1b\u009b\u202e") {
			t.Errorf("%q is written as %q", s, line)
		}
		var back struct{ V map[string]string }
		if _, err := toml.Decode("[v]\n"+line+" = "+line, &back); err != nil || back.V[s] != s {
			t.Errorf("%q: %v, %v", s, back, err)
		}
	}
}
