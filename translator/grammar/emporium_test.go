package grammar_test

import "testing"

// emporium are questions of a web shop whose orders are dated by created_at, and whose stock lies in several warehouses.
var emporium = map[string][]asked{
	"an order was made when its row was": {
		{"emporium", "when did Ann Lee last order", `SELECT max(created_at) FROM orders WHERE customer_id = 1`},
		{"emporium", "did Ann Lee order anything this year", `SELECT true`},
		{"emporium", "did Ben May order anything this year", `SELECT false`},
		{"emporium", "customers who have not ordered this year", `SELECT 'Ben', 'May' UNION ALL SELECT 'Cat', 'Orr'`},
		{"emporium", "who signed up in the last 30 days", `SELECT 'Ben', 'May'`},
	},
	"stock lies in warehouses": {
		{"emporium", "products that are out of stock", `SELECT 'Legal Pad'`},
		{"emporium", "products with zero stock in Bath", `SELECT 'Quill' UNION ALL SELECT 'Legal Pad'`},
		{"emporium", "total stock of Biro", `SELECT 59`},
		{"emporium", "total stock of Biro across all warehouses", `SELECT 59`},
		{"emporium", "stock of Biro in each warehouse", `SELECT 'North', 50 UNION ALL SELECT 'South', 9`},
		{"emporium", "which products do we have to reorder", `SELECT 'Quill' UNION ALL SELECT 'Legal Pad'`},
	},
	"what goods earned and customers spent": {
		{"emporium", "revenue by category", `SELECT 'Pens', 40 UNION ALL SELECT 'Pads', 20`},
		{"emporium", "which product sells best", `SELECT 'Legal Pad'`},
		{"emporium", "who spent the most", `SELECT 'Ann', 'Lee'`},
		{"emporium", "biggest order", `SELECT 'W-1'`},
		{"emporium", "shipping costs in March 2024", `SELECT 7`},
	},
	"payments that were made": {
		{"emporium", "total payments in April 2024", `SELECT 62`},
		{"emporium", "how much did customers pay by PayPal in April 2024", `SELECT 39`},
		{"emporium", "how much money did we receive in April 2024", `SELECT 62`},
		{"emporium", "how much have we refunded in 2024", `SELECT 27`},
	},
	"names of columns and of companies": {
		{"emporium", "order number of lost shipments", `SELECT 'W-1'`},
		{"emporium", "lost shipments – order number and tracking number", `SELECT 'W-1', 'T1'`},
		{"emporium", "phone of Paper & Co. Ltd", `SELECT '0123'`},
		{"emporium", "purchase orders from Ink B.V.", `SELECT 'PO-1'`},
		{"emporium", "what does Quill cost", `SELECT 20`},
		{"emporium", "where is order W-1", ``},
	},
	"what is measured, and of what": {
		{"emporium", "average rating of the Quill", `SELECT 4`},
		{"emporium", "average customer rating of the Quill", ``}, // not that of those who have reviewed it
		{"emporium", "which product category gets returned most often", ``},
		{"emporium", "which category gets returned most often", `SELECT 'Pens'`},
		{"emporium", "customers in euros", ``},
		{"emporium", "customers with at least 1 order but no lost shipments", `SELECT 'Cat', 'Orr'`},
		{"emporium", "compare the average rating of the Quill and the Biro", ``},
		{"emporium", "what was in order W-1", `SELECT 'Quill'`},
	},
	"coupons are known by their code": {
		{"emporium", "active coupons", `SELECT 'HELLO'`},
		{"emporium", "how often was the coupon HELLO used", `SELECT 1`},
		{"emporium", "which coupons have never been used", `SELECT 'SUMMER'`},
	},
}

func TestEmporium(t *testing.T) { testAsked(t, schemas(t, "emporium"), emporium) }
