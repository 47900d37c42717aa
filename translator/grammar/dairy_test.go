package grammar_test

import "testing"

// dairy are plain questions of a business whose goods are measured.
var dairy = map[string][]asked{
	"goods are measured in what they cost one of": {
		{"dairy", "how many litres did we sell", `SELECT 105`},
		{"dairy", "how many litres of goat did we sell in 2024", `SELECT 15`},
		{"dairy", "litres sold in June 2024", `SELECT 50`},
	},
	"what is paid for other things is earned, too": {
		{"dairy", "revenue in 2024", ``},
		{"dairy", "revenue from milk sales in June 2024", `SELECT 60`},
	},
	"what we sold for is the revenue": {
		{"nursery", "how much did we sell in 2024", `SELECT 109`},
		{"nursery", "how much money did we make in 2024", `SELECT 109`},
		{"dairy", "how much did we earn in 2024", ``},
	},
	"who is what one of the staff is": {
		{"dairy", "who is the head cheese maker", `SELECT 'Ada Bell'`},
		{"dairy", "who's our guide", `SELECT 'Ben Cole' UNION ALL SELECT 'Cy Dunn'`},
		{"clinic", "who is the cardiologist", ``},
	},
	"what sells best may be asked by what it came to": {
		{"stall", "best selling product by revenue", `SELECT product, revenue FROM product_sales ORDER BY 2 DESC LIMIT 1`},
		{"stall", "best selling products by revenue", ``},
	},
	"growth is how much more it is than the month before": {
		{"dairy", "growth of payments per month", `SELECT date_trunc('month', paid_on)::date, sum(amount), CASE WHEN min(paid_on) >= '2024-06-01' THEN 100.0 * (sum(amount) - lag(sum(amount)) OVER w) / lag(sum(amount)) OVER w END FROM payments GROUP BY 1 WINDOW w AS (ORDER BY date_trunc('month', paid_on)::date)`},
		{"dairy", "monthly growth of litres sold", `SELECT * FROM (VALUES (date '2024-05-01', 10, NULL), ('2024-06-01', 50, 400.0), ('2024-07-01', 5, -90), ('2024-08-01', 40, 700)) v`},
		{"nursery", "revenue growth by month", `SELECT date '2024-03-01', 54, NULL::numeric UNION ALL SELECT '2024-04-01', 55, 100.0 / 54`},
		{"nursery", "revenue growth by year", `SELECT 2024, 109, NULL::numeric`},
		{"library", "growth of loans by year", `SELECT extract(year FROM lent_on), count(*), 100.0 * (count(*) - lag(count(*)) OVER w) / lag(count(*)) OVER w FROM loans GROUP BY 1 WINDOW w AS (ORDER BY extract(year FROM lent_on))`},
		{"dairy", "growth in tastings by month in 2024", `SELECT date_trunc('month', held_on)::date, count(*), CASE WHEN min(held_on) > '2024-06-30' THEN 0 END FROM tastings GROUP BY 1`},
		{"dairy", "growth of litres sold", ``},
		{"dairy", "growth of litres sold per client", ``},
	},
	"what goes on between two days goes on now": {
		{"dairy", "current courses", `SELECT title FROM courses WHERE current_date BETWEEN starts_on AND ends_on`},
		{"dairy", "which courses are running now", `SELECT title FROM courses WHERE current_date BETWEEN starts_on AND ends_on`},
		{"dairy", "courses running at the moment", `SELECT title FROM courses WHERE current_date BETWEEN starts_on AND ends_on`},
	},
	"things by a number of others have so many each": {
		{"dairy", "clients by number of milk sales in 2024", `SELECT 'Elm Inn', 3 UNION ALL SELECT 'Oak House', 2`},
	},
	"what runs low has come down to its level": {
		{"dairy", "which supplies are running low", `SELECT name FROM supplies WHERE in_stock <= minimum_stock`},
		{"dairy", "how many supplies need to be reordered", `SELECT 2`},
		{"stall", "products running low", ``},
	},
	"who did the most of things had the most of them": {
		{"dairy", "which guide did the most tastings", `SELECT 'Ben Cole'`},
		{"dairy", "who did the most tastings", `SELECT 'Ben Cole'`},
	},
}

func TestDairy(t *testing.T) {
	testAsked(t, schemas(t, "library", "clinic", "dairy", "nursery", "stall"), dairy)
}
