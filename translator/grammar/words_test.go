package grammar_test

import "testing"

// meanings are what ordinary words mean in any database, each shown on three schemas.
var meanings = map[string][]asked{
	"what has not been paid is unpaid, unless it is cancelled": {
		{"kennel", "unpaid stays", `SELECT id FROM stays WHERE id IN (2, 4)`},
		{"kennel", "how many outstanding stays are there", `SELECT 2`},
		{"lettings", "unpaid invoices", `SELECT invoice_no FROM invoices WHERE id IN (1, 4)`},
		{"lettings", "how many invoices are unpaid", `SELECT 2`},
		{"lettings", "total amount of unpaid invoices", `SELECT 1200`},
		{"garage", "unpaid jobs", ``},
	},
	"what was due before today and has not happened is overdue": {
		{"kennel", "overdue stays", `SELECT 2`},
		{"lettings", "how many invoices are overdue", `SELECT 1`},
		{"lettings", "overdue leases", ``},
		{"garage", "overdue jobs", `SELECT 3`},
	},
	"open, active and closed are told by flags, times and status": {
		{"kennel", "how many upcoming stays", `SELECT 2`},
		{"lettings", "unfinished repairs", `SELECT 3`},
		{"lettings", "active leases", `SELECT id FROM leases WHERE id IN (1, 3)`},
		{"lettings", "expired leases", `SELECT 2`},
		{"garage", "active mechanics", `SELECT menm FROM mchmst WHERE meno IN (1, 3)`},
		{"garage", "which mechanics are not active", `SELECT menm FROM mchmst WHERE meno IN (2, 4)`},
		{"garage", "unresolved complaints", `SELECT id FROM complaints WHERE id IN (1, 3)`},
		{"garage", "which lorries are still in service", `SELECT plate FROM lorries WHERE id IN (1, 3)`},
		{"garage", "active tenants", ``},
	},
	"comments say what codes mean, and what no value means": {
		{"kennel", "dogs with a rough coat", ``},
		{"kennel", "how many dogs are not chipped", `SELECT 1`},
		{"lettings", "flats with gas", `SELECT id FROM flats WHERE id = 1`},
		{"lettings", "open invoices", `SELECT invoice_no FROM invoices WHERE id IN (1, 4)`},
		{"lettings", "how many furnished flats", `SELECT 1`},
		{"garage", "rush jobs", `SELECT id FROM jobs WHERE id IN (1, 3)`},
	},
	"other words for the same thing": {
		{"kennel", "how many medicines", `SELECT 3`},
		{"lettings", "how many apartments", `SELECT 2`},
		{"lettings", "telephone of Gus Hale", `SELECT '1'`},
		{"garage", "Volvo trucks", `SELECT plate FROM lorries WHERE id IN (1, 3)`},
		{"garage", "number of jobs per technician", `SELECT menm, count(*) FROM jobs j JOIN mchmst m USING (meno) GROUP BY 1`},
	},
	"persons are of a sex and of an age": {
		{"kennel", "how many women are there", `SELECT 2`},
		{"kennel", "owners older than 40", `SELECT 'Cal', 'Dent' UNION ALL SELECT 'Eva', 'Fox'`},
		{"kennel", "how many people are female", `SELECT 2`},
		{"kennel", "how many owners are under 20", `SELECT 0`},
		{"lettings", "how many men", `SELECT 2`},
		{"lettings", "men without phone", `SELECT 'Lou Moss'`},
		{"lettings", "female tenants", `SELECT name FROM tenants WHERE id IN (2, 3)`},
		{"lettings", "average age of tenants", `SELECT avg(extract(year FROM age(dob))) FROM tenants`},
		{"lettings", "tenants over 50", `SELECT 'Ivy Jones'`},
		{"lettings", "invoices older than 60 days", `SELECT invoice_no FROM invoices WHERE issued_on < CURRENT_DATE - 60`},
		{"lettings", "invoices over 500", `SELECT invoice_no FROM invoices WHERE amount > 500`},
		{"lettings", "tenants with leases over 50", `SELECT DISTINCT name FROM tenants t JOIN leases l ON l.tenant_id = t.id WHERE rent > 50`},
		{"garage", "which mechanics are older than 60", `SELECT 'Ona Pike'`},
		{"garage", "mechanic with the highest age", `SELECT 'Ona Pike'`},
		{"garage", "oldest mechanic", `SELECT 'Ona Pike'`},
		{"garage", "who is under 18", `SELECT menm FROM mchmst WHERE false`},
		{"garage", "how many boys", `SELECT 2`},
	},
	"ordinary words, names and values may be misspelled": {
		{"kennel", "numbr of unpaied stays", `SELECT 2`},
		{"lettings", "avrage amount of invocies", `SELECT avg(amount) FROM invoices`},
		{"lettings", "hwo many tennants", `SELECT 4`},
		{"garage", "how many tankres", `SELECT 1`},
		{"garage", "how meny jobs", `SELECT 6`},
	},
	"how many is no number of something's own": {
		{"kennel", "number of the dogs", `SELECT 3`},
		{"lettings", "number of invoices", `SELECT 5`},
		{"lettings", "number of unpaid invoices", `SELECT 2`},
		{"garage", "number of mechanics", `SELECT 4`},
	},
	"a key is shown by the name of what it points to": {
		{"kennel", "who is the walker of Rex", `SELECT 'Cal', 'Dent'`},
	},
	"in total is of an amount or a number": {
		{"kennel", "unpaid stays in total", ``},
		{"lettings", "open invoices in total", ``},
		{"garage", "rush jobs altogether", ``},
		{"garage", "total cost of rush jobs", `SELECT 400`},
	},
}

func TestMeanings(t *testing.T) { testAsked(t, schemas(t, "kennel", "lettings", "garage"), meanings) }
