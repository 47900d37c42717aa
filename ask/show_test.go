package ask_test

import (
	"testing"

	"askpg/ask"
)

func TestShowName(t *testing.T) {
	for _, tt := range []struct {
		sql  string
		name string
		ok   bool
	}{
		{"SHOW askpg.last", "last", true},
		{"show AskPG.Budget ;", "budget", true},
		{"-- a tool's comment\n/* and another */ SHOW askpg.status", "status", true},
		{`SHOW "askpg"."models"`, "models", true},
		{"SHOW askpg.", "", false},
		{"SHOW search_path", "", false},
		{"SHOW ALL", "", false},
		{"SHOW askpgx.last", "", false},
		{"SHOW askpg.last; SELECT 1", "", false},
		{"SELECT 'SHOW askpg.last'", "", false},
		{"SHOWaskpg.last", "", false},
		{"/* open SHOW askpg.last", "", false},
	} {
		name, ok := "", false
		if ask.MayShow([]byte(tt.sql)) {
			name, ok = ask.ShowName(tt.sql)
		}
		if !ok {
			name = ""
		}
		if name != tt.name || ok != tt.ok {
			t.Errorf("%q: %q, %v; want %q, %v", tt.sql, name, ok, tt.name, tt.ok)
		}
		if _, parsed := ask.ShowName(tt.sql); parsed && !tt.ok {
			t.Errorf("%q is taken for a SHOW of ours", tt.sql)
		}
	}
}
