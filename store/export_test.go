package store

// Counted and Budgeted with a clock, for their tests.
var (
	CountedAt  = counted
	BudgetedAt = budgeted
)
