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
	"a sign is read or refused": {
		{"club", "owners in $$", ``},
		{"club", "owners @ Hull", ``},
		{"club", "owners {city}", ``},
		{"club", "list owners *", ``},
		{"club", "revenue in $", ``},
		{"club", "services (in the hall)", `SELECT 'Groom'`},
		{"club", "bookings over $50", `SELECT id FROM bookings WHERE total > 50`},
		{"club", "bookings over 50 $", `SELECT id FROM bookings WHERE total > 50`},
		{"club", "% of cancelled bookings", `SELECT 100.0 / 3`},
		{"club", "# of bookings", `SELECT 3`},
		{"club", "owners & their city", `SELECT name, city FROM owners`},
	},
	"a pronoun that stands for what a clause speaks of is refused": {
		{"club", "owners who reviewed a service they booked", ``},
		{"club", "services booked by an owner who reviewed them", ``},
		{"club", "owners who booked a service and reviewed it", ``},
		{"club", "services they booked", ``},
		{"club", "owners who reviewed a service", `SELECT name FROM owners WHERE id IN (1, 2)`},
	},
	"a verb is not left out": {
		{"club", "owners and how many services they booked", ``},
		{"club", "how many services were booked in 2024", `SELECT 2`},
		{"club", "services reviewed in 2024", `SELECT name FROM services`},
		{"club", "vehicles bought in 2021", `SELECT 'A-2'`},
	},
	"whether one of them or none was not so is not said": {
		{"club", "owners whose loans were not damaged", ``},
		{"club", "owners whose loans were damaged", `SELECT name FROM owners WHERE id IN (1, 2)`},
		{"club", "loans not damaged", `SELECT 1`},
	},
	"what the noun names is no share of what is said of it": {
		{"club", "neutered dogs in percent", ``},
		{"club", "neutered animals in percent", `SELECT 50`},
		{"club", "dogs in percent", `SELECT 50`},
		{"club", "dogs of owners in Hull in percent", `SELECT 50`},
	},
	"a table's other word that is a class of its rows may be either": {
		{"club", "cars", twoReadings},
		{"club", "how many cars are there", twoReadings},
		{"club", "vans", `SELECT 'A-2'`},
	},
	"an apostrophe is part of a name": {
		{"club", "bookings of Ann O'Neil", `SELECT id FROM bookings WHERE owner_id = 1`},
		{"club", "bookings of 'O''Neil'", `SELECT id FROM bookings WHERE owner_id = 1`},
		{"club", "bookings of 'O''Hara'", ``},
	},
	"what a column tells is shown beside another": {
		{"club", "bookings with discount code and total", `SELECT id, discount_code, total FROM bookings`},
		{"club", "bookings with a discount code", `SELECT 1`},
	},
}

func TestMeanings(t *testing.T) {
	testAsked(t, schemas(t, "kennel", "lettings", "garage", "club"), meanings)
}
