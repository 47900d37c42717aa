package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPitfalls holds docs/wire.md and docs/security.md to the tests that they
// name: each is there.
func TestPitfalls(t *testing.T) {
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w*)\(`)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(b, -1) {
			there[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, atLeast := range map[string]int{"wire.md": 100, "security.md": 30} {
		text, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for _, m := range regexp.MustCompile("`((?:Test|Fuzz)\\w*)`").FindAllStringSubmatch(string(text), -1) {
			if named++; !there[m[1]] {
				t.Errorf("docs/%s names %s, which there is not", name, m[1])
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
