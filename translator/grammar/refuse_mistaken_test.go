package grammar_test

import "testing"

// mistakes are questions with a word that names something else than what is near at hand.
var mistakes = map[string][]asked{
	"when something happens is no other time of it": {
		{"playhouse", "when does Owl close", ``},
		{"playhouse", "when did Owl open", ``},
		{"playhouse", "when is the Owl report due", ``},
	},
	"a rate is no amount, and does not add up": {
		{"playhouse", "total wages by actor", ``},
		{"playhouse", "months of Dee Ellis", ``},
		{"playhouse", "average wage of actors", `SELECT avg(hourly_wage) FROM actors`},
	},
	"money goes by its own word, and the price of a thing is its own": {
		{"playhouse", "total fees for Owl", ``},
		{"playhouse", "average ticket price", ``},
		{"playhouse", "average price", `SELECT avg(price) FROM price_bands`},
	},
	"places of a hall are not those that were sold": {
		{"playhouse", "how many seats does the Studio have", ``},
		{"playhouse", "how many places are left for the Ball", ``},
		{"playhouse", "how many venues do we have", `SELECT 2`},
	},
	"how long something lasts is not how long somebody worked on it": {
		{"playhouse", "how long do workshops stay open on average", ``},
	},
	"who has nothing to pay has not failed to pay": {
		{"playhouse", "patrons in York who have not paid", ``},
		{"playhouse", "patrons with pledges not paid", `SELECT 'Dee Ellis'`},
	},
	"things are asked for, not what is said before them": {
		{"playhouse", "lump sum plays", ``},
		{"playhouse", "lump sums of the plays", `SELECT lump_sum FROM plays`},
	},
	"the most hours are not the most rows": {
		{"playhouse", "which actor rehearsed the most hours", `SELECT 'Ada Bell'`},
		{"playhouse", "who rehearsed the most hours", `SELECT 'Ada Bell'`},
	},
	"what is averaged per day is added up first": {
		{"playhouse", "average hours per day", ``},
		{"playhouse", "average hours per actor per day", ``},
	},
	"what the question says is no answer": {
		{"playhouse", "who referred Ben Cole", ``},
		{"playhouse", "who is our electrics specialist", ``},
	},
	"what is lent or mended has not come back": {
		{"gallery", "statues on loan", ``},
		{"gallery", "statues being restored", ``},
		{"gallery", "statues that were restored", `SELECT title FROM statues WHERE id IN (1, 3)`},
	},
	"what expires need not have expired": {
		{"gallery", "guards with an expired permit", `SELECT name FROM guards WHERE permit_expires < CURRENT_DATE`},
		{"gallery", "guards with an expired badge", ``},
		{"gallery", "guards whose permit expired in 2023", `SELECT 'Ann Orr'`},
	},
	"what is not so has no yes": {
		{"gallery", "rooms without a lift", `SELECT 'Long Hall'`},
	},
	"a sale is of several pieces": {
		{"gallery", "how many posters were sold in the Blue Room", ``},
		{"gallery", "how many poster sales in the Blue Room", `SELECT 2`},
		{"gallery", "visitors last month", ``},
		{"gallery", "number of gate visits", `SELECT 3`},
	},
	"what a word for money asks for is an amount": {
		{"gallery", "poster revenue in August 2024", `SELECT 30`},
		{"gallery", "adult fare on Grand Walk", ``},
		{"gallery", "adult fares", `SELECT id FROM fares WHERE age_group = 'adult'`},
	},
	"an adjective says which things": {
		{"gallery", "urgent repairs", ``},
		{"gallery", "urgent repairs?", ``},
		{"gallery", "repairs by urgency", `SELECT urgency, count(*) FROM repair_requests GROUP BY 1`},
	},
	"a length is no time": {
		{"gallery", "how long does Grand Walk take", ``},
		{"gallery", "how long is Grand Walk", `SELECT 4.5`},
	},
	"what was spent is not what was earned": {
		{"playhouse", "revenue by genre", ``},
	},
}

func TestMistakes(t *testing.T) { testAsked(t, schemas(t, "playhouse", "gallery"), mistakes) }
