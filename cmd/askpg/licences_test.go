package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

const licencesFile = "../../docs/licences.md"

// licenceOf names a licence by words that stand in no other.
func licenceOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("Apache License") && has("Version 2.0"):
		return "Apache-2.0"
	case has("Permission to use, copy, modify, and/or distribute this software") || has("Permission to use, copy, modify, and distribute this software"):
		return "ISC"
	case has("Permission is hereby granted, free of charge"):
		return "MIT"
	case has("Redistribution and use in source and binary forms") && has("Neither the name"), has("Redistribution and use in source and binary forms") && has("may be used to endorse"):
		return "BSD-3-Clause"
	case has("Redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	}
	return ""
}

// TestLicences keeps docs/licences.md: every module whose code is in the
// program, with its version and licence. ASKPG_UPDATE=1 writes it.
func TestLicences(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-json=Module", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string][2]string{} // path: version, folder
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && !p.Module.Main {
			modules[p.Module.Path] = [2]string{p.Module.Version, p.Module.Dir}
		}
	}
	var lines []string
	for path, m := range modules {
		licence := ""
		for _, pattern := range []string{"LICENSE*", "LICENCE*", "COPYING*", "License*"} {
			files, _ := filepath.Glob(filepath.Join(m[1], pattern))
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if licence == "" {
					licence = licenceOf(string(text))
				}
			}
		}
		if licence == "" {
			t.Errorf("the licence of %s %s is not one of those that may be linked", path, m[0])
		}
		lines = append(lines, fmt.Sprintf("| %s | %s | %s |", path, m[0], licence))
	}
	sort.Strings(lines)
	want := "# Licences of what is linked\n\nEvery Go module whose code is in the program, pinned by `go.sum`. `TestLicences` of `cmd/askpg` keeps this page and fails where a licence is none of Apache-2.0, BSD, ISC and MIT. The parser of pg_query_go is PostgreSQL's (PostgreSQL licence), the library in go-sqlite3 is SQLite (public domain). The word stems of `catalog/words/data/frequent.txt` are from SCOWL, whose notice stands in the file.\n\n| module | version | licence |\n| --- | --- | --- |\n" +
		strings.Join(lines, "\n") + "\n"
	if os.Getenv("ASKPG_UPDATE") != "" {
		if err := os.WriteFile(licencesFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(licencesFile)
	if err != nil || string(have) != want {
		t.Fatalf("docs/licences.md is not as the program's modules are (%v): run the test with ASKPG_UPDATE=1", err)
	}
}
