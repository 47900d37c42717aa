package grammar_test

import "testing"

// orangery are questions in further usual wordings.
var orangery = map[string][]asked{
	"two times beside each other": {
		{"toolshed", "compare the number of loans in the first quarter of 2025 with the first quarter of 2026", `SELECT 4, 3`},
		{"toolshed", "compare the number of loans in the first quarter of 2025 and the first quarter of 2026", `SELECT 4, 3`},
		{"toolshed", "loans in the first quarter of 2025 vs the first quarter of 2026", `SELECT 4, 3`},
		{"toolshed", "please compare the loans of 2025 with those of 2026", `SELECT 5, 3`},
		{"toolshed", "can you compare loans in 2025 with loans in 2026", `SELECT 5, 3`},
		{"toolshed", "compare members who joined in 2024 with members who joined in 2025", `SELECT 2, 2`},
		{"orangery", "compare the average order value of 2024 with that of 2025", `SELECT 65, 53.6`},
		{"orangery", "orders in March vs April 2025", `SELECT 2, 3`},
		{"orangery", "compare orders in March and April 2025", `SELECT 2, 3`},
		{"toolshed", "how many loans were there in Q1 2025 and in Q1 2026", `SELECT 7`},
		{"toolshed", "loans in March 2025 vs April", ``}, // of which year?
		{"toolshed", "loans in 2025 vs holds in 2026", ``},
		{"toolshed", "compare the loans of 2025 with the members of 2024", ``},
		{"orangery", "compare orders in March, April and May 2025", ``},
		{"orangery", "compare the average order value of 2024 with that of Ann Roe", ``},
	},
}

func TestOrangery(t *testing.T) {
	testAsked(t, schemas(t, "toolshed", "orangery"), orangery)
}
