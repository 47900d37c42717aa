package grammar_test

import "testing"

// anvil are questions about a status that is a row of its own, and about words that stand for several things.
var anvil = map[string][]asked{
	"a status may be a row of its own": {
		{"anvil", "open jobs", `SELECT job_no FROM job_hdr WHERE job_id IN (2, 3)`},
		{"anvil", "how many jobs are still open", `SELECT 2`},
		{"anvil", "how many open jobs does each customer have", `SELECT 'Ann Lee', 1 UNION ALL SELECT 'Bob Ray', 1`},
		{"anvil", "jobs on hold", `SELECT 'J1003'`},
		{"anvil", "jobs by status", `SELECT 'Shipped', 2 UNION ALL SELECT 'Entered', 1 UNION ALL SELECT 'On hold', 1`},
		{"anvil", "status of job J1003", `SELECT 'On hold'`},
		{"anvil", "bills by status", `SELECT 'P', 2 UNION ALL SELECT 'O', 1`},
	},
	"when something was done is the time that is called so": {
		{"anvil", "when was job J1001 shipped", `SELECT DATE '2024-03-09'`},
		{"anvil", "jobs shipped in March 2024", `SELECT 'J1001'`},
	},
	"who books has a booking, whatever became of it": {
		{"anvil", "customers who never booked a course", `SELECT 'Cid Orr'`},
		{"anvil", "which customers booked a course", `SELECT 'Ann Lee' UNION ALL SELECT 'Bob Ray'`},
	},
	"things with something have it, and no fault of it": {
		{"anvil", "courses with a gas forge", `SELECT 'Knives' UNION ALL SELECT 'Gates'`},
		{"anvil", "how many courses have a power hammer", `SELECT 1`},
		{"anvil", "courses with gas forge faults", `SELECT 'Nails'`},
	},
	"a name may be written in two ways": {
		{"anvil", "how many Picard hammers do we have", `SELECT 4`},
		{"anvil", "how many Halder hammers do we have", `SELECT 2`},
	},
	"somebody is called by both of his names behind what he is": {
		{"anvil", "phone of the smith Dan Hay", `SELECT '222'`},
		{"anvil", "reservations of the smith Dan Fox", `SELECT 'R1'`},
		{"anvil", "smith Eve Fox", `SELECT 'Eve', 'Fox'`},
	},
	"what we got came to be then": {
		{"anvil", "how many reservations did we get in March 2024", `SELECT 1`},
		{"anvil", "how many reservations were cancelled in 2024", `SELECT 1`},
		{"anvil", "income by smith", `SELECT 'Dan', 'Fox', 100 UNION ALL SELECT 'Dan', 'Hay', 30 UNION ALL SELECT 'Eve', 'Fox', 50`},
		{"anvil", "how many kg were forged in 2024", `SELECT 11`},
		{"anvil", "how many kg of steel did Dan Fox take in 2024", ``},
		{"anvil", "top 1 customers by check-ins", `SELECT 'Ann Lee', 2`},
	},
	"what is on hand is in stock": {
		{"anvil", "total stock of Flat Iron", `SELECT 24`},
		{"anvil", "stock of Flat Iron by yard", `SELECT 'East Yard', 20 UNION ALL SELECT 'West Yard', 4`},
		{"anvil", "which bars are out of stock", `SELECT 'Round Iron' UNION ALL SELECT 'Square Iron'`},
		{"anvil", "which bars are below their reorder level", `SELECT 'Flat Iron' UNION ALL SELECT 'Round Iron'`},
		{"anvil", "bars with less than 10 in stock", ``}, // in each yard or in all
		{"anvil", "what was the stock of Flat Iron on 1 June 2024", ``},
	},
	"what the status says of people tells whether they are there": {
		{"anvil", "how many apprentices have left the smithy", `SELECT 2`},
		{"anvil", "how many apprentices smoke", ``},
	},
	"whose something is has the key that no verb names": {
		{"anvil", "hoists by smith", `SELECT 'Dan', 'Fox', 2 UNION ALL SELECT 'Dan', 'Hay', 1`},
		{"anvil", "hoists checked by Eve Fox", `SELECT id, smith_id, checked_by, voucher_id, used_on FROM hoists WHERE id IN (2, 3)`},
		{"anvil", "total fee of grindings per smith", ``}, // of one piece, or of all
		{"anvil", "average fee of grindings", `SELECT 6`},
		{"anvil", "average hoist value", ``}, // that of a voucher is none
		{"anvil", "average voucher value", `SELECT 7`},
	},
	"what is delivered was ordered and sent": {
		{"anvil", "how long does each carrier take to deliver", ``}, // from when it was ordered or shipped
		{"anvil", "how long does it take to deliver a parcel", `SELECT 4`},
	},
	"what is discontinued is not active any more": {
		{"anvil", "which courses have been discontinued", `SELECT 'Nails'`},
		{"anvil", "how many courses do we offer", `SELECT 3`},
	},
}

func TestAnvil(t *testing.T) { testAsked(t, schemas(t, "anvil"), anvil) }
