package grammar_test

import "testing"

// counter are questions that people behind a counter ask: a shop with totals of orders and of lines, and a group of inns.
var counter = map[string][]asked{
	"what goods earned is what their lines come to, and not what was ordered with them": {
		{"chandler", "revenue per candle", `SELECT 'Slim', 13 UNION ALL SELECT 'Stout', 9 UNION ALL SELECT 'Tall', 72`},
		{"chandler", "top 2 kinds by revenue", `SELECT 'Pillars', 81 UNION ALL SELECT 'Tapers', 13`},
		{"chandler", "which candle had the highest revenue", `SELECT 'Tall'`},
		{"chandler", "revenue of the Slim", `SELECT 13`},
		{"chandler", "total revenue", `SELECT 144`},
		{"chandler", "revenue per town", `SELECT 'Ribe', 79 UNION ALL SELECT 'Vejle', 65`},
		{"chandler", "average revenue per order", `SELECT 48`},
		{"chandler", "most expensive order", `SELECT 'C-2'`},
		{"bazaar", "top 2 wares by revenue", ``},
		{"bazaar", "which ware had the highest revenue", ``},
		{"bazaar", "revenue of the Lamp", ``},
		{"inn", "top 2 extras by revenue", ``},
		{"chandler", "customers by revenue", `SELECT first_name, last_name, sum(total_amount) FROM customers JOIN orders USING (customer_id) GROUP BY customer_id`},
		{"chandler", "top 2 customers by revenue", `SELECT first_name, last_name, sum(total_amount) FROM customers JOIN orders USING (customer_id) GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 2`},
	},
	"extras are but a part of what is billed, and channels of bookings earn nothing": {
		{"inn", "total revenue", `SELECT 468`},
		{"inn", "revenue per house", `SELECT 'Old Mill', 356 UNION ALL SELECT 'Quay House', 112`},
	},
	"what is booked ahead is not what will be booked then": {
		{"inn", "bookings in the next 30 days", `SELECT 5`},
		{"inn", "rooms booked in the next 7 days", `SELECT '11'`},
		{"inn", "how many bookings do we have tomorrow", `SELECT 0`},
		{"inn", "rooms without any booking in the next 30 days", `SELECT '11' UNION ALL SELECT 'Gull'`}, // somebody is in room 12 now
		{"inn", "which rooms have no booking tomorrow", `SELECT room_number FROM rooms WHERE room_id <> 2`},
	},
	"who did one thing but never another": {
		{"inn", "guests who made a booking but never actually stayed with us", `SELECT 'Gus', 'Rowe'`},
		{"inn", "guests who made a booking but never stayed", `SELECT 'Gus', 'Rowe'`},
		{"bazaar", "buyers who placed an order but never gave a verdict", `SELECT 'Pia Quin'`},
	},
	"what is available is in stock, where things are kept in stock": {
		{"stall", "which products are available", `SELECT name FROM products`},
		{"nursery", "available plants", `SELECT name FROM plants WHERE stock > 0`},
		{"nursery", "which plants are sold out", `SELECT 'Fern'`},
		{"nursery", "how many plants are available", `SELECT 3`},
		{"cellar", "which wines are available", ``},
		{"cellar", "which wines are sold out", ``},
	},
	"who is with us longest came first": {
		{"inn", "which cook has been with us longest", `SELECT 'Ivy', 'Thorn'`},
		{"chandler", "which customer has been with us longest", ``},
		{"stall", "which customer has been with us the longest", `SELECT 'Ana Sol'`},
		{"cellar", "which account has been with us longest", `SELECT 'Grand Inn'`},
	},
	"what things are is no key": {
		{"glee", "what ailments does Ann Poe have", ``},
	},
	"a room is called by its number": {
		{"inn", "rooms at Quay House", `SELECT '11' UNION ALL SELECT 'Gull'`},
		{"inn", "rooms with sea view", `SELECT room_number FROM rooms WHERE view = 'sea'`},
	},
}

func TestCounter(t *testing.T) {
	testAsked(t, schemas(t, "chandler", "inn", "bazaar", "stall", "outfitter", "nursery", "cellar", "glee"), counter)
}
