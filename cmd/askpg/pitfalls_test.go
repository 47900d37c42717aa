package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPitfalls holds documents to the tests that they name, by a case's name in a table too: each is there. docs/clients.md has
// one in each row of what programs send.
func TestPitfalls(t *testing.T) {
	there := map[string]string{} // the texts of the files of each test
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w*)\(`)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(b, -1) {
			there[string(m[1])] += string(b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, atLeast := range map[string]int{"wire.md": 100, "security.md": 30, "clients.md": 60} {
		text, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for _, m := range regexp.MustCompile("`((?:Test|Fuzz)\\w*)(?:/([^`]+))?`").FindAllStringSubmatch(string(text), -1) {
			if named++; there[m[1]] == "" || m[2] != "" && !strings.Contains(there[m[1]], strconv.Quote(m[2])) {
				t.Errorf("docs/%s names %s, which there is not", name, m[0])
			}
		}
		if _, table, ok := strings.Cut(string(text), "\n| program | a form "); ok {
			table, _, _ = strings.Cut(table, "\n\n")
			for _, row := range strings.Split(table, "\n")[2:] {
				if cells := strings.Split(row, " | "); len(cells) < 6 || !strings.Contains(cells[len(cells)-1], "`Test") {
					t.Errorf("docs/%s: no test shows %s", name, row)
				}
			}
		}
		for _, m := range regexp.MustCompile("`sequences/(\\w+)`").FindAllStringSubmatch(string(text), -1) {
			if named++; !exists("../../proxy/testdata/sequences/" + m[1] + ".txt") {
				t.Errorf("docs/%s names the sequence %s, which there is not", name, m[1])
			}
		}
		if named < atLeast {
			t.Errorf("docs/%s names %d tests: the expressions that look for them are wrong", name, named)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
