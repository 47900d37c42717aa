package grammar_test

import (
	"os"
	"strings"
	"testing"
)

func TestCalledTmp(t *testing.T) {
	file := os.Getenv("CALLED")
	if file == "" {
		t.Skip()
	}
	b, _ := os.ReadFile(file)
	neg, negBad := 0, 0
	pos, right, wrong := 0, 0, 0
	for _, part := range strings.Split(string(b), "\n=== ")[1:] {
		head, rest, _ := strings.Cut(part, "\n")
		schema, qs, _ := strings.Cut(rest, "\n---\n")
		s := sketch(t, head, schema)
		n, ok := 0, 0
		for _, line := range strings.Split(strings.TrimSpace(qs), "\n") {
			if line == "" || line[0] == '#' {
				continue
			}
			q, want, _ := strings.Cut(line, " => ")
			why := called(q, strings.TrimSpace(want), s)
			if strings.TrimSpace(want) == "" {
				neg++
				if why != "" {
					negBad++
					t.Logf("NEG %s: %s: %s", head, q, why)
				}
				continue
			}
			n++
			if why == "" {
				ok++
			} else {
				if strings.HasPrefix(why, "WRONG") {
					wrong++
				}
				if os.Getenv("QUIET") == "" {
					t.Logf("%s: %s [%s]: %s", head, q, want, why)
				}
			}
		}
		pos += n
		right += ok
		t.Logf("## %s %d/%d", head, ok, n)
	}
	t.Logf("## right %d of %d, wrong %d; negative bad %d of %d", right, pos, wrong, negBad, neg)
}
