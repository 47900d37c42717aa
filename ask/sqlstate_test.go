package ask_test

import (
	"testing"

	"askpg/ask"
)

func TestCodeLabel(t *testing.T) {
	for code, want := range map[string]string{
		"00000": "00000", "42P01": "42P01", "57014": "57014", "53200": "53200", "08P01": "08P01", "ASK01": "ASK01", "ASK05": "ASK05", "25P04": "25P04",
		"EVIL1": "other", "ASK99": "other", "42ZZZ": "other", "": "other", "57014 ": "other", "P0001": "P0001",
	} {
		if got := ask.CodeLabel(code); got != want {
			t.Errorf("%q is %q, not %q", code, got, want)
		}
	}
}
