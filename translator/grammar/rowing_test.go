package grammar_test

import "testing"

// rowing are questions about what holds from a day until another one.
var rowing = map[string][]asked{
	"what is valid has begun and has not ended": {
		{"rowing", "current memberships", `SELECT id FROM memberships WHERE id IN (2, 4)`},
		{"rowing", "how many active memberships do we have?", `SELECT 2`},
		{"rowing", "how many valid memberships are there per plan?", `SELECT 'Basic', 1 UNION ALL SELECT 'Gold', 1`},
		{"rowing", "active subscriptions", `SELECT title FROM subscriptions WHERE id = 2`},
		{"rowing", "how many memberships were valid in 2024", ``}, // and not those that are valid now and began then
		{"rowing", "valid contracts", `SELECT number FROM contracts WHERE id IN (2, 3)`},
		{"rowing", "members without a valid membership", `SELECT 'Jan Reed'`},
		{"rowing", "expired memberships", `SELECT id FROM memberships WHERE id IN (1, 3)`},
	},
	"what may have ended is not counted unasked": {
		{"rowing", "how many memberships do we have?", ``},
		{"rowing", "how many subscriptions are there?", ``},
		{"rowing", "how many members have the Gold plan?", ``},
		{"rowing", "how many memberships do we have, ended ones too", `SELECT 4`},
		{"rowing", "number of outings per member", `SELECT 'Ida Moss', 2 UNION ALL SELECT 'Jan Reed', 1`},
	},
	"members are those with a membership": {
		{"rowing", "how many members do we have?", ``},
		{"rowing", "how many active members do we have?", `SELECT 2`},
		{"rowing", "current members", `SELECT name FROM members WHERE id IN (1, 3)`},
		{"rowing", "members who are not active", `SELECT 'Jan Reed'`},
		{"rowing", "current members per plan", `SELECT 'Basic', 1 UNION ALL SELECT 'Gold', 1`},
		{"rowing", "how many members do we have, ended memberships too", `SELECT 3`},
		{"rowing", "how many members joined in 2022", `SELECT 1`},
		{"rowing", "how many boats do we have", `SELECT 2`},
	},
	"members are not those whose role is called member": {
		{"rowing", "longest serving member", `SELECT 'Jan Reed'`},
		{"rowing", "longest serving member we still have", ``},
		{"rowing", "members with running memberships", `SELECT name FROM members WHERE id IN (1, 3)`},
		{"rowing", "members with active memberships", `SELECT name FROM members WHERE id IN (1, 3)`},
	},
	"each thing has one of what it points to": {
		{"rowing", "which plan with running memberships has the most members", ``},
	},
	"nobody has joined in a year that lies ahead": {
		{"rowing", "how many members joined in 2095", ``},
		{"deli", "orders after 2030", ``},
		{"rowing", "contracts that end in 2095", `SELECT number FROM contracts WHERE false`},
	},
}

func TestRowing(t *testing.T) { testAsked(t, schemas(t, "rowing", "deli"), rowing) }
