package grammar_test

import "testing"

// instead are questions of which a reading would show something else than what is asked for.
var instead = map[string][]asked{
	"keys alone are no answer": {
		{"yard", "stock of Claw", ``},
		{"yard", "stock in the East shed", ``},
	},
	"a number is not shown in another unit": {
		{"yard", "distance of the vans in miles", ``},
		{"yard", "average weight of vans in pounds", ``},
		{"yard", "distance of the vans in km", `SELECT distance_km FROM vans`},
	},
	"what became of things is not shown in their place": {
		{"yard", "list the repaid loans", ``},
	},
	"of two things that are asked for both are shown": {
		{"yard", "who coaches which squad", ``},
		{"yard", "who coaches the Fours squad", `SELECT 'Bob Stone'`},
	},
	"whoever is served does not work there": {
		{"yard", "who works in Bath", ``},
	},
}

func TestInstead(t *testing.T) { testAsked(t, schemas(t, "yard"), instead) }
