package grammar_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPackageDoc holds that each file begins with what it holds, and that the files
// which the package's comment names exist.
func TestPackageDoc(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "doc.go" {
			for _, named := range regexp.MustCompile(`\w+\.(go|toml)`).FindAllString(string(text), -1) {
				if _, err := os.Stat(named); err != nil {
					t.Errorf("doc.go names %s: %v", named, err)
				}
			}
		} else if !strings.HasSuffix(name, "_test.go") && !regexp.MustCompile(`^(// .+\n)+\npackage `).Match(text) {
			t.Errorf("%s does not begin with a comment on what it holds", name)
		}
	}
}
