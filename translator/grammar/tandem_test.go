package grammar_test

import (
	"strings"
	"testing"
	"time"

	"askpg/translator/grammar"
)

// tandem are questions of a wholesaler who bills orders, of hostels and of a sickbay.
var tandem = map[string][]asked{
	"goods earned what their lines come to, and the rest what bills say": {
		{"tandem", "revenue by kind", `SELECT 'Tandems', 3000 UNION ALL SELECT 'Helmets', 440`},
		{"tandem", "top 1 model by revenue", `SELECT 'Duo', 1800`},
		{"tandem", "top 1 shop by revenue", `SELECT 'Spoke', 1850`},
		{"tandem", "revenue by city", `SELECT 'Bath', 1850 UNION ALL SELECT 'Ely', 1625`},
		{"tandem", "biggest order", `SELECT 'SO-1'`},
		{"tandem", "average order value", `SELECT (1840 + 1200 + 400) / 3.0`},
		{"tandem", "how much did Crank spend", `SELECT 1625`},
		{"hostel", "revenue this year vs last year", `SELECT 10, 3`},
		{"hostel", "total revenue", `SELECT 13`},
		{"rebate", "revenue by toy", ``},
		{"rebate", "total shipping fees in March 2024", `SELECT 3`},
	},
	"what is owed is what was not paid of bills": {
		{"tandem", "outstanding invoices", `SELECT 1 UNION ALL SELECT 2`},
		{"tandem", "unpaid invoices of Crank", `SELECT 2`},
		{"tandem", "overdue invoices", `SELECT 2`},
		{"tandem", "how much are we owed", `SELECT 1850 + 720`},
		{"tandem", "how much is outstanding", `SELECT 1850 + 720`},
		{"tandem", "how much is overdue", `SELECT 720`},
		{"tandem", "how much does Crank owe us", `SELECT 720`},
		{"tandem", "which shops owe us money", `SELECT 'Spoke' UNION ALL SELECT 'Crank'`},
		{"tandem", "who owes us money", ``},
		{"tandem", "which shop owes us the most", `SELECT 'Spoke', 1850`},
		{"tandem", "outstanding amount per shop", `SELECT 'Spoke', 1850 UNION ALL SELECT 'Crank', 720`},
		{"tandem", "what do our shops still owe us altogether", `SELECT 1850 + 720`},
		{"oven", "who owes us money", ``},
		{"sickbay", "how much are we owed", ``},
	},
	"who is on holiday is so until he is back": {
		{"tandem", "who is on holiday today", `SELECT 'Ada', 'Rim'`},
		{"tandem", "how many clerks are on holiday today", `SELECT 1`},
		{"tandem", "which clerks were on holiday yesterday", `SELECT 'Ada', 'Rim' UNION ALL SELECT 'Cy', 'Cog'`},
		{"tandem", "who is not on holiday today", `SELECT 'Bob', 'Hub'`},
		{"hostel", "which guests are in Kite tonight", `SELECT 'Ann', 'Lee'`},
		{"hostel", "how many rooms are booked tonight", `SELECT 1`},
		{"hostel", "bookings next week", `SELECT 4`},
		{"hostel", "has Dan Poe booked anything for the coming weeks", ``},
		{"hostel", "who is in Kite today", ``},
		{"hostel", "who works here", `SELECT 'Eve'`},
		{"hostel", "who works for us", `SELECT 'Eve'`},
	},
	"weekdays": {
		{"tandem", "orders last Friday", `SELECT 'SO-1'`},
		{"tandem", "how many orders on Mondays", `SELECT count(*) FROM orders WHERE extract(isodow FROM ordered_at) = 1`},
		{"tandem", "how many orders at weekends", `SELECT count(*) FROM orders WHERE extract(isodow FROM ordered_at) IN (6, 7)`},
		{"tandem", "how many orders on weekdays", `SELECT count(*) FROM orders WHERE extract(isodow FROM ordered_at) < 6`},
		{"tandem", "how many orders since Wednesday", `SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('week', CURRENT_DATE - 2)::date + 2`},
		{"tandem", "orders between Monday and Friday", ``},
	},
	"one order": {
		{"tandem", "what's in order SO-1", `SELECT 'Duo' UNION ALL SELECT 'Shell'`},
		{"oven", "who placed order 1", `SELECT name FROM guests JOIN orders USING (guest_id) WHERE order_id = 1`},
		{"tandem", "when was order SO-2 delivered", `SELECT date '2024-03-08'`},
		{"tandem", "has order SO-2 been delivered", `SELECT true`},
		{"tandem", "has order SO-1 been delivered", `SELECT false`},
	},
	"who looks after whom": {
		{"tandem", "shops of Ada Rim", `SELECT 'Spoke' UNION ALL SELECT 'Pedal'`},
		{"tandem", "shops looked after by Ada Rim", `SELECT 'Spoke' UNION ALL SELECT 'Pedal'`},
		{"tandem", "who looks after Crank", `SELECT 'Bob', 'Hub'`},
		{"tandem", "who manages the warehouse", ``},
		{"tandem", "email Ada Rim", `SELECT 'ada@rim.example'`},
		{"tandem", "who has a birthday today", `SELECT 'Ada', 'Rim'`},
	},
	"goods by their price, and what there is of them": {
		{"tandem", "models under 1000", `SELECT 'Duo' UNION ALL SELECT 'Shell'`},
		{"tandem", "tandems under 1000", `SELECT 'Duo'`},
		{"tandem", "how many Twin do we have", `SELECT 9`},
		{"tandem", "how many Duo are left", `SELECT 3`},
		{"tandem", "what do we need to reorder", `SELECT 'Duo' UNION ALL SELECT 'Shell'`},
		{"hostel", "how many Towel do we have in stock", `SELECT 11`},
		{"hostel", "what's out of stock at Owl", `SELECT 'Soap'`},
		{"hostel", "what should we reorder", `SELECT 'Towel' UNION ALL SELECT 'Soap'`},
		{"tandem", "shops that haven't ordered in 6 months", `SELECT 'Crank' UNION ALL SELECT 'Pedal'`},
	},
	"what is said of stays is said of no medicine in them": {
		{"sickbay", "average length of stay", ``},
		{"sickbay", "how many patients did okoro have in the past 6 months", ``},
	},
	"rows that only a number tells apart are shown whole": {
		{"tandem", "payments over 450", `SELECT * FROM payments WHERE amount > 450`},
		{"tandem", "last payment", `SELECT * FROM payments WHERE payment_id = 1`},
		{"tandem", "orders in March 2024", `SELECT 'SO-2'`},
	},
}

// TestTandem_OrdersOnce holds that what a bill is of is joined once, to leave out what was cancelled and to tell the city.
func TestTandem_OrdersOnce(t *testing.T) {
	s := schemas(t, "tandem")["tandem"]
	got, err := grammar.Interpret("revenue by city", "", s.snap, grammar.Options{Now: now, Location: time.UTC})
	if err != nil || strings.Contains(got[0].SQL, "orders_2") {
		t.Errorf("read as %v, %v", got, err)
	}
}

func TestTandem(t *testing.T) {
	testAsked(t, schemas(t, "tandem", "hostel", "oven", "sickbay", "rebate"), tandem)
}
