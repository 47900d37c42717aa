package ask_test

import (
	"fmt"
	"testing"

	"askpg/ask"
)

func TestCodes(t *testing.T) {
	for sql, want := range map[string]string{
		"CASE a WHEN 1 THEN 'open' WHEN 2 THEN 'paid' ELSE 'x' END":                       "2 map[1:open 2:paid]",
		"CASE WHEN a::text = 'o'::varchar THEN 'open'::text WHEN a = 'p' THEN 'paid' END": "2 map[o:open p:paid]",
		"CASE a WHEN 1 THEN 'open' END":                                                   "0 map[]", // a condition
		"CASE a WHEN 1 THEN 'open' WHEN 2 THEN 'open' END":                                "0 map[]", // a group
		"CASE a WHEN 1 THEN 'open' WHEN 1 THEN 'paid' END":                                "0 map[]", // said twice
		"CASE a WHEN 'o' THEN 1 WHEN 'p' THEN 2 END":                                      "0 map[]", // an order
		"CASE a WHEN 'open' THEN 'Open' WHEN 'p' THEN 'paid' END":                         "0 map[]", // a spelling
		"CASE a WHEN 1 THEN NULL WHEN 2 THEN 'paid' END":                                  "0 map[]",
		"CASE a WHEN b THEN 'open' WHEN 2 THEN 'paid' END":                                "0 map[]",
		"CASE WHEN a > 1 THEN 'open' WHEN a = 2 THEN 'paid' END":                          "0 map[]",
		"CASE WHEN a IN (1) THEN 'open' WHEN a = 2 THEN 'paid' END":                       "0 map[]",
		"CASE WHEN a IS NULL THEN 'open' WHEN a = 2 THEN 'paid' END":                      "0 map[]",
		"coalesce(a, 1)": "0 map[]",
	} {
		tree, err := ask.Parse("SELECT " + sql)
		if err != nil {
			t.Fatal(err)
		}
		e := tree.Stmts[0].Stmt.GetSelectStmt().TargetList[0].GetResTarget().Val.GetCaseExpr()
		subjects, texts := ask.Codes(e)
		for _, s := range subjects {
			if s.GetColumnRef() == nil {
				t.Errorf("%s: %v is compared", sql, s)
			}
		}
		if got := fmt.Sprint(len(subjects), texts); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}
