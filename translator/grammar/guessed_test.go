package grammar_test

import "testing"

// guessed are questions that leave open which of several things is meant, or say it where it is easily missed.
var guessed = map[string][]asked{
	"since an hour is since that hour of today": {
		{"smithy", "gifts since 9 am", `SELECT id FROM gifts WHERE given_at >= current_date + time '09:00'`},
		{"smithy", "gifts after 9 am", `SELECT id FROM gifts WHERE given_at::time >= '09:00'`},
		{"smithy", "gifts since 9 am yesterday", ``},
	},
	"a number keeps its sign": {
		{"smithy", "molds with temp below -5", ``},
		{"smithy", "ord_h with temp_c below -5", `SELECT ord_no FROM ord_h WHERE temp_c < -5`},
		{"smithy", "ord_h with temp_c between -5 and 0", `SELECT ord_no FROM ord_h WHERE temp_c BETWEEN -5 AND 0`},
		{"smithy", "top -5 works by price", ``},
	},
	"several points make no number": {
		{"smithy", "works with a price over 1.2.3", ``},
		{"smithy", "works with a price over 1.2", `SELECT id FROM works WHERE price > 1.2`},
	},
	"who resigned has left": {
		{"smithy", "how many smiths are there", `SELECT 2`},
		{"smithy", "smiths who joined before 2014 and still have bills", `SELECT 'Bo Tong'`},
		{"smithy", "smiths still with us who joined before 2014", `SELECT 'Ada Coal' UNION ALL SELECT 'Bo Tong'`},
		{"smithy", "smiths who resigned in 2023", `SELECT 'Cy Anvil'`},
	},
	"amounts of several currencies do not add up": {
		{"smithy", "total price of works", ``},
		{"smithy", "total price of works in EUR", `SELECT sum(price) FROM works WHERE currency = 'EUR'`},
		{"smithy", "total price of works by currency", `SELECT currency, sum(price) FROM works GROUP BY 1`},
		{"smithy", "works over 500 euros", ``},
		{"smithy", "most expensive work", ``},
		{"smithy", "highest price of works", ``},
		{"smithy", "works sorted by price", ``},
		{"smithy", "works with a price above the average", ``},
		{"smithy", "most expensive work in EUR", `SELECT id, price FROM works WHERE currency = 'EUR' ORDER BY price DESC LIMIT 1`},
	},
	"what was called off never began": {
		{"smithy", "how many cancelled works in January 2024", `SELECT 3`},
		{"smithy", "works not forged yet", `SELECT id FROM works WHERE forged_at IS NULL AND status <> 'cancelled'`},
	},
	"what is not done yet did not fail either": {
		{"smithy", "pacts not sealed yet", `SELECT id FROM pacts WHERE sealed_at IS NULL AND lost_at IS NULL`},
		{"smithy", "pacts that are not sealed", `SELECT id FROM pacts WHERE sealed_at IS NULL`},
	},
	"two people of one name are not one": {
		{"smithy", "prentices in the same town as Flo", ``},
		{"smithy", "smiths with the same job as Bo Tong", `SELECT name FROM smiths WHERE false`},
	},
	"the state of something else is none of the named": {
		{"smithy", "cancelled bills", ``},
		{"smithy", "bills of cancelled works", `SELECT 1 WHERE false`},
	},
	"two ways to go together": {
		{"smithy", "smiths with more than 1 contest", ``},
		{"smithy", "smiths with more than 1 showing", `SELECT 'Bo Tong'`},
	},
	"what is used is no repair": {
		{"smithy", "tools used in March 2024", ``},
		{"smithy", "tools repaired in March 2024", `SELECT 'Anvil'`},
	},
	"a time behind two numbers is of one of them or of both": {
		{"smithy", "smiths with more works than gifts", `SELECT 'Ada Coal' UNION ALL SELECT 'Bo Tong'`},
		{"smithy", "smiths with more works than gifts in 2024", ``},
	},
	"what few have is no list of all": {
		{"smithy", "rebates in January 2024", ``},
		{"smithy", "works with a rebate over 10", `SELECT 5`},
	},
	"a comment that lists the values of a column is no name of it": {
		{"smithy", "which farriers have no gifts", `SELECT name FROM smiths WHERE false`},
	},
	"the whole is meant, and not its lines": {
		{"smithy", "orders with a temp_c over -3", `SELECT ord_no FROM ord_h WHERE temp_c > -3`},
	},
}

func TestGuessed(t *testing.T) { testAsked(t, schemas(t, "smithy"), guessed) }
