package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askpg/internal/shop"
)

// TestLog_Erase erases a login while askpg runs: no byte of it is left in the files beside the configuration, and who asks
// goes on.
func TestLog_Erase(t *testing.T) {
	config, address, admin := writeConfig(t, "")
	p := serveProcess(t, config, address, admin)
	conn := connect(t, p.url(shop.Analyst))
	for _, role := range []string{shop.Analyst, shop.Support} {
		for _, question := range []string{"how many customers do we have", "how many orders are there", "how many zyxwolves are there"} {
			if _, err := asked(testContext(t), connect(t, p.url(role)), "-- ask: "+question+" "); err != nil && err.Code != "ASK01" {
				t.Fatal(err)
			}
		}
	}
	if _, err := asked(testContext(t), conn, "-- ask: how many customers do we have"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the entry of the repeated answer is written", func() bool {
		var said bytes.Buffer
		run(testContext(t), []string{"log", "--config", config, "erase", "--login", shop.Analyst}, streams{nil, &said, &said})
		return strings.Contains(said.String(), "4 translations of the login")
	})
	holding := func(word string) (files []string) {
		list, err := filepath.Glob(filepath.Join(filepath.Dir(config), "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			if text, err := os.ReadFile(f); err == nil && bytes.Contains(text, []byte(word)) {
				files = append(files, f)
			}
		}
		return files
	}
	if len(holding(shop.Analyst)) == 0 || len(holding(shop.Support)) == 0 {
		t.Fatal("the search finds nothing")
	}
	before := holding(shop.Analyst)
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"erase"}, 2, "needs --login"},
		{[]string{"erase", "--before", "yesterday"}, 2, "no date"},
		{[]string{"erase", "--before", "2999-01-01", "--yes"}, 2, "in the future"},
		{[]string{"erase", "--login", "", "--before", "2000-01-01", "--yes"}, 2, "--login is empty"},
		{[]string{"erase", "--before", "2000-01-01", "--keep-examples", "--yes"}, 2, "--keep-examples"},
		{[]string{"-db", "other", "erase", "--login", shop.Analyst, "--text", "x", "--yes"}, 2, "erase does not take --db, --text"},
		{[]string{"erase", "--login", shop.Analyst}, 2, "4 translations of the login " + shop.Analyst + ": repeat it with --yes"},
		{[]string{"-login", shop.Support, "list"}, 2, "list does not take --login"},
		{[]string{"show", "--db", "shop", "0"}, 2, "show does not take --db"},
		{[]string{"correct", "--sql", "SELECT 1", "0", "SELECT 1"}, 2, "correct does not take --sql"},
		{[]string{"list", "--limit", "0"}, 2, "--limit is 0"},
		{[]string{"list", "--since", "-1h"}, 2, "--since"},
	} {
		var said bytes.Buffer
		if code := run(testContext(t), append([]string{"log", "--config", config}, tt.args...), streams{nil, &said, &said}); code != tt.code || !strings.Contains(said.String(), tt.says) {
			t.Errorf("askpg log %v: exit %d, %s", tt.args, code, said.String())
		}
	}
	if now := holding(shop.Analyst); len(now) != len(before) {
		t.Fatalf("what was refused has erased something: %v", now)
	}
	out, err := askpgCommand(t, "log", "--config", config, "erase", "--login", shop.Analyst, "--yes").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "4 translations") || !strings.Contains(string(out), "a running askpg has") {
		t.Fatalf("%v\n%s", err, out)
	}
	if files := holding(shop.Analyst); len(files) > 0 {
		t.Errorf("%q is still in %v", shop.Analyst, files)
	}
	if len(holding(shop.Support)) == 0 {
		t.Error("others were erased too")
	}
	for _, word := range []string{"good", "bad: wrong", "run 1"} {
		if _, err := asked(testContext(t), conn, "-- ask("+word+")"); err == nil || err.Code != "55000" {
			t.Errorf("ask(%s) of an erased question: %v", word, err)
		}
	}
	if files := holding(shop.Analyst); len(files) > 0 {
		t.Errorf("%q is again in %v", shop.Analyst, files)
	}
	if got, err := asked(testContext(t), conn, "-- ask: how many customers do we have"); err != nil || got == "" {
		t.Errorf("after the erasure: %q, %v", got, err)
	}
}
