package grammar_test

import "testing"

const sawmillSemantics = `
[[table]]
name = "public.emp"
synonyms = ["employees", "staff", "people"]
[[column]]
name = "public.emp.shft"
values = { "D" = "day shift", "N" = "night shift" }
[[column]]
name = "public.emp.term_dt"
synonyms = ["left"]
[[term]]
name = "current employees"
table = "public.emp"
condition = "term_dt is null"
[[table]]
name = "public.vnd"
synonyms = ["vendors", "suppliers"]
[[table]]
name = "public.itm"
synonyms = ["items"]
[[column]]
name = "public.itm.st"
synonyms = ["item status"]
values = { "A" = "active", "P" = "phased out" }
[[table]]
name = "public.bal"
synonyms = ["stock"]
[[column]]
name = "public.bal.q_oh"
synonyms = ["stock", "in stock"]
[[column]]
name = "public.bal.q_al"
synonyms = ["allocated quantity"]
[[table]]
name = "public.ord"
synonyms = ["orders"]
time = "ord_dt"
[[column]]
name = "public.ord.rep_no"
synonyms = ["sales rep"]
[[table]]
name = "public.buy"
synonyms = ["purchases"]
time = "buy_dt"
[[table]]
name = "public.bln"
synonyms = ["purchase lines"]
time = "due_dt"
[[measure]]
name = "purchase volume"
synonyms = ["spend"]
table = "public.bln"
expression = "sum(qty * cst)"
filter = "buy.buy_no > 0"
[[measure]]
name = "order count"
synonyms = ["sales", "bookings"]
table = "public.ord"
expression = "count(*)"
[[table]]
name = "public.wrk"
synonyms = ["work orders"]
[[column]]
name = "public.wrk.st"
values = { "3" = "running", "4" = "finished" }
[[table]]
name = "public.lbr"
synonyms = ["hours booked"]
time = "lbr_dt"
[[column]]
name = "public.lbr.hrs"
synonyms = ["hours"]
`

// sawmill are questions in the words that an administrator has given.
var sawmill = map[string][]asked{
	"who left is told by the admin's word": {
		{"sawmill", "how many employees do we have", `SELECT 2`},
		{"sawmill", "how many current employees are there", `SELECT 2`},
		{"sawmill", "who works on the night shift", `SELECT 'Bob', 'Elm'`},
	},
	"what is being done is done": {
		{"sawmill", "which items are being phased out", `SELECT 'B-2'`},
	},
	"a measure may be a verb": {
		{"sawmill", "how much did we spend with each vendor", `SELECT 'Nordholz', 25 UNION ALL SELECT 'Pinewerk', 32`},
		{"sawmill", "how much did we spend in 2024", ``},
	},
	"a longer name is no measure and no verb": {
		{"sawmill", "orders per sales rep", `SELECT 'Ann', 'Ash', 2 UNION ALL SELECT 'Bob', 'Elm', 1`},
		{"sawmill", "how many work orders are running", `SELECT 2`},
	},
	"hours are added up": {
		{"sawmill", "hours booked in January 2024", `SELECT 5.5`},
		{"sawmill", "hours booked per employee", `SELECT 'Ann', 'Ash', 6.5 UNION ALL SELECT 'Bob', 'Elm', 3`},
	},
	"in stock is what the admin calls so": {
		{"sawmill", "how many B-1 do we have in stock", ``},
		{"sawmill", "total stock of B-1", `SELECT 12`},
	},
}

func TestSawmill(t *testing.T) {
	dbs := schemas(t, "sawmill")
	s := dbs["sawmill"]
	s.snap = definedFor(t, s.snap.Database, s.snap.Role, sawmillSemantics)
	if len(s.snap.Problems) > 0 {
		t.Fatal(s.snap.Problems)
	}
	testAsked(t, map[string]schema{"sawmill": s}, sawmill)
}
