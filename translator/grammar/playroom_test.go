package grammar_test

import (
	"testing"
	"time"

	"askpg/translator/grammar"
)

// playroom are questions about all of several things, and about none of them.
var playroom = map[string][]asked{
	"what is said of all is not said of some": {
		{"playroom", "families whose loans were never damaged", `SELECT unnest(ARRAY['Bond', 'Cole', 'Dunn'])`},
		{"playroom", "families whose loans were never returned late", `SELECT unnest(ARRAY['Bond', 'Cole', 'Dunn'])`},
		{"playroom", "families whose loans were never late", ``}, // what is still out may be late
		{"playroom", "families with no late loans", ``},
		{"playroom", "families whose loans were never cancelled", `SELECT unnest(ARRAY['Ames', 'Bond', 'Dunn'])`},
		{"playroom", "families whose dues were never paid", `SELECT 'Dunn'`},
		{"playroom", "families whose every loan was returned", `SELECT unnest(ARRAY['Ames', 'Cole', 'Dunn'])`},
		{"playroom", "families whose loans were all returned", `SELECT unnest(ARRAY['Ames', 'Cole', 'Dunn'])`},
		{"playroom", "families whose loans were all closed", `SELECT unnest(ARRAY['Ames', 'Dunn'])`},
		{"playroom", "how many families have dues that were never paid", `SELECT 2`},
		{"playroom", "families who returned every loan", `SELECT unnest(ARRAY['Ames', 'Cole', 'Dunn'])`},
		{"playroom", "families who paid all dues", `SELECT unnest(ARRAY['Bond', 'Cole'])`},
		{"playroom", "families whose every loan was not returned", ``}, // all of them, or some
		{"playroom", "families who did not return every loan", ``},
		{"playroom", "families who borrowed every book", ``},
		{"playroom", "families who did not borrow every book", ``},
		{"playroom", "families who borrowed all things", ``},
		{"cooperage", "products in all sales", ``},
		{"playroom", "families who borrowed every month", ``},
		{"playroom", "number of loans every month", `SELECT date_trunc('month', lent_on)::date, count(*) FROM loans GROUP BY 1`},
		{"playroom", "things of all loans of Ames", `SELECT unnest(ARRAY['Old Sea', 'Kite'])`},
		{"playroom", "every family with loans", `SELECT unnest(ARRAY['Ames', 'Bond', 'Cole', 'Dunn'])`},
	},
	"what somebody did to things happened to them": {
		{"playroom", "families who returned things", `SELECT unnest(ARRAY['Ames', 'Bond', 'Cole', 'Dunn'])`},
		{"playroom", "families who returned Chess", `SELECT 'Dunn'`},
		{"playroom", "families who never returned a game", `SELECT unnest(ARRAY['Ames', 'Bond', 'Cole', 'Eyre'])`},
		{"playroom", "families who returned a thing in July 2023", `SELECT 'Dunn'`},
		{"playroom", "families who returned a toy in February 2024", `SELECT name FROM families WHERE false`}, // lent then
		{"playroom", "things that were never returned", `SELECT title FROM things WHERE false`},
		{"playroom", "families who returned two things", ``},
		{"playroom", "families who borrowed books per month", ``}, // not when the families came to be
	},
	"but not denies something of who did the first": {
		{"playroom", "families who borrowed books but not toys", `SELECT 'Bond'`},
		{"playroom", "families who borrowed books but no toys", `SELECT 'Bond'`},
		{"playroom", "families who borrowed a book and no toy", `SELECT 'Bond'`},
		{"playroom", "families who borrowed a book but never a toy", `SELECT 'Bond'`},
		{"playroom", "families with books but not toys", `SELECT 'Bond'`},
		{"playroom", "families who borrowed a book but not Kite", `SELECT unnest(ARRAY['Bond', 'Cole'])`},
		{"playroom", "which families borrowed a kite but not a drum", `SELECT 'Ames'`},
		{"playroom", "families with loans but no dues", `SELECT name FROM families WHERE false`},
		{"playroom", "families who borrowed books other than Old Sea", `SELECT 'Bond'`},
		{"playroom", "things but not toys", `SELECT unnest(ARRAY['Old Sea', 'New Hill', 'Chess'])`},
		{"cooperage", "clients who bought barrels but not tubs", `SELECT 'Lake Inn'`},
		{"cooperage", "clients who bought products but no tubs", `SELECT unnest(ARRAY['Lake Inn', 'Mill Dairy'])`},
		{"cooperage", "how many clients bought barrels but never tubs", `SELECT 1`},
		{"cooperage", "sales of barrels but not tubs", `SELECT unnest(ARRAY[1, 4])`},
		{"cooperage", "clients with sales of barrels but not tubs", ``},
	},
	"the minimum of what is in stock is what a column says": {
		{"cooperage", "products with stock below minimum", `SELECT unnest(ARRAY['Oak Cask', 'Wash Tub'])`},
		{"cooperage", "products whose stock is below the minimum", `SELECT unnest(ARRAY['Oak Cask', 'Wash Tub'])`},
		{"cooperage", "how many products have a stock above the minimum", `SELECT 1`},
		{"cooperage", "products with price below minimum", ``},
		{"cooperage", "staves with stock below minimum", ``},
		{"cooperage", "staves with stock above the maximum", ``},
		{"cooperage", "staves with stock below average", `SELECT unnest(ARRAY['Ash', 'Elm'])`},
		{"cooperage", "staves whose stock is the minimum", `SELECT 'Ash'`},
		{"cooperage", "hoops with stock below minimum", `SELECT 'Iron'`},
		{"cooperage", "hoops with stock above the maximum", `SELECT 'Brass'`},
		{"cooperage", "hoops with stock below reorder level", `SELECT 'Iron'`},
		{"cooperage", "hoops with reorder level above max stock", `SELECT title FROM hoops WHERE false`},
	},
	"the number of lines is no number of a line": {
		{"cooperage", "average number of lines per sale", `SELECT 8 / 5.0`},
		{"cooperage", "number of lines per sale", `SELECT sale_id, count(*) FROM sale_lines GROUP BY 1`},
		{"cooperage", "sale with the highest number of lines", `SELECT 4`},
		{"cooperage", "highest number of lines in a sale", ``},
		{"cooperage", "total number of lines", `SELECT 8`},
		{"cooperage", "highest number of sales per client", ``}, // and not the largest total
		{"cooperage", "highest number of prices per category", ``},
		{"cooperage", "number of sales per client", `SELECT c.name, count(*) FROM sales s JOIN clients c ON c.id = s.client_id GROUP BY 1`},
	},
	"what clients spend on average is not what a sale comes to": {
		{"cooperage", "average spend per client", ``},
		{"cooperage", "average total revenue per client", ``},
		{"cooperage", "average client spend", ``},
		{"cooperage", "average total per client", `SELECT c.name, avg(s.total) FROM sales s JOIN clients c ON c.id = s.client_id GROUP BY 1`},
	},
	"the most that was refunded is an amount": {
		{"playroom", "which month did we refund the most", ``},
		{"playroom", "which month did we refund the most money", ``},
		{"playroom", "which month did we refund most often", `SELECT date '2024-03-01', 2`},
	},
	"nobody waits for what was cancelled": {
		{"cooperage", "sales not yet shipped older than 30 days", `SELECT unnest(ARRAY[4, 5])`},
		{"cooperage", "how many sales have not been shipped", `SELECT 2`},
		{"cooperage", "unshipped sales", `SELECT unnest(ARRAY[4, 5])`},
	},
	"what has no result yet is no part of a rate": {
		{"cooperage", "pass rate of leak tests", `SELECT 200 / 3.0`},
		{"cooperage", "share of leak tests not passed", `SELECT 100 / 3.0`},
		{"cooperage", "percentage of inspections with result sound", `SELECT 200 / 3.0`},
		{"cooperage", "how many leak tests were passed", `SELECT 2`},
		{"cooperage", "refund rate", `SELECT 20`},
		{"cooperage", "refund sale 2", toBeDone},
	},
}

// TestPlayroom asks about all of several things, and about none of them.
func TestPlayroom(t *testing.T) {
	dbs := schemas(t, "playroom", "cooperage")
	testAsked(t, dbs, playroom)
	question := "all products except tubs"
	got, err := grammar.Interpret(question, "", dbs["cooperage"].snap, grammar.Options{Now: now, Location: time.UTC})
	if err != nil || len(got) > 1 && got[1].Near {
		t.Errorf("%q is read in two ways that mean the same: %v, %v", question, got, err)
	}
}
