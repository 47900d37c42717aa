package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// module is the Go files of a module, without those in testdata.
type module struct {
	path  string // as go.mod names it
	files []file
}

// file is one Go file.
type file struct {
	dir   string // of the package, relative to the module's root, with slashes
	name  string // of the package
	test  bool
	lines int
	code  int // lines, without blank ones and comments
	tree  *ast.File
}

func readModule(root string) (*module, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(string(mod), "\n")
	m := &module{path: strings.TrimPrefix(first, "module ")}
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			if name != root && (err == nil || strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		m.files = append(m.files, file{
			dir: filepath.ToSlash(dir), name: tree.Name.Name, test: strings.HasSuffix(name, "_test.go"),
			lines: bytes.Count(text, []byte("\n")), code: codeLines(text), tree: tree,
		})
		return nil
	})
	if err == nil && len(m.files) == 0 {
		err = fmt.Errorf("no Go files below %s", root)
	}
	return m, err
}

// codeLines counts the lines that hold code.
func codeLines(text []byte) int {
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(f, text, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue // inserted at a line's end
		}
		first := f.Line(pos)
		for n := range strings.Count(literal, "\n") + 1 {
			lines[first+n] = true
		}
	}
}

// exports counts the exported names of a module's packages by who uses them.
type exports struct{ all, outside, tests int }

// name is a package's exported name.
type name struct{ dir, name string }

// exported looks at functions, types, variables and constants of packages, not at
// methods and fields. A use is a selector of the package's name; uses of a
// package's own external tests count as its own.
func (m *module) exported() exports {
	declared := map[name]bool{}
	packages := map[string]string{} // name of the package in a folder
	for _, f := range m.files {
		if f.test {
			continue
		}
		packages[f.dir] = f.name
		for _, n := range declaredIn(f.tree) {
			if f.name != "main" && ast.IsExported(n) {
				declared[name{f.dir, n}] = true
			}
		}
	}
	outside, tests := map[name]bool{}, map[name]bool{}
	for _, f := range m.files {
		if f.test {
			m.uses(f, packages, tests)
		} else {
			m.uses(f, packages, outside)
		}
	}
	e := exports{all: len(declared)}
	for n := range declared {
		switch {
		case outside[n]:
			e.outside++
		case tests[n]:
			e.tests++
		}
	}
	return e
}

// uses adds the names of the module's other packages that a file uses.
func (m *module) uses(f file, packages map[string]string, used map[name]bool) {
	imports := map[string]string{} // folder by the name that the file uses
	for _, i := range f.tree.Imports {
		imported, _ := strconv.Unquote(i.Path.Value)
		dir, ours := strings.CutPrefix(imported, m.path+"/")
		if !ours || dir == f.dir {
			continue
		}
		as := packages[dir]
		if i.Name != nil {
			as = i.Name.Name
		}
		imports[as] = dir
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && imports[x.Name] != "" {
				used[name{imports[x.Name], s.Sel.Name}] = true
			}
		}
		return true
	})
}

// declaredIn returns the names that a file declares for its package.
func declaredIn(tree *ast.File) []string {
	var names []string
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}
