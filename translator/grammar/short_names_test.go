package grammar_test

import (
	"testing"
	"time"

	"askpg/translator/grammar"
)

// shortNames are questions to names that are cut short, to keys that have no name of their own and to things that a
// kind, a part or a flag of them tells.
var shortNames = map[string][]asked{
	"a terse name abbreviates words of the question": {
		{"coop", "growers with a credit limit over 600", `SELECT gnam FROM grwm WHERE crlim > 600`},
		{"coop", "average payment term of growers", `SELECT avg(pytrm) FROM grwm`},
		{"coop", "how many tractors are there", `SELECT 5`},
		{"coop", "harvests in 2024", `SELECT hvno FROM hrvt WHERE hdt >= '2024-01-01' AND hdt < '2025-01-01'`},
		{"coop", "number of harvests per grower", `SELECT 'Adler', 2 UNION ALL SELECT 'Bach', 1 UNION ALL SELECT 'Egli', 1`},
		{"coop", "growers with a credit line over 600", ``},
		{"coop", "how many barns are there", ``},
		{"garage", "how many mechanics are there", `SELECT count(*) FROM mchmst`},
	},
	"a legend without marks is read": {
		{"coop", "organic growers", `SELECT gnam FROM grwm WHERE gcls = 'A'`},
		{"coop", "growers on trial", `SELECT gnam FROM grwm WHERE gcls = 'C'`},
		{"coop", "tractors in repair", `SELECT tnam FROM trcm WHERE tst = 2`},
		{"coop", "sold tractors", `SELECT tnam FROM trcm WHERE tst = 3`},
	},
	"the own time of a row comes before what becomes of it": {
		{"zoo", "feeds per month", `SELECT date_trunc('month', ordered_on)::date, count(*) FROM feeds GROUP BY 1`},
		{"zoo", "feeds per month in 2024", `SELECT date_trunc('month', ordered_on)::date, count(*) FROM feeds GROUP BY 1`},
		{"zoo", "feeds in February 2024", `SELECT id FROM feeds WHERE ordered_on BETWEEN '2024-02-01' AND '2024-02-29'`},
		{"zoo", "feeds promised in February 2024", `SELECT id FROM feeds WHERE promised_on BETWEEN '2024-02-01' AND '2024-02-29'`},
		{"lettings", "repairs per month", `SELECT date_trunc('month', reported_on)::date, count(*) FROM repairs GROUP BY 1`},
		{"academy", "number of bills per month", `SELECT date_trunc('month', issued_on)::date, count(*) FROM bills GROUP BY 1`},
		{"theatre", "cancellations per month", `SELECT date_trunc('month', canceled_on)::date, count(*) FROM subscriptions WHERE canceled_on IS NOT NULL GROUP BY 1`},
	},
	"full months end before the current one": {
		{"ferry", "cruises in the last 12 full months", `SELECT id FROM cruises WHERE cruised_on >= date_trunc('month', current_date) - interval '12 months' AND cruised_on < date_trunc('month', current_date)`},
		{"ferry", "how many cruises in the last 2 complete years", `SELECT count(*) FROM cruises WHERE cruised_on >= date_trunc('year', current_date) - interval '2 years' AND cruised_on < date_trunc('year', current_date)`},
		{"library", "loans in the last 3 full months", `SELECT id FROM loans WHERE lent_on >= date_trunc('month', current_date) - interval '3 months' AND lent_on < date_trunc('month', current_date)`},
	},
	"a number of things or more": {
		{"stall", "customers with 2 orders or more", `SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) >= 2)`},
		{"library", "readers with 2 loans or more", `SELECT name FROM readers WHERE id IN (SELECT reader_id FROM loans GROUP BY 1 HAVING count(*) >= 2)`},
		{"zoo", "cages with 2 cleanings or more", `SELECT 'A1'`},
	},
	"what is marked so is so": {
		{"zoo", "animals marked rare", `SELECT name FROM animals WHERE rare`},
		{"zoo", "how many animals are marked as rare", `SELECT 2`},
		{"gym", "fees marked as waived", `SELECT id FROM fees WHERE waived`},
		{"press", "jobs flagged as rush", `SELECT title FROM jobs WHERE rush`},
	},
	"what failed had no success": {
		{"zoo", "failed inspections", `SELECT id FROM inspections WHERE NOT success`},
		{"zoo", "how many inspections failed in February 2024", `SELECT 2`},
		{"zoo", "failed cleanings", ``},
	},
	"the kind that a table of kinds names is the things of it": {
		{"zoo", "birds", `SELECT name FROM animals WHERE group_id = 2`},
		{"zoo", "how many birds are there", `SELECT 2`},
		{"zoo", "heaviest bird", `SELECT 'Zazu'`},
		{"zoo", "the reptiles with their weight", `SELECT 'Kaa', 40`},
	},
	"a key of one name is no role": {
		{"zoo", "cleanings per cage", `SELECT tag, count(*) FROM cleanings GROUP BY 1`},
		{"zoo", "cages with the most cleanings", `SELECT 'A1'`},
		{"zoo", "number of cleanings by place", `SELECT 'north', 2 UNION ALL SELECT 'south', 1`},
	},
	"a ranking by plural things counts them": {
		{"stall", "top 2 customers by orders", `SELECT c.name, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY 2 DESC LIMIT 2`},
		{"library", "top 2 readers by loans", `SELECT r.name, count(*) FROM readers r JOIN loans l ON l.reader_id = r.id GROUP BY r.id, r.name ORDER BY 2 DESC LIMIT 2`},
		{"zoo", "top 1 cage by cleanings in January 2024", `SELECT 'A1', 2`},
	},
	"last may stand behind the verb": {
		{"stall", "when did Ana Sol order last", `SELECT timestamptz '2024-05-01 10:00+00'`},
		{"library", "when did Gil Orr borrow a book last", `SELECT max(lent_on) FROM loans WHERE reader_id = 1`},
		{"gym", "when did Pia Quin book a session last", `SELECT max(booked_at) FROM sessions s JOIN members m ON m.id = s.member_id WHERE m.name = 'Pia Quin'`},
	},
	"the busiest unit of time has most of them": {
		{"library", "busiest month for loans", `SELECT date_trunc('month', lent_on)::date, count(*) FROM loans GROUP BY 1`},
		{"zoo", "busiest month for cleanings", `SELECT date '2024-01-01', 3`},
		{"zoo", "busiest weekday for cleanings in the north", `SELECT 'Monday', 2`},
	},
	"people and their verb name a time": {
		{"zoo", "when did Ben Cole join", `SELECT date '2021-01-01'`},
		{"zoo", "when does the locker of Ann Bell expire", ``},
	},
	"a flag answers yes or no": {
		{"zoo", "does Ann Bell have a locker?", `SELECT true`},
		{"allotment", "does Ann Bell get the newsletter", `SELECT newsletter FROM gardeners WHERE name = 'Ann Bell'`},
		{"studio", "does Gil Hale get a discount", `SELECT true`},
		{"zoo", "does Ann Bell have a car", ``},
	},
	"whom somebody reports to": {
		{"zoo", "who does Ben Cole report to?", `SELECT 'Ann', 'Bell'`},
		{"zoo", "who does Cy Dorn work under", `SELECT 'Ben', 'Cole'`},
		{"ferry", "who does Kit Lund report to", ``},
	},
	"the time until something is done": {
		{"zoo", "average delivery time in days per supplier", `SELECT 'Hay & Co', 6 UNION ALL SELECT 'Fishers', 1`},
		{"zoo", "how many days does delivery take on average", `SELECT 13 / 3.0`},
		{"lettings", "average finishing time", `SELECT avg(finished_on - reported_on) FROM repairs`},
		{"gym", "average payment time", `SELECT avg(paid_on - billed_on) FROM fees`},
		{"gym", "average trainer time", ``},
	},
}

func TestShortNames(t *testing.T) {
	testAsked(t, schemas(t, "coop", "zoo", "garage", "lettings", "academy", "theatre", "ferry", "library", "stall", "gym", "press", "allotment", "studio"), shortNames)
}

// TestInterpret_Same reads questions again and again: nothing of a reading goes by the order in which a map is walked.
func TestInterpret_Same(t *testing.T) {
	zoo := schemas(t, "zoo")["zoo"].snap
	for _, q := range []string{"when did Ben Cole join", "busiest weekday for cleanings in the north"} {
		for range 30 {
			if got, err := grammar.Interpret(q, "", zoo, grammar.Options{Now: now, Location: time.UTC}); err != nil {
				t.Fatalf("%q is refused at times: %v", q, err)
			} else if first, _ := grammar.Interpret(q, "", zoo, grammar.Options{Now: now, Location: time.UTC}); len(first) != len(got) || first[0].SQL != got[0].SQL {
				t.Fatalf("%q is read as %v and as %v", q, got, first)
			}
		}
	}
}
