package main

// demoStep is a statement that the demo types.
type demoStep struct{ title, statement string }

// demoSteps are typed in one session.
var demoSteps = []demoStep{
	{"A number", "/* ask: How many orders were placed last month? */;"},
	{"A follow-up", "/* ask(more): and by channel? */;"},
	{"A ranking with its measure", "ASK $$Name and revenue of the top 5 products by revenue$$;"},
	{"A series", "ASK $$Revenue by month this year ordered by month$$;"},
	{"An answer in a join", `SELECT region, orders, customers, round(orders::numeric / customers, 1) AS each
FROM ask('Number of orders per region') AS r(region, orders)
JOIN (SELECT region, count(*) AS customers FROM customers GROUP BY region) AS c USING (region) ORDER BY each DESC;`},
	{"A question that the data does not answer", "ASK $$What's our churn rate?$$;"},
}
