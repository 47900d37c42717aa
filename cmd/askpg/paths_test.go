package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestPathOfAByte holds docs/path-of-a-byte.md to files and functions that exist.
func TestPathOfAByte(t *testing.T) {
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "docs/path-of-a-byte.md"))
	if err != nil {
		t.Fatal(err)
	}
	places := regexp.MustCompile("`([a-z_/]+\\.go)`: ((?:`[\\w.]+`(?:, )?)+)").FindAllStringSubmatch(string(text), -1)
	if len(places) < 20 {
		t.Fatalf("%d files are named", len(places))
	}
	for _, p := range places {
		functions := functionsOf(t, filepath.Join(root, p[1]))
		for _, name := range regexp.MustCompile("`([\\w.]+)`").FindAllStringSubmatch(p[2], -1) {
			if !functions[name[1]] {
				t.Errorf("%s has no function %s", p[1], name[1])
			}
		}
	}
}

// functionsOf returns the functions and methods of a file, methods as Type.Method.
func functionsOf(t *testing.T, path string) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Error(err)
		return nil
	}
	functions := map[string]bool{}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
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
		functions[name] = true
	}
	return functions
}
