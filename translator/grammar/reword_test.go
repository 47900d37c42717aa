package grammar_test

import "testing"

// reworded are questions in an order of words that has the answer of another one.
var reworded = map[string][]asked{
	"a time may stand before": {
		{"hire", "In 2021, how many yards did we open?", `SELECT 1`},
		{"hire", "in 2024, how many bills did we issue?", `SELECT 3`},
		{"luthier", "During April 2025, what number of orders did we get by web?", `SELECT 1`},
		{"luthier", "In April 2025, which buyers ordered in March 2025?", ``},
		{"hire", "In 2024, how many bills did we issue in total?", `SELECT 3`},
	},
	"as of today is now": {
		{"hire", "As of today, how many faults are open?", `SELECT 2`},
		{"hire", "how many faults are open as of now", `SELECT 2`},
	},
	"what it is asked for may stand before": {
		{"luthier", "For every channel, how many orders came in through it?", `SELECT channel, count(*) FROM orders GROUP BY 1`},
		{"luthier", "For each channel, how many buyers are there?", `SELECT 'web', 2 UNION ALL SELECT 'phone', 1 UNION ALL SELECT 'shop', 1`},
		{"hire", "if we take all riggers, what is the average pay?", `SELECT 2150`},
		{"hire", "if we hired all riggers, what is the average pay?", ``},
		{"hire", "if we take riggers for drivers, what is the average pay?", ``},
	},
	"a question within a sentence has its verb behind": {
		{"luthier", "Could you tell me what the average price of our cellos is?", `SELECT 800`},
		{"luthier", "I would like to know what the number of web orders is", `SELECT 2`},
		{"luthier", "tell me how expensive the Vega Cello is", `SELECT 900`},
		{"hire", "could you tell me what Bo Cain's pay is", `SELECT 2100`},
		{"luthier", "tell me what kind of cello this is", ``},
		{"hire", "tell me what the pay of Bo Cain was in 2020", ``},
	},
	"which of several a question within a sentence asks for": {
		{"hire", "could you tell me which town the yard Oak Yard is in", `SELECT 'Hull'`},
		{"hire", "tell me in which of our yards the helper Cy Dorn works", `SELECT 'Elm Yard'`},
		{"hire", "tell me which town has the most units", `SELECT 'York'`},
		{"hire", "tell me which yards the riggers that are in York work in", ``},
	},
	"how many each has on average": {
		{"hire", "How many units does one yard have, on average?", `SELECT 5.0 / 3`},
		{"hire", "could you tell me how many units a yard has on average", `SELECT 5.0 / 3`},
		{"hire", "how many units does Elm Yard have on average", ``},
	},
	"whether something is so": {
		{"luthier", "please check whether any of our flutes are restored", `SELECT true`},
		{"luthier", "could you check if one of our bows is restored?", `SELECT false`},
		{"luthier", "could you check whether we have a cello for more than 950?", `SELECT false`},
		{"luthier", "I want to know if we sold a cello", ``},
		{"luthier", "tell me if Otto Hahn is a buyer", ``},
		{"luthier", "show the flutes if any of them are restored", ``},
		{"hire", "tell me whether any of the yards in York are closed", `SELECT true`},
		{"hire", "tell me whether the riggers that are from York are drivers", ``},
	},
	"what is broken down or split is divided by what follows": {
		{"luthier", "Please break the number of orders down by channel", `SELECT channel, count(*) FROM orders GROUP BY 1`},
		{"luthier", "I want to split the total of orders by channel", `SELECT channel, sum(total) FROM orders GROUP BY 1`},
		{"luthier", "please split the orders", ``},
		{"luthier", "which instruments break down by channel", ``},
	},
	"a count may be said behind": {
		{"hire", "rigger count", `SELECT 2`},
		{"hire", "what is our rigger count?", `SELECT 2`},
		{"luthier", "web order count", `SELECT 2`},
		{"hire", "rigger count by topic", ``},
	},
	"one among others": {
		{"luthier", "who among the buyers has the most orders", `SELECT 'Mia Hahnel'`},
	},
	"the failure rate is the percentage of what failed": {
		{"canteen", "payment failure rate", `SELECT 50.0`},
		{"zoo", "what is the failure rate of inspections", `SELECT 100.0 * count(*) FILTER (WHERE NOT success) / count(*) FROM inspections`},
		{"zoo", "cage failure rate", ``},
	},
	"the number of what we made so": {
		{"marina", "What is the number of offers we have lost?", `SELECT count(*) FROM offers WHERE stage = 'lost'`},
		{"marina", "the number of offers that we have sunk", ``},
	},
	"a year of the calendar is a year": {
		{"luthier", "how many orders did we get in the last calendar year", `SELECT count(*) FROM orders WHERE date_part('year', ordered_on) = date_part('year', current_date) - 1`},
	},
}

func TestReworded(t *testing.T) {
	testAsked(t, schemas(t, "canteen", "hire", "luthier", "marina", "zoo"), reworded)
}
