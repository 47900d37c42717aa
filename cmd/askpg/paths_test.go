package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocuments_Names holds the documents that name files and what is in them to what exists. Methods are written Type.Method.
func TestDocuments_Names(t *testing.T) {
	const root = "../.."
	for name, pattern := range map[string]string{
		"docs/path-of-a-byte.md":     "(?P<file>`[\\w/]+\\.go`): (?P<names>(?:`[\\w.]+`(?:, )?)+)",
		"docs/path-of-a-question.md": "(?P<file>`[\\w/]+\\.go`): (?P<names>(?:`[\\w.]+`(?:, )?)+)",
		"CONTRIBUTING.md":            "(?P<names>(?:`[\\w.]+`(?:, | and )?)+) (?:in|of) (?P<file>`[\\w/]+\\.go`)",
	} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range quoted.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(root, path[1])); err != nil && filepath.Dir(path[1]) != "." && filepath.Ext(path[1]) == ".go" {
				t.Errorf("%s: %v", name, err)
			}
		}
		p := regexp.MustCompile(pattern)
		places := p.FindAllStringSubmatch(string(text), -1)
		if len(places) < 10 {
			t.Errorf("%s names %d files", name, len(places))
		}
		for _, m := range places {
			path := strings.Trim(m[p.SubexpIndex("file")], "`")
			declared := declaredIn(t, filepath.Join(root, path))
			for _, n := range quoted.FindAllStringSubmatch(m[p.SubexpIndex("names")], -1) {
				if !declared[n[1]] {
					t.Errorf("%s: %s does not declare %s", name, path, n[1])
				}
			}
		}
	}
}

var quoted = regexp.MustCompile("`([\\w./]+)`")

// declaredIn returns what a file declares, methods as Type.Method.
func declaredIn(t *testing.T, path string) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Error(err)
		return nil
	}
	declared := map[string]bool{}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			for _, spec := range d.(*ast.GenDecl).Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					declared[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						declared[n.Name] = true
					}
				}
			}
			continue
		}
		name := f.Name.Name
		if f.Recv != nil {
			typ := f.Recv.List[0].Type
			if star, ok := typ.(*ast.StarExpr); ok {
				typ = star.X
			}
			if id, ok := typ.(*ast.Ident); ok {
				name = id.Name + "." + name
			}
		}
		declared[name] = true
	}
	return declared
}
