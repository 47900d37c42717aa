package translator_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPathOfAQuestion holds docs/path-of-a-question.md to files and functions
// that exist. Methods are written Type.Method.
func TestPathOfAQuestion(t *testing.T) {
	const root = ".."
	text, err := os.ReadFile(filepath.Join(root, "docs/path-of-a-question.md"))
	if err != nil {
		t.Fatal(err)
	}
	places := regexp.MustCompile("`([\\w/]+\\.go)`: ((?:`[\\w.]+`(?:, )?)+)").FindAllStringSubmatch(string(text), -1)
	if len(places) < 25 {
		t.Fatalf("%d files are named", len(places))
	}
	for _, p := range places {
		source, err := os.ReadFile(filepath.Join(root, p[1]))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range regexp.MustCompile("`([\\w.]+)`").FindAllStringSubmatch(p[2], -1) {
			pattern := `(?m)^func ` + name[1] + `\(`
			if receiver, method, ok := strings.Cut(name[1], "."); ok {
				pattern = `(?m)^func \(\w+ \*?` + receiver + `\) ` + method + `\(`
			}
			if !regexp.MustCompile(pattern).Match(source) {
				t.Errorf("%s has no function %s", p[1], name[1])
			}
		}
	}
}
