package grammar_test

import "testing"

// crag are questions about what was taken away, ended or came.
var crag = map[string][]asked{
	"what was removed is there no more": {
		{"crag", "how many routes are there currently?", `SELECT 2`},
		{"crag", "how many red routes do we have", `SELECT 1`},
		{"crag", "routes removed in 2025", `SELECT 'Adder'`},
	},
	"what was cancelled was not so when it began": {
		{"crag", "how many memberships were cancelled in 2025", ``},
		{"crag", "how many cancelled memberships are there", `SELECT 1`},
	},
	"who came has not joined": {
		{"crag", "which members came in March 2025", ``},
		{"crag", "which members joined in January 2025", `SELECT 'Ana Bell'`},
	},
	"hours come again each day": {
		{"crag", "check-ins by hour", `SELECT 10, 2 UNION ALL SELECT 18, 1`},
	},
}

func TestCrag(t *testing.T) {
	testAsked(t, schemas(t, "crag"), crag)
}
