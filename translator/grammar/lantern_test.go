package grammar_test

import (
	"strings"
	"testing"
	"time"

	"askpg/translator/grammar"
)

// lantern are questions of a shop whose people have a first and a last name.
var lantern = map[string][]asked{
	"the last of some time is no last name": {
		{"lantern", "customers with orders in the last 12 months", `SELECT 'Ida', 'Wick'`},
		{"lantern", "customers who haven't bought anything in the last 12 months", `SELECT first_name, last_name FROM customers WHERE customer_id > 1`},
		{"lantern", "customers who have bought something in the last 12 months", `SELECT 'Ida', 'Wick'`},
		{"lantern", "orders over 50 last month", `SELECT order_id FROM orders WHERE order_id = 1 AND ordered_on >= date_trunc('month', CURRENT_DATE) - interval '1 month' AND ordered_on < date_trunc('month', CURRENT_DATE)`},
	},
	"the last to whom something was done": {
		{"lantern", "last 2 people we hired", `SELECT first_name, last_name, hired_on FROM employees WHERE employee_id > 1`},
		{"lantern", "the last 2 customers who joined us", `SELECT first_name, last_name, joined_on FROM customers WHERE customer_id IN (2, 3)`},
		{"lantern", "the 2 most recently hired employees", `SELECT first_name, last_name, hired_on FROM employees WHERE employee_id > 1`},
		{"lantern", "which 2 employees were hired last", `SELECT first_name, last_name, hired_on FROM employees WHERE employee_id > 1`},
		{"lantern", "which employees were hired last", ``}, // how many?
	},
	"two values beside each other": {
		{"lantern", "number of orders web vs counter", `SELECT 'web', 2 UNION ALL SELECT 'counter', 1`},
		{"lantern", "average order value web vs counter", `SELECT 'web', 106 UNION ALL SELECT 'counter', 25`},
	},
	"none at all": {
		{"lantern", "customers who bought nothing in 2023", `SELECT first_name, last_name FROM customers WHERE customer_id <> 2`},
		{"lantern", "lanterns that don't have a single return", `SELECT 'Storm' UNION ALL SELECT 'Moth'`},
	},
	"what is given back": {
		{"lantern", "how much money did we refund in 2024", `SELECT 12`},
		{"lantern", "how much did we refund in 2023", `SELECT 60`},
	},
	"who is called by two names": {
		{"lantern", "what did Jon Flint buy", `SELECT 'Reed' UNION ALL SELECT 'Moth'`},
	},
	"several people have one last name": {
		{"lantern", "orders of Wick", ``},
		{"lantern", "orders of Ida Wick", `SELECT 1 UNION ALL SELECT 2`},
		{"lantern", "orders of Flint", `SELECT 3 UNION ALL SELECT 4`},
		{"lantern", "customers named Wick", `SELECT first_name, last_name FROM customers WHERE last_name = 'Wick'`},
		{"lantern", "customers whose last name is Wick", `SELECT first_name, last_name FROM customers WHERE last_name = 'Wick'`},
	},
	"a fee is not what an order comes to": {
		{"lantern", "customers whose orders total more than 120", `SELECT 'Jon', 'Flint'`},
		{"lantern", "lanterns under 20 euros", `SELECT 'Reed'`},
		{"lantern", "which customer spent the most in 2024", `SELECT 'Ida', 'Wick'`},
	},
	"each in its group": {
		{"lantern", "cheapest lantern in every maker", `SELECT 'Brandt', 'Moth', 25 UNION ALL SELECT 'Olsen', 'Reed', 12`},
	},
}

// TestLantern_OrdersOnce holds that the time of an order is that of the order itself, which no second join brings in.
func TestLantern_OrdersOnce(t *testing.T) {
	s := schemas(t, "lantern")["lantern"]
	got, err := grammar.Interpret("orders with a total over 50 in 2024", "", s.snap, grammar.Options{Now: now, Location: time.UTC})
	if err != nil || strings.Contains(got[0].SQL, "orders_2") {
		t.Errorf("read as %v, %v", got, err)
	}
}

func TestLantern(t *testing.T) { testAsked(t, schemas(t, "lantern"), lantern) }
