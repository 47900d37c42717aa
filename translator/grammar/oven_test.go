package grammar_test

import "testing"

// oven are questions about sales, and about rows and amounts that are taken for one another.
var oven = map[string][]asked{
	"sales are what they come to": {
		{"oven", "sales in March 2024", `SELECT 70`},
		{"oven", "sales of The Fleece", `SELECT 60`},
		{"oven", "revenue from cafes", `SELECT 70`},
		{"oven", "which baker sold the most in March 2024", `SELECT 'Bel Dough'`},
	},
	"with what each row has one of": {
		{"oven", "unpaid bills with guest", `SELECT 2, 'Bean There' UNION ALL SELECT 3, 'Grand'`},
	},
	"rows are no amounts": {
		{"oven", "amount of unpaid bills", ``},
		{"oven", "number of unpaid bills", `SELECT 2`},
		{"oven", "quantity of order 1", ``},
		{"oven", "orders with more than 1 pieces", ``},
		{"oven", "has The Fleece paid all bills", ``},
	},
	"a bill is due, and no order": {
		{"oven", "orders due in April 2024", ``},
		{"oven", "what is due in April 2024", ``},
		{"oven", "bills due in April 2024", `SELECT 2`},
	},
	"how many there may be is not how many there are": {
		{"oven", "courses with more than 2 guests", `SELECT 'Pastry'`},
		{"oven", "how many courses finished in March 2024", `SELECT 1`},
		{"oven", "which courses finished in March 2024", `SELECT 'Sourdough'`},
	},
	"what has none of what is shown beside it stays": {
		{"oven", "courses with their baker", `SELECT title, name FROM courses LEFT JOIN staff ON staff_id = baker_id`},
		{"oven", "list all courses and their baker", `SELECT title, name FROM courses LEFT JOIN staff ON staff_id = baker_id`},
	},
	"kilograms and litres do not add up": {
		{"oven", "stock of all flours", ``},
		{"oven", "stock of Malt", `SELECT 7`},
		{"oven", "stock of the flours in kg", `SELECT 80`},
	},
	"a role that others have by a key": {
		{"oven", "orders by driver", ``}, // whoever took them is none
	},
	"what is not delivered has no tour, or another status": {
		{"oven", "orders not delivered", ``},
		{"oven", "orders not yet delivered", ``},
		{"oven", "orders without a tour", `SELECT order_id FROM orders WHERE tour_id IS NULL`},
	},
}

func TestOven(t *testing.T) { testAsked(t, schemas(t, "oven"), oven) }
