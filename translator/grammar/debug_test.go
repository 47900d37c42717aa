package grammar_test

import (
	"os"
	"strings"
	"testing"

	"askpg/translator/grammar"
)

func TestDebug(t *testing.T) {
	if os.Getenv("Q") == "" {
		return
	}
	server := func(name string) string { return strings.Replace(os.Getenv("ASKPG_BENCH_URL"), "DB", name, 1) }
	snap := snapshot(t, server, os.Getenv("D"), "postgres")
	for _, fk := range snap.ForeignKeys {
		if os.Getenv("FK") != "" {
			t.Log("fk", fk.FromCols[0].Relation.Name.Name, fk.FromCols[0].Name, fk.ToCols[0].Relation.Name.Name, fk.ToCols[0].Name, fk.Implied)
		}
	}
	for _, q := range strings.Split(os.Getenv("Q"), "|") {
		if os.Getenv("CHART") != "" {
			for _, l := range grammar.Chart(q, snap) {
				t.Log(l)
			}
		}
		list, err := grammar.Interpret(q, "", snap, grammar.Options{})
		t.Log("Q", q, err)
		for _, in := range list {
			t.Log(in.Score, in.SQL)
		}
	}
}
