package grammar_test

import "testing"

// lido are questions that say one thing in two sentences, or in two clauses.
var lido = map[string][]asked{
	"some things, and then what of them": {
		{"lido", "Some swimmers have more than one lesson. Give me the town and the age of them.", `SELECT town, age FROM swimmers WHERE id IN (1, 3)`},
		{"lido", "Some swimmers have more than one lesson. For them, show me the grade.", `SELECT grade FROM swimmers WHERE id IN (1, 3)`},
		{"lido", "Some swimmers have more than one lesson. I need the ages of these swimmers.", `SELECT age FROM swimmers WHERE id IN (1, 3)`},
		{"lido", "Some swimmers have more than one lesson. How many swimmers is that?", `SELECT 2`},
		{"lido", "Some pools are heated. Which pools are these?", `SELECT name FROM pools WHERE heated`},
		{"lido", "Some pools are heated. How many pools are there?", ``}, // of all, or heated ones
	},
	"take things": {
		{"lido", "Take only the pools in Devon. What is their average depth?", `SELECT 2.35`},
		{"lido", "Take the swimmers from Bude. How many lessons did they have?", `SELECT 5`},
		{"lido", "Look at the pools that are heated. Please show their names.", `SELECT name FROM pools WHERE heated`},
		{"lido", "Take the lessons from 2025. How many swimmers are there?", ``},
	},
	"things before a colon": {
		{"lido", "Pools in Devon: what is their average depth?", `SELECT 2.35`},
		{"lido", "All lessons from 2025: what is their highest fee?", `SELECT 20`},
	},
	"a condition, and then of what": {
		{"lido", "The county is Devon. How many pools are there?", `SELECT 2`},
		{"lido", "Age must be more than 30. For every such swimmer, give town and grade.", `SELECT town, grade FROM swimmers WHERE age > 30`},
		{"lido", "Age must be more than 30. For every such swimmer, how many lessons are there?", `SELECT first_name, last_name, n FROM (VALUES ('Ewan', 'Sands', 1), ('Iris', 'Thorn', 3)) v(first_name, last_name, n)`},
		{"lido", "Grade of the swimmer is silver. I need the count.", `SELECT 2`},
	},
	"what they are has to be said": {
		{"lido", "How many swimmers are from Bude, and how many lessons did they have?", ``},
		{"lido", "Some lessons are from 2025. How many swimmers had them?", `SELECT 1`},
		{"lido", "Some lessons are from 2025. How many swimmers are there?", ``},
		{"lido", "Find the county with the most pools. Show the county and this depth.", ``},
		{"lido", "For every swimmer, what are their lessons?", ``},
	},
	"what was spoken of": {
		{"lido", "Take swimmers whose town is Deal. What is the highest age?", `SELECT 31`},
		{"lido", "I have the town Deal. What is the highest age?", `SELECT 31`},
		{"lido", "Grade is silver and the town is Bude. How many swimmers?", `SELECT 1`},
		{"lido", "Some swimmers don't have a lesson. Who are they?", `SELECT first_name, last_name FROM swimmers WHERE id = 4`},
		{"lido", "The county is Devon. Count its pools please.", `SELECT 2`},
		{"lido", "Count the lessons per pool. Show the pool name and this number.", `SELECT 'Kelp', 3 UNION ALL SELECT 'Tern', 1 UNION ALL SELECT 'Wrack', 2`},
		{"lido", "Show the towns of all swimmers. No duplicates please.", `SELECT DISTINCT town FROM swimmers`},
		{"lido", "Show every swimmer, and how many lessons he or she had.", `SELECT first_name, last_name, (SELECT count(*) FROM lessons l WHERE l.swimmer_id = s.id) FROM swimmers s`},
		{"lido", "For every swimmer show town and age. Sort by age, the highest age on top.", `SELECT town, age FROM swimmers ORDER BY age DESC`},
	},
	"what is shown of groups is theirs": {
		{"lido", "How many lessons did each swimmer have? Show the town, the id and the number.", `SELECT town, s.id, count(*) FROM swimmers s JOIN lessons l ON l.swimmer_id = s.id GROUP BY s.id`},
		{"lido", "How many lessons did each swimmer have? Show the fee and the number.", ``},
	},
	"what must be so": {
		{"lido", "The town is Bude. Show the swimmers with the age.", `SELECT first_name, last_name, age FROM swimmers WHERE town = 'Bude'`},
		{"lido", "Show me the swimmers from Bude. They must be older than 20.", `SELECT first_name, last_name FROM swimmers WHERE id = 3`},
		{"lido", "Show the pools. The county must be Devon or it must be Kent.", `SELECT name FROM pools WHERE id < 4`},
	},
	"how many things are to be told": {
		{"lido", "For pools I need two numbers: the minimum depth and the maximum depth.", `SELECT 0.9, 3.5`},
		{"lido", "I need only one number: how many pools we have.", `SELECT 4`},
		{"lido", "About Kelp I need to know two things. What is the county and what is the depth?", `SELECT 'Devon', 1.2`},
	},
	"how many, and in what order, behind": {
		{"lido", "What are our deepest pools? I need two.", `SELECT name FROM pools WHERE id IN (2, 3)`},
		{"lido", "What are the newest lessons? Two is enough.", `SELECT id FROM lessons WHERE id IN (5, 6)`},
		{"lido", "What are the newest lessons? Only 2025.", ``},
		{"lido", "For every county, count the pools. Sort it from high to low.", `SELECT county, count(*) FROM pools GROUP BY 1 ORDER BY 2 DESC`},
		{"lido", "For each county, what is the average depth? Start with the highest.", `SELECT county, avg(depth_m) FROM pools GROUP BY 1 ORDER BY 2 DESC`},
		{"lido", "Show the pools. Please add the depth also.", `SELECT name, depth_m FROM pools`},
	},
	"what else of them": {
		{"lido", "Which swimmers are older than 30, and what are their first names?", `SELECT first_name FROM swimmers WHERE age > 30`},
		{"lido", "Which pools are heated, and how deep are they?", `SELECT name, depth_m FROM pools WHERE heated`},
		{"lido", "Which swimmers are older than 30, and which town does each of them come from?", `SELECT first_name, last_name, town FROM swimmers WHERE age > 30`},
		{"lido", "Which county has the most pools, and how many?", `SELECT 'Devon', 2`},
		{"lido", "Which swimmer had the most lessons, and how many?", `SELECT 'Iris', 'Thorn', 3`},
	},
}

func TestLido(t *testing.T) {
	testAsked(t, schemas(t, "lido"), lido)
}
