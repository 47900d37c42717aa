package grammar_test

import "testing"

// orangery are questions in further usual wordings.
var orangery = map[string][]asked{
	"two times beside each other": {
		{"toolshed", "compare the number of loans in the first quarter of 2025 with the first quarter of 2026", `SELECT 4, 3`},
		{"toolshed", "compare the number of loans in the first quarter of 2025 and the first quarter of 2026", `SELECT 4, 3`},
		{"toolshed", "loans in the first quarter of 2025 vs the first quarter of 2026", `SELECT 4, 3`},
		{"toolshed", "please compare the loans of 2025 with those of 2026", `SELECT 5, 3`},
		{"toolshed", "can you compare loans in 2025 with loans in 2026", `SELECT 5, 3`},
		{"toolshed", "compare members who joined in 2024 with members who joined in 2025", `SELECT 2, 2`},
		{"orangery", "compare the average order value of 2024 with that of 2025", `SELECT 65, 53.6`},
		{"orangery", "orders in March vs April 2025", `SELECT 2, 3`},
		{"orangery", "compare orders in March and April 2025", `SELECT 2, 3`},
		{"smokehouse", "compare the orders in March with the orders in April", `SELECT 2, 3`},
		{"toolshed", "how many loans were there in Q1 2025 and in Q1 2026", `SELECT 7`},
		{"toolshed", "loans in March 2025 vs April", ``}, // of which year?
		{"toolshed", "loans in 2025 vs holds in 2026", ``},
		{"toolshed", "compare the loans of 2025 with the members of 2024", ``},
		{"orangery", "compare orders in March, April and May 2025", ``},
		{"orangery", "compare the average order value of 2024 with that of Ann Roe", ``},
	},
	"most of them, and what was done most": {
		{"toolshed", "which 2 tools get borrowed the most", `SELECT 'Pit Saw', 4 UNION ALL SELECT 'Hand Drill', 2`},
		{"scriptorium", "which 2 titles get borrowed most", `SELECT 'Dusk', 3 UNION ALL SELECT 'Ember', 2`},
		{"scriptorium", "which titles get borrowed most", `SELECT 'Dusk'`},
		{"scriptorium", "2 titles with the most pages", `SELECT 'Ember' UNION ALL SELECT 'Dusk'`},
		{"orangery", "most returned product", `SELECT 'Lemon Tree'`},
		{"smokehouse", "which three dishes are ordered the most", `SELECT 'Eel', 3 UNION ALL SELECT 'Trout', 2 UNION ALL SELECT 'Ham', 1`},
		{"smokehouse", "which helper did most shifts", `SELECT 'Dot Vale'`},
		{"smokehouse", "which country are most of our guests from", `SELECT 'Wales'`},
		{"orangery", "which product is ordered the most", ``}, // by its pieces, or by the orders?
		{"orangery", "which country do most of our products come from", `SELECT 'Italy'`},
		{"toolshed", "which country do most of our tools come from", `SELECT 'Denmark'`},
		{"toolshed", "which kind are most of our tools of", `SELECT 'saws'`},
		{"toolshed", "which tool do most members borrow", ``}, // the loans are counted, or who has any
		{"toolshed", "what do most members borrow?", ``},
		{"orangery", "which product do most customers order", ``},
		{"orangery", "which plan do most of our customers have", ``},
	},
	"what there is none of": {
		{"toolshed", "branches where no class has ever been scheduled", `SELECT 'Hill'`},
		{"toolshed", "makers we have no tool from", `SELECT 'Dunn'`},
		{"toolshed", "makers we have no tools by", `SELECT 'Dunn'`},
		{"orangery", "are there suppliers we have no product from?", `SELECT true`},
		{"scriptorium", "publishers we have no title from", `SELECT 'Caslon'`},
		{"scriptorium", "genres we have no titles of", `SELECT name FROM genres WHERE false`},
		{"scriptorium", "genres we have no title of", twoReadings}, // no book, or no name
		{"scriptorium", "books that nobody has borrowed so far", `SELECT 'Grove'`},
		{"orangery", "products nobody has ordered so far", `SELECT 'Fig Tree' UNION ALL SELECT 'Trowel'`},
		{"orangery", "products that we have sold but that nobody has reviewed", `SELECT name FROM products WHERE false`},
		{"orangery", "products we have sold but nobody has returned", `SELECT 'Clay Pot'`},
		{"toolshed", "branches where no class was ever held", ``}, // holds are something else
		{"toolshed", "tools we have lent but that nobody has reserved", ``},
	},
	"groups of a size": {
		{"toolshed", "holds by branch, only the branches with two or more", `SELECT 'Quay', 3`},
		{"toolshed", "holds by branch, only the ones with more than 2", `SELECT 'Quay', 3`},
		{"toolshed", "loans per member, only those with at least three loans", `SELECT 'Ada Pell', 4 UNION ALL SELECT 'Bo Quist', 3`},
		{"toolshed", "members by type, only the types with two or more", `SELECT 'adult', 2`},
		{"smokehouse", "orders per month, only months with more than two", `SELECT DATE '2024-04-01', 3`},
		{"smokehouse", "orders per month, only weeks with more than two", ``},
		{"smokehouse", "orders per dish, only months with more than two", ``},
		{"smokehouse", "for dishes with at least two orders, what is the average price?", `SELECT 8`},
		{"toolshed", "holds by branch, only the tools with at least two", ``},
		{"toolshed", "holds by branch, only those with at least two loans", ``},
		{"toolshed", "average weight by kind, only those with at least two", ``}, // of what?
		{"orangery", "average rating per product, but only for products with at least three reviews", `SELECT 'Lime Tree', 4.0`},
		{"orangery", "average rating per product but only for products with at least three reviews", `SELECT 'Lime Tree', 4.0`},
		{"orangery", "average rating of products with at least two reviews", `SELECT 3.6`},
		{"scriptorium", "for genres with at least two titles, what is the average number of pages?", `SELECT 'crime', 200`},
		{"toolshed", "for kinds with at least two tools, what is the average weight?", `SELECT 'saws', 2.5 UNION ALL SELECT 'drills', 12`},
	},
	"what is divided": {
		{"orangery", "how do the active subscriptions split up over the plans", `SELECT 'Basic', 2 UNION ALL SELECT 'Plus', 1`},
		{"toolshed", "how are the members distributed over the types", `SELECT member_type, count(*) FROM members GROUP BY 1`},
		{"toolshed", "break down the members by type with the headcount of each", `SELECT member_type, count(*) FROM members GROUP BY 1`},
		{"toolshed", "distribution of tools by kind", `SELECT 'saws', 3 UNION ALL SELECT 'drills', 2 UNION ALL SELECT 'planes', 1`},
		{"orangery", "breakdown of revenue by customer", `SELECT full_name, sum(total) FROM orders JOIN customers USING (customer_id) GROUP BY 1`},
		{"orangery", "orders, broken down by the customers' country", `SELECT 'Ireland', 5 UNION ALL SELECT 'Wales', 2`},
		{"toolshed", "loans month by month for 2025", `SELECT date_trunc('month', borrowed_on)::date, count(*) FROM loans WHERE borrowed_on >= '2025-01-01' AND borrowed_on < '2026-01-01' GROUP BY 1`},
		{"toolshed", "distribution of tools", ``},
		{"orangery", "breakdown of revenue", ``},
	},
}

func TestOrangery(t *testing.T) {
	testAsked(t, schemas(t, "toolshed", "orangery", "scriptorium", "smokehouse"), orangery)
}
