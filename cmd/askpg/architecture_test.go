package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayImport is the table of docs/architecture.md: what each package may
// import of this module, tests aside.
var mayImport = map[string][]string{
	"ask":                 {},
	"ask/param":           {"ask"},
	"ask/analysed":        {},
	"wire":                {},
	"wire/scram":          {},
	"catalog":             {"catalog/", "ask/analysed", "ask"},
	"catalog/lru":         {},
	"catalog/search":      {"catalog/joins", "catalog/lru", "catalog/guarded", "catalog/schema", "catalog/words", "ask"},
	"catalog/joins":       {"catalog/guarded", "catalog/schema", "catalog/words", "ask"},
	"catalog/guarded":     {"catalog/schema", "ask"},
	"catalog/schema":      {},
	"catalog/words":       {},
	"learn":               {"catalog", "catalog/guarded", "catalog/schema", "catalog/words", "ask"},
	"cache":               {"ask"},
	"store":               {"ask/param", "ask"},
	"admin":               {"store", "ask/param", "ask"},
	"replica/guard":       {"ask/analysed", "ask"},
	"replica":             {"replica/guard", "wire", "wire/scram", "catalog", "ask/analysed", "ask"},
	"proxy":               {"proxy/eventloop", "proxy/serverpool", "wire", "wire/scram", "ask"},
	"proxy/eventloop":     {},
	"proxy/serverpool":    {"wire", "wire/scram"},
	"translator/llm":      {"translator/token", "ask"},
	"translator/token":    {},
	"translator/vote":     {"ask"},
	"translator/refs":     {"catalog", "ask"},
	"translator/sentence": {"ask"},
	"translator/fault":    {"catalog", "ask"},
	"translator/demo":     {"catalog", "catalog/words", "ask"},
	"translator/prompt":   {"translator/token", "catalog", "catalog/words", "ask"},
	"translator/grammar":  {"catalog", "catalog/words", "ask"},
	"translator":          {"translator/", "catalog", "catalog/lru", "catalog/words", "ask/analysed", "ask"},
	"eval":                {"translator", "translator/", "replica", "catalog", "ask", "internal/pgserver", "internal/shop"},
	"internal/pgserver":   {},
	"internal/pgtest":     {"internal/pgserver"},
	"internal/shop":       {},
	"internal/warehouse":  {"catalog"},
	"cmd/askpg":           {""},
	// Programs that measure, and servers of the tests.
	"proxy/":              {""},
	"translator/vote/":    {""},
	"internal/warehouse/": {},
	"translator/llm/":     {"translator/llm", "ask"},
	"admin/oidctest":      {},
}

// unboundedParser are the functions of pg_query that can overflow a stack: the rest asks
// package ask, which bounds the text and knows the stack.
var unboundedParser = regexp.MustCompile(`pg_query\.(Parse|ParseToJSON|ParsePlPgSqlToJSON|Deparse\w*|Fingerprint\w*|Normalize\w*|Split\w*)\(|pg_query_go/v5/parser"`)

// TestArchitecture holds imports to the table, every package to a doc comment, and
// calls of the parser to package ask.
func TestArchitecture(t *testing.T) {
	out, err := exec.CommandContext(testContext(t), "go", "list", "-json=Dir,ImportPath,Imports,Doc,GoFiles", "askpg/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for dec.More() {
		var p struct {
			Dir        string
			ImportPath string
			Imports    []string
			Doc        string
			GoFiles    []string
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) == 0 {
			continue
		}
		seen++
		name := strings.TrimPrefix(p.ImportPath, "askpg/")
		if p.Doc == "" {
			t.Errorf("%s has no doc comment that says what it is for", name)
		}
		allowed, ok := allowedImports(name)
		if !ok {
			t.Errorf("%s is not in the table of packages", name)
		}
		for _, file := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if name != "ask" && unboundedParser.Match(text) {
				t.Errorf("%s of %s calls libpg_query, which package ask alone does", file, name)
			}
		}
		for _, imported := range p.Imports {
			rest, ours := strings.CutPrefix(imported, "askpg/")
			if ours && !slices.ContainsFunc(allowed, func(a string) bool {
				return rest == a || a == "" || strings.HasSuffix(a, "/") && strings.HasPrefix(rest, a)
			}) {
				t.Errorf("%s imports %s", name, rest)
			}
		}
	}
	if seen < 15 {
		t.Errorf("only %d packages were looked at", seen)
	}
}

// TestProgram_LinksNoTesting keeps what only tests need out of the program.
func TestProgram_LinksNoTesting(t *testing.T) {
	out, err := exec.CommandContext(testContext(t), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if name == "testing" || strings.HasPrefix(name, "testing/") || name == "askpg/internal/pgtest" {
			t.Errorf("the program links %s", name)
		}
	}
}

// allowedImports finds the row of a package: its own, or the longest that
// ends with a slash and begins its name.
func allowedImports(name string) ([]string, bool) {
	if a, ok := mayImport[name]; ok {
		return a, true
	}
	best := ""
	for row := range mayImport {
		if strings.HasSuffix(row, "/") && strings.HasPrefix(name, row) && len(row) > len(best) {
			best = row
		}
	}
	return mayImport[best], best != ""
}
