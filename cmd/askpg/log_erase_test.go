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
	out, err := askpgCommand(t, "log", "--config", config, "erase", "--login", shop.Analyst).CombinedOutput()
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
	for _, args := range [][]string{{"erase"}, {"erase", "--before", "yesterday"}} {
		if code := run(testContext(t), append([]string{"log", "--config", config}, args...), streams{nil, new(bytes.Buffer), new(bytes.Buffer)}); code != 2 {
			t.Errorf("askpg log %v: exit %d", args, code)
		}
	}
}
