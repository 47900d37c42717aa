package guard

import (
	"fmt"
	"strings"
	"testing"
)

// TestScanTree_Constants reads what constants name, whatever the server's machine, and refuses what it does not understand.
func TestScanTree_Constants(t *testing.T) {
	const begin, end = "{CONST :consttype 3769 :consttypmod -1 :constcollid 0 :constlen 4 :constbyval true :constisnull false :location 17 :constvalue ", "}"
	for value, want := range map[string]string{
		"4 [ 1 64 0 0 0 0 0 0 ]":       "[{3600 16385}]",
		"4 [ -127 -64 0 0 0 0 0 0 ]":   "[{3600 49281}]",
		"4 [ 129 192 0 0 0 0 0 0 ]":    "[{3600 49281}]",
		"4 [ 0 0 0 0 0 0 64 1 ]":       "[{3600 16385}]",
		"4 [ 1 64 0\n0 0 0 0 0 ]":      "[{3600 16385}]",
		"<>":                           "[]",
		"":                             "refused",
		"4 [ 1 64 0 0 ]":               "refused",
		"4 [ 1 64 0 0 0 0 0 x ]":       "refused",
		"4 [ 1 64 0 0 0 0 0 0 ] :more": "refused",
	} {
		refs := scanTree(begin + value + end)
		got := fmt.Sprint(refs.named)
		if refs.err != "" {
			got = "refused"
		}
		if got != want || refs.search {
			t.Errorf("%q: got %s, %v, want %s", value, got, refs.search, want)
		}
	}
	if refs := scanTree(strings.Replace(begin, "3769", "25", 1) + "<>}"); refs.err != "" || refs.named != nil {
		t.Errorf("a text names %v: %s", refs.named, refs.err)
	}
	if refs := scanTree("{COERCEVIAIO :arg " + strings.Replace(begin, "3769", "25", 1) + "<>} :resulttype 3769 :resultcollid 0}"); refs.err != "" || !refs.search {
		t.Errorf("a value that is cast to regdictionary: %+v", refs)
	}
}
