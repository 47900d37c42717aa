package grammar_test

import "testing"

func TestSoFar(t *testing.T) {
	testAsked(t, schemas(t, "sails", "gym"), map[string][]asked{
		"what has come so far is before what it has not reached": {
			{"sails", "parcels shipped but not delivered", `SELECT 2`},
			{"sails", "how many parcels are paid but not delivered", `SELECT 3`},
			{"sails", "sails approved but not released", `SELECT label FROM sails WHERE id IN (2, 5)`},
			{"sails", "parcels delivered but not paid", ``},
			{"sails", "parcels placed and not cancelled", ``}, // what is placed is not cancelled
			{"sails", "how many sails are approved but not withdrawn", ``},
			{"sails", "jobs shipped but not delivered", ``}, // there may be states between
			{"sails", "ropes approved but not paid", ``},    // the order is that of the alphabet
		},
		"what waits to be done is not done yet": {
			{"sails", "how many bills are waiting for payment", `SELECT 1`},
			{"sails", "which bills are waiting to be paid", `SELECT 'B1'`},
			{"sails", "how many posts are waiting to be published", `SELECT 1`},
			{"sails", "jobs not yet shipped", ``}, // what is delivered has been shipped
			{"sails", "how many jobs are waiting to be shipped", ``},
			{"gym", "how many fees are still waiting for payment", `SELECT count(*) FROM fees WHERE paid_on IS NULL AND NOT waived`},
		},
	})
}
