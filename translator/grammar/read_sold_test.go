package grammar_test

import "testing"

// sold are questions to what was sold by pieces and prices.
var sold = map[string][]asked{
	"what lines come to is pieces times the price of one": {
		{"kiosk", "revenue", `SELECT 9`}, // what was refunded is none
		{"nursery", "revenue per plant", `SELECT 'Rose', 24 UNION ALL SELECT 'Mint', 30 UNION ALL SELECT 'Birch', 55`}, // nor is a cancelled order
		{"nursery", "turnover of cancelled orders", `SELECT 20`},
		{"kiosk", "top 2 articles by revenue", `SELECT title, sum(pieces * unit_price) FROM sales JOIN articles a ON a.id = article_id WHERE NOT is_refunded GROUP BY a.id ORDER BY 2 DESC LIMIT 2`},
		{"kiosk", "value of refunded sales", `SELECT 6`},
		{"kiosk", "average revenue per sale", `SELECT avg(pieces * unit_price) FROM sales WHERE NOT is_refunded`},
		{"kiosk", "sales over 5", `SELECT id FROM sales WHERE pieces * unit_price > 5`},
		{"nursery", "revenue in 2024", `SELECT 109`},
		{"nursery", "revenue by month", `SELECT date_trunc('month', ordered_on)::date, sum(quantity * unit_price) FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE status <> 'cancelled' GROUP BY 1`},
		{"nursery", "turnover of sent orders", `SELECT 109`},
		{"nursery", "revenue per gardener in 2024", `SELECT 'Ada Moor', 54 UNION ALL SELECT 'Ben Nye', 55`},
		{"nursery", "which plant has the highest revenue", `SELECT 'Birch'`},
		// of an order with several lines nobody asks for one of them, and purchases are no sales
		{"nursery", "average order value", `SELECT 109 / 2.0`},
		{"nursery", "median order value", ``},
		{"atelier", "revenue", ``},
		{"stall", "revenue by month", `SELECT month, revenue FROM monthly_sales`},
	},
	"how many were sold is a number of pieces": {
		{"stall", "how many units were sold in 2024", `SELECT 19`},
		{"nursery", "how many pieces did we sell", `SELECT 13`}, // what was cancelled was not sold
		{"nursery", "how many units of the Mint were sold", `SELECT 10`},
		{"outfitter", "units sold per branch", `SELECT 'Castle Street', 3 UNION ALL SELECT 'Dock Road', 1`},
		{"outfitter", "revenue, not counting paid orders", `SELECT NULL::numeric`},
		{"outfitter", "top 2 tents by units sold", `SELECT tent_id, sum(qty) FROM tents JOIN order_lines USING (tent_id) JOIN orders USING (order_id) WHERE status <> 'cancelled' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2`},
		{"nursery", "number of units sold by month in 2024", `SELECT date '2024-03-01', 12 UNION ALL SELECT '2024-04-01', 1`},
		{"stall", "top 2 products by units sold", `SELECT product, units_sold FROM product_sales ORDER BY 2 DESC LIMIT 2`}, // a view has it
		{"cellar", "bottles sold per account", `SELECT 'Grand Inn', 12 UNION ALL SELECT 'Little Table', 12`},
		{"bazaar", "how many units were sold", `SELECT 5`},
		{"zoo", "how many units were sold", ``},
	},
	"what sells best sells the most pieces": {
		{"stall", "best selling product", `SELECT 'Broom'`},
		{"stall", "the 2 best selling products of 2024", `SELECT 'Broom' UNION ALL SELECT 'Kite'`},
		{"stall", "best selling product of 2023", `SELECT 'Kite'`}, // which was added in 2022
		{"stall", "which product sold the most", `SELECT 'Broom'`},
		{"nursery", "which plant sold best in 2024", `SELECT 'Mint'`},
		{"nursery", "top 2 selling plants", `SELECT 'Mint' UNION ALL SELECT 'Rose'`},
		{"outfitter", "best selling dome tent", `SELECT 1`},
		{"cellar", "which rep sold the most", `SELECT 'Bo', 'Cain'`}, // by what it came to
		{"stall", "best selling products", ``},                       // how many
		{"nursery", "which plant sold the least", ``},
		{"nursery", "best selling gardener", ``},
		{"outfitter", "best selling branch", ``},
	},
	"the largest order is the one that comes to most": {
		{"outfitter", "most expensive order", `SELECT 1`}, // and not the one with the highest shipping fee
		{"outfitter", "largest order ever", `SELECT 1`},
		{"outfitter", "largest order of 2023", `SELECT 3`}, // a cancelled one is one
		{"stall", "most expensive order", `SELECT 1`},
		{"stall", "the 2 cheapest orders", `SELECT id FROM orders WHERE id IN (2, 4)`},
		{"nursery", "2 biggest orders", `SELECT order_id FROM order_lines GROUP BY 1 ORDER BY sum(quantity * unit_price) DESC LIMIT 2`},
	},
	"what is paid besides is no revenue, and what is taken off in percent is less": {
		{"outfitter", "revenue", `SELECT 600 + 180 + 400`},
		{"outfitter", "revenue per branch", `SELECT 'Castle Street', 780 UNION ALL SELECT 'Dock Road', 400`},
		{"outfitter", "average order value", `SELECT (780 + 400) / 2.0`},
		{"outfitter", "average value of cancelled orders", `SELECT (500 + 200) / 2.0`},
		{"outfitter", "average order value per customer city", `SELECT 'Bath', 780 UNION ALL SELECT 'Truro', 400`},
		{"outfitter", "total shipping fee", `SELECT 65`},
	},
	"things that are called otherwise are pieces of lines": {
		{"cellar", "revenue per account kind", `SELECT 'hotel', 252 UNION ALL SELECT 'restaurant', 336`},
		{"cellar", "average invoice value", `SELECT (252 + 336) / 2.0`},
		{"cellar", "total value of draft invoices", `SELECT 732`},
	},
	"what was sold was sold when it was ordered": {
		{"outfitter", "revenue by kind in March 2024", `SELECT 'Dome Tents', 600 UNION ALL SELECT 'Tunnel Tents', 180`},
		{"cellar", "revenue per wine in April 2024", `SELECT 'Noir', 336`},
		{"nursery", "revenue per plant in March 2024", `SELECT 'Rose', 24 UNION ALL SELECT 'Mint', 30`},
	},
	"what a thing costs is what a customer pays": {
		{"outfitter", "most expensive tent", `SELECT 2`},
		{"outfitter", "average price of dome tents", `SELECT 400`},
		{"outfitter", "lowest cost price", `SELECT 100`},
		{"cellar", "cheapest wine", `SELECT 'Merle'`},
		{"cellar", "average price of wines", `SELECT avg(selling_price) FROM wines`},
		{"cellar", "average buying price", `SELECT avg(buying_price) FROM wines`},
	},
	"what is the most by what it sold sold that in the time that is said": {
		{"outfitter", "top 2 branches by revenue in March 2024", `SELECT 'Castle Street', 780`},
		{"outfitter", "top 5 tents by revenue in March 2024", `SELECT tent_id, sum(qty * price_each * (1 - coalesce(discount_pct, 0) / 100)) FROM order_lines WHERE order_id = 1 GROUP BY 1`},
		{"cellar", "top 3 accounts by revenue in April 2024", `SELECT 'Little Table', 336`},
		{"nursery", "top 2 plants by revenue in March 2024", `SELECT 'Mint', 30 UNION ALL SELECT 'Rose', 24`},
	},
	"which branch is none of the orders of the channel that is called so": {
		{"outfitter", "which branch had the highest revenue in March 2024", `SELECT 'Castle Street'`},
		{"outfitter", "orders per branch", `SELECT 'Castle Street', 3 UNION ALL SELECT 'Dock Road', 1`},
		{"outfitter", "branch orders", `SELECT order_id FROM orders WHERE channel = 'branch'`},
	},
	"what was sold is no price": {
		{"outfitter", "tents sold in March 2024", `SELECT tent_id FROM tents WHERE tent_id IN (1, 3)`},
	},
	"of a kind of things, pieces were sold": {
		{"outfitter", "how many dome tents were sold", `SELECT 3`},
		{"outfitter", "how many tunnel tents did we sell in March 2024", `SELECT 1`},
		{"outfitter", "how many dome tents were sold per month", `SELECT date '2024-03-01', 2 UNION ALL SELECT '2024-04-01', 1`},
		{"cellar", "how many bottles were sold in April 2024", `SELECT 12`},
		{"nursery", "how many Rose were sold in 2024", `SELECT 2`},
		{"outfitter", "how many tents were sold", ``},
		{"nursery", "how many plants were sold in 2024", ``},
	},
	"what somebody spent is what he was sold": {
		{"outfitter", "how much did Eva Lane spend", `SELECT 780`},
		{"outfitter", "how much has Finn Moss spent on dome tents", `SELECT 400`},
		{"cellar", "how much did hotels spend in March 2024", `SELECT 252`},
		{"nursery", "how much did Ada Moor spend in 2024", `SELECT 54`},
		{"stall", "how much did Ana Sol spend", `SELECT 1590`},
		{"outfitter", "how much did Ann Bell spend", ``},
		{"cellar", "how much did Bo Cain spend", ``},
	},
	"who works somewhere is employed there": {
		{"outfitter", "who works in Bath", `SELECT full_name FROM staff WHERE staff_id IN (1, 2)`},
		{"outfitter", "how many people work in Truro", `SELECT 1`},
		{"outfitter", "who is working at Dock Road", `SELECT 'Di Eads'`},
		{"cellar", "who works at Grand Inn", ``},
		{"nursery", "who works in Hull", ``},
	},
	"who reports to somebody points to him": {
		{"outfitter", "who reports to Ann Bell", `SELECT full_name FROM staff WHERE staff_id = 2`},
		{"outfitter", "who does Di Eads report to", `SELECT 'Bo Cain'`},
		{"zoo", "who reports to Ann Bell", `SELECT 'Ben', 'Cole'`},
		{"outfitter", "staff managed by Ann Bell", `SELECT full_name FROM staff WHERE staff_id = 2`},
		{"outfitter", "who works under Ann Bell", `SELECT full_name FROM staff WHERE staff_id = 2`},
		{"outfitter", "who manages Di Eads", `SELECT 'Bo Cain'`},
		{"outfitter", "how many people does Ann Bell manage", ``},
		{"outfitter", "how many people report to Ann Bell", ``},
	},
	"a short word among the names of tables abbreviates nothing": {
		{"cellar", "wines we need to reorder", ``},
		{"cellar", "how many restaurants are there", `SELECT 1`},
	},
	"a birthday comes again each year": {
		{"nursery", "gardeners born in June", `SELECT 'Ada Moor' UNION ALL SELECT 'Cleo Orr'`},
		{"nursery", "gardeners with a birthday this month", `SELECT name FROM gardeners WHERE extract(month FROM birth_date) = extract(month FROM now())`},
		{"nursery", "gardeners with a birthday today", `SELECT name FROM gardeners WHERE to_char(birth_date, 'MMDD') = to_char(now(), 'MMDD')`},
		{"nursery", "gardeners born in 1980", `SELECT 'Ada Moor'`},
		{"nursery", "gardeners born in June 1980", `SELECT 'Ada Moor'`},
		{"nursery", "gardeners with a birthday in the last 3 months", ``},
	},
	"the average of the own group": {
		{"bazaar", "wares more expensive than the average of their group", `SELECT name FROM wares w WHERE price > (SELECT avg(price) FROM wares WHERE group_id = w.group_id)`},
		{"stall", "products cheaper than the average price of their category", `SELECT name FROM products p WHERE price < (SELECT avg(price) FROM products WHERE category = p.category)`},
		{"courier", "parcels heavier than the average of their kind", `SELECT id FROM parcels p WHERE weight > (SELECT avg(weight) FROM parcels WHERE kind = p.kind)`},
		{"courier", "done parcels heavier than the average of their kind", ``},
	},
	"short words are no misspelled months": {
		{"kiosk", "merch revenue", ``},
	},
}

func TestSold(t *testing.T) {
	testAsked(t, schemas(t, "kiosk", "nursery", "atelier", "stall", "bazaar", "courier", "outfitter", "cellar", "zoo"), sold)
}
