package grammar_test

import (
	"testing"
	"time"

	"askpg/translator/grammar"
)

// deli are questions about sums of money and about what named ones have.
var deli = map[string][]asked{
	"an amount has the marks of its currency": {
		{"deli", "orders with a total over 1.000 EUR", `SELECT id FROM orders WHERE total > 1000`},
		{"deli", "customers with more than 1.000 orders", ``},
		{"deli", "orders with a total over 1,000 €", `SELECT id FROM orders WHERE total > 1000`},
		{"deli", "orders above 1.000€", `SELECT id FROM orders WHERE total > 1000`},
		{"deli", "orders over €1.000", `SELECT id FROM orders WHERE total > 1000`},
		{"deli", "orders with a total over 1.003,10", `SELECT id FROM orders WHERE total > 1003.10`},
		{"deli", "products over 12,5 EUR", `SELECT name FROM products WHERE price > 12.5`},
		{"deli", "products over 12.5 EUR", `SELECT name FROM products WHERE price > 12.5`},
		{"deli", "orders with a total over 1.000.000", `SELECT id FROM orders WHERE false`},
		{"deli", "orders over 1.000", ``}, // it may be one
		{"deli", "fuels with a litre price over 1.459", `SELECT 'Diesel'`},
		{"deli", "fuels with a litre price over 1.459 EUR", ``}, // it may be more than a thousand
	},
	"a year is no amount": {
		{"deli", "orders from 2023 to 2030", `SELECT id FROM orders`},
		{"deli", "orders from 500 to 1600", `SELECT id FROM orders WHERE total BETWEEN 500 AND 1600`},
	},
	"what a named one has is shown": {
		{"deli", "customer Anna Berg's orders", `SELECT id FROM orders WHERE customer_id = 1`},
		{"deli", "show customer Ben Holt's returns", `SELECT id FROM returns WHERE customer_id = 2`},
		{"deli", "product Truffle's reviews", `SELECT 2`},
		{"deli", "how many of customer Ben Holt's orders are over 100?", `SELECT 1`},
		{"deli", "customer Anna Berg's city", `SELECT 'Rome'`},
	},
	"two numbers of things are compared": {
		{"deli", "customers with more returns than orders", `SELECT 'Ben Holt'`},
		{"deli", "how many customers have more orders than reviews?", `SELECT 1`},
		{"deli", "customers with fewer returns than orders", `SELECT name FROM customers WHERE id IN (1, 3)`},
		{"deli", "products with more reviews than orders", `SELECT name FROM products WHERE false`},
	},
	"times of the day are those of each day": {
		{"deli", "how many orders were placed before 9 am?", `SELECT 2`},
		{"deli", "orders after 6 pm", `SELECT id FROM orders WHERE id IN (2, 5)`},
		{"deli", "orders placed after 18:00", `SELECT id FROM orders WHERE id IN (2, 5)`},
		{"deli", "orders placed before noon", `SELECT id FROM orders WHERE id IN (1, 3, 4)`},
		{"deli", "orders placed between 19:00 and 7 a.m.", `SELECT id FROM orders WHERE id IN (4, 5)`},
		{"deli", "orders placed in July before 9am", `SELECT 4`},
		{"deli", "customers who ordered after 6pm", `SELECT name FROM customers WHERE id IN (1, 3)`},
		{"deli", "customers who joined before 9 am", ``}, // a day has no hours
		{"deli", "orders before 25:00", ``},
		{"stall", "how many orders after 9:30", `SELECT count(*) FROM orders WHERE ordered_at::time >= '9:30'`},
	},
	"a difference is of the highest and the lowest": {
		{"deli", "what is the difference between the highest and the lowest order total?", `SELECT 1509.3`},
		{"deli", "difference between highest and lowest total of orders per customer", `SELECT 'Anna Berg', 1500 UNION ALL SELECT 'Ben Holt', 1000 UNION ALL SELECT 'Cara Lund', 0`},
		{"courier", "difference between the minimum and maximum weight of parcels", `SELECT max(weight) - min(weight) FROM parcels`},
		{"deli", "difference between the highest and the average price of products", ``},
		{"deli", "difference between orders and returns", ``},
	},
	"what was not done is denied as it was said": {
		{"deli", "customers who bought Truffle but never Bread", `SELECT 'Anna Berg'`},
		{"deli", "customers who bought Bread but not Truffle", `SELECT 'Ben Holt'`},
		{"deli", "customers who wrote a review but never returned anything", `SELECT 'Cara Lund'`},
		{"deli", "orders shipped but not delivered", `SELECT id FROM orders WHERE shipped_at IS NOT NULL AND delivered_at IS NULL`},
	},
	"what is the same as of another one": {
		{"deli", "customers in the same city as Anna Berg", `SELECT 'Cara Lund'`},
		{"deli", "which customers live in the same city as Cara Lund", `SELECT 'Anna Berg'`},
		{"deli", "how many customers are in the same city as Anna Berg", `SELECT 1`},
		{"deli", "products with the same price as Truffle", `SELECT name FROM products WHERE false`},
		{"deli", "orders with the same total as Truffle", ``},
		{"courier", "couriers in the same office as Abe Cole", `SELECT 'Bea Dunn'`},
	},
	"what an order costs is its total": {
		{"deli", "orders that cost more than 1000 euros", `SELECT id FROM orders WHERE total > 1000`},
		{"deli", "how many orders cost over 1000 euros?", `SELECT 2`},
		{"deli", "which products cost more than 1000 euros?", `SELECT 'Truffle'`},
		{"deli", "order lines that cost more than 1000", ``},
		{"rowing", "members that cost more than 30", ``},
	},
}

// TestInterpret_OtherDigits ends, whatever digits a question has.
func TestInterpret_OtherDigits(t *testing.T) {
	s := schemas(t, "stall")["stall"].snap
	for _, question := range []string{"orders over ٣", "orders over ５００ EUR", "how many orders ١", "१"} {
		if list, err := grammar.Interpret(question, "", s, grammar.Options{Now: now, Location: time.UTC}); err == nil {
			t.Errorf("%s is read as %v", question, list)
		}
	}
}

func TestDeli(t *testing.T) { testAsked(t, schemas(t, "deli", "rowing", "courier", "stall"), deli) }
