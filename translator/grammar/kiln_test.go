package grammar_test

import "testing"

// kiln asks what people ask of who leads them, of shares of money, of what is left, and of those who did only one thing.
var kiln = map[string][]asked{
	"what is compared with that of the manager is of the row that the key points to": {
		{"kiln", "who earns more than their manager", `SELECT 'Bob Ray' UNION ALL SELECT 'Dee Fox'`},
		{"kiln", "potters with a salary below that of their manager", `SELECT 'Cid Orr'`},
		{"kiln", "how many potters earn more than their boss", `SELECT 2`},
		{"kiln", "potters who earn less than Ann Lee", `SELECT 'Cid Orr' UNION ALL SELECT 'Dee Fox'`},
	},
	"a share may be one of money": {
		{"kiln", "what share of revenue comes from web sales", `SELECT 45.0`},
		{"kiln", "share of revenue from phone sales in 2023", `SELECT 100.0 * 200 / 220`},
	},
	"only such, and no other": {
		{"kiln", "buyers who only bought by phone", `SELECT 'Oak Hotel'`},
		{"kiln", "buyers with only web sales", `SELECT 'Elm Hotel'`},
		{"kiln", "which makers only have discontinued pots", `SELECT 'Hone'`},
		{"kiln", "buyers who only bought by web in 2024", ``}, // only then, or only so
		{"kiln", "buyers who only buy in March", ``},          // of each year
		{"kiln", "buyers who ordered in both 2023 and 2024", `SELECT name FROM buyers WHERE false`},
	},
	"what is left is in stock": {
		{"kiln", "pots with fewer than 10 units left", `SELECT 'Red Jug' UNION ALL SELECT 'Blue Jug' UNION ALL SELECT 'White Vase'`},
		{"kiln", "do we still have the Red Jug", `SELECT true`},
		{"kiln", "do we have any Blue Jug left", `SELECT false`},
		{"kiln", "how much stock is left", `SELECT 40`},
		{"kiln", "how much stock do we have of discontinued pots", `SELECT 36`},
		{"kiln", "how many units of discontinued pots are left", `SELECT 36`},
		{"kiln", "which buyers have 2 sales left", ``},
		{"kiln", "do we still have buyers in York", ``},
		{"stall", "how many pieces of Kite do we still have", `SELECT 5`},
		{"kiln", "glazes below their reorder level", `SELECT 'Celadon'`}, // crates point to crates, too
	},
	"how long something took is counted from a time that is said": {
		{"kiln", "jobs finished within 3 days of the request", `SELECT id FROM jobs WHERE finished_on <= requested_on + 3`},
		{"kiln", "how many jobs were finished more than 10 days after they were requested", `SELECT 1`},
	},
	"a status of its own table says what is open": {
		{"kiln", "how many jobs are open", `SELECT 2`},
		{"kiln", "how many jobs are still open", `SELECT 2`},
		{"kiln", "how many open repairs", ``}, // what X means is not said
		{"kiln", "open jobs by potter", `SELECT 'Bob Ray', 1 UNION ALL SELECT 'Cid Orr', 1`},
	},
	"rows need not be what a verb says of them": {
		{"kiln", "orders shipped by Eva Ash", ``}, // she took them
		{"kiln", "orders taken by Eva Ash", `SELECT id FROM orders WHERE clerk_id = 1`},
		{"kiln", "clerks living in York", ``}, // they work there
		{"kiln", "jars sold in Leeds", ``},    // who lent them is there
		{"kiln", "jars lent from Leeds", `SELECT 'Tall Jar' UNION ALL SELECT 'Flat Jar'`},
		{"kiln", "shops open on Sundays", ``},
		{"kiln", "shops opened on a Sunday", `SELECT 'Kiln Shop'`},
		{"kiln", "jars retired in 2024", ``}, // they were added then
		{"kiln", "clerks older than 5 years", ``},
		{"kiln", "orders processed in 2024", ``},
	},
	"new is since when they came": {
		{"kiln", "orders from new clerks in 2021", ``},
		{"kiln", "orders of clerks who joined in 2021", `SELECT id FROM orders WHERE clerk_id = 1`},
	},
	"a role is not the same word twice": {
		{"kiln", "how many orders did Eva Ash do in 2024", `SELECT 2`},
		{"kiln", "how many potters does each manager have under them", `SELECT 'Ann Lee', 2 UNION ALL SELECT 'Cid Orr', 1`},
	},
	"not by one is not not at all": {
		{"kiln", "parcels not yet delivered by UPS", ``},
		{"kiln", "parcels not delivered yet", `SELECT 'P1'`},
		{"kiln", "orders without receipts in January 2024", ``}, // of orders, or of receipts
	},
	"a manager's salary is his own": {
		{"kiln", "managers with a salary over 4000", ``},
		{"kiln", "manager of Cid Orr", `SELECT 'Ann Lee'`},
	},
	"until a day is with that day": {
		{"kiln", "how many orders until 3 January 2024", `SELECT 2`},
		{"kiln", "how many orders before 3 January 2024", `SELECT 1`},
	},
	"the buyer of a job is that of its house, and not of the notes for it": {
		{"kiln", "how many open jobs does Elm Hotel have", `SELECT 1`},
		{"kiln", "buyer with the most jobs", `SELECT 'Elm Hotel'`},
	},
}

func TestKiln(t *testing.T) { testAsked(t, schemas(t, "kiln", "stall"), kiln) }
