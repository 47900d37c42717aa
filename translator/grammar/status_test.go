package grammar_test

import "testing"

// statuses are questions about things with a status and times of what happened to them, and about who has them.
var statuses = map[string][]asked{
	"a word that is a status is that status, and no time": {
		{"hotline", "open cases", `SELECT subject FROM cases WHERE status = 'open'`},
		{"hotline", "how many open cases are there", `SELECT 2`},
		{"hotline", "high cases that are still open", `SELECT 'Rent'`},
		{"hotline", "open cases by priority", `SELECT 'high', 1 UNION ALL SELECT 'low', 1`},
		{"hotline", "agents without open cases", `SELECT 'Vic' UNION ALL SELECT 'Wim'`},
	},
	"a verb with a time is when it was done, though a status is called so": {
		{"hotline", "which agent closed the most cases in June 2024", `SELECT 'Vic'`},
		{"hotline", "cases closed in July 2024", `SELECT 'Noise'`},
		{"hotline", "which agent closed the most cases", ``},
	},
	"who is somebody": {
		{"hotline", "who donated more than once", `SELECT 'Ada'`},
		{"hotline", "who has the most donations", `SELECT 'Ada'`},
		{"hotline", "who has the lowest mood", ``}, // a caller or an agent, and no case
		{"hotline", "who gave on 2024-05-01", ``},
		{"hotline", "who runs the South wing", ``},    // one of its helpers, but not each
		{"hotline", "how many A wings are there", ``}, // the letter, and no article
	},
	"what a flag says is deleted does not count, people have both names and codes their description": {
		{"hotline", "helpers from Bonn", `SELECT fname, lname FROM helper WHERE city = 'Bonn' AND del_flag = 0`},
		{"hotline", "how many helpers are there", `SELECT 3`},
		{"hotline", "paid helpers", `SELECT fname, lname FROM helper WHERE paid_flag = 1 AND del_flag = 0`},
		{"hotline", "helpers by wing", `SELECT 'South', 2 UNION ALL SELECT 'North', 1`},
		{"hotline", "wings with more than 15 seats", `SELECT 'South' UNION ALL SELECT 'East'`},
	},
	"an amount that is not named is that of what has one": {
		{"hotline", "average donation", `SELECT avg(amount) FROM donations`},
		{"hotline", "median donation per purpose", `SELECT purpose, percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM donations GROUP BY 1 ORDER BY 2 DESC`},
		{"hotline", "total donations", `SELECT sum(amount) FROM donations`},
		{"hotline", "total donations per purpose", `SELECT purpose, sum(amount) FROM donations GROUP BY 1 ORDER BY 2 DESC`},
		{"hotline", "who donated the most", ``}, // the largest sum, or most often
		{"hotline", "average case", ``},
	},
}

func TestStatuses(t *testing.T) { testAsked(t, schemas(t, "hotline"), statuses) }
