package grammar_test

import "testing"

// house are ordinary questions about tidy schemas, whose answers are plain.
var house = map[string][]asked{
	"rows that are called by a number have amounts that add up": {
		{"retreat", "how many participants did we have", `SELECT 21`},
		{"retreat", "participants per channel this year", `SELECT channel, sum(participants) FROM bookings WHERE booked_on >= date_trunc('year', current_date) GROUP BY 1`},
		{"retreat", "which course had the most participants", `SELECT 'Reeds'`},
		{"retreat", "top 2 courses by number of participants", `SELECT 'Reeds', 8 UNION ALL SELECT 'Clay', 5`},
	},
	"a total price is that of all that was bought": {
		{"retreat", "total price by channel", `SELECT channel, sum(total_price) FROM bookings GROUP BY 1`},
		{"retreat", "top 2 guests by total price of bookings", `SELECT 'Bo Cain', 3950 UNION ALL SELECT 'Dee Eck', 1500`},
	},
	"what things are worth is said before or behind them": {
		{"retreat", "value of the bookings per channel this year", `SELECT channel, sum(total_price) FROM bookings WHERE booked_on >= date_trunc('year', current_date) GROUP BY 1`},
		{"retreat", "average value of firm bookings", `SELECT avg(total_price) FROM bookings WHERE status = 'firm'`},
		{"bazaar", "total value of orders", `SELECT 105`},
		{"bazaar", "value of the wares", ``},
		{"retreat", "value of the reviews", ``},
	},
	"a total may run over times": {
		{"retreat", "running total of bookings by month this year", `SELECT m, sum(n) OVER (ORDER BY m) FROM (SELECT date_trunc('month', booked_on)::date m, count(*) n FROM bookings WHERE booked_on >= date_trunc('year', current_date) GROUP BY 1) x`},
		{"retreat", "cumulative payments by day", `SELECT paid_on, sum(sum(amount)) OVER (ORDER BY paid_on) FROM payments GROUP BY 1`},
		{"retreat", "cumulative number of bookings per month by channel", `SELECT m, c, (SELECT count(*) FROM bookings b WHERE b.channel = c AND b.booked_on < m + interval '1 month') FROM (SELECT DISTINCT date_trunc('month', booked_on)::date m, channel c FROM bookings) x`},
		{"retreat", "bookings by month, cumulative", `SELECT date_trunc('month', booked_on)::date, count(*), sum(count(*)) OVER (ORDER BY date_trunc('month', booked_on)::date) FROM bookings GROUP BY 1`},
		{"bazaar", "running total of order value per month", `SELECT date '2024-04-01', 60 UNION ALL SELECT '2024-05-01', 105`},
		{"retreat", "running total of bookings", ``},
		{"retreat", "running total of bookings by channel", ``},
		{"retreat", "cumulative average rating by month", ``},
		{"retreat", "top 3 months by running total of bookings", ``},
	},
	"a time may stand before what is of it": {
		{"retreat", "this year's bookings by channel", `SELECT channel, count(*) FROM bookings WHERE booked_on >= date_trunc('year', current_date) GROUP BY 1`},
		{"retreat", "last month's total payments", `SELECT sum(amount) FROM payments WHERE paid_on >= date_trunc('month', current_date) - interval '1 month' AND paid_on < date_trunc('month', current_date)`},
		{"retreat", "what share of this year's bookings is cancelled", `SELECT 100.0 * (count(*) FILTER (WHERE status = 'cancelled')) / count(*) FROM bookings WHERE booked_on >= date_trunc('year', current_date)`},
		{"hire", "yesterday's hires", `SELECT hire_id FROM hires WHERE start_on = current_date - 1`},
		{"retreat", "today's payments", `SELECT id FROM payments WHERE paid_on = current_date`},
	},
	"what comes is said as what has been": {
		{"retreat", "jobs due in the next 14 days", `SELECT 'Stove'`},
		{"retreat", "how many jobs are due in the next 2 weeks", `SELECT 1`},
		{"retreat", "jobs due in the next 5 days", `SELECT title FROM jobs WHERE due_on BETWEEN current_date AND current_date + 5`},
		{"retreat", "jobs due tomorrow", `SELECT title FROM jobs WHERE due_on = current_date + 1`},
	},
	"how many of them are so is how many there are": {
		{"retreat", "how many of the bookings are cancelled", `SELECT 2`},
		{"retreat", "how many of this year's bookings were cancelled", `SELECT 1`},
		{"retreat", "how many of our guests live in Hull", `SELECT 2`},
		{"retreat", "how many of our guests never booked", `SELECT 0`},
	},
	"what still has none has none now": {
		{"retreat", "guests who still have no booking", `SELECT full_name FROM guests WHERE false`},
		{"retreat", "which guests still have no booking", `SELECT full_name FROM guests WHERE false`},
	},
	"by a way is how it was done": {
		{"retreat", "payments by card", `SELECT id FROM payments WHERE method = 'card'`},
		{"retreat", "bookings by phone this year", `SELECT reference FROM bookings WHERE channel = 'phone' AND booked_on >= date_trunc('year', current_date)`},
		{"retreat", "payments by method", `SELECT method, count(*) FROM payments GROUP BY 1`},
	},
	"who has what a flag says is called by it": {
		{"retreat", "number of newsletter subscribers", `SELECT 3`},
		{"retreat", "newsletter recipients in York", `SELECT full_name FROM guests WHERE id IN (3, 4)`},
		{"retreat", "active subscribers", ``},
	},
	"of so many is with so many": {
		{"retreat", "courses of more than 4 days", `SELECT title FROM courses WHERE length_days > 4`},
		{"retreat", "courses of 9 days", `SELECT title FROM courses WHERE length_days = 9`},
	},
	"stars may be of two numbers": {
		{"retreat", "reviews with 1 or 3 stars", `SELECT id FROM reviews WHERE rating IN (1, 3)`},
		{"retreat", "how many one or two star reviews did we get", `SELECT 1`},
	},
	"a dash parts a question": {
		{"retreat", "cancelled bookings - how many", `SELECT 2`},
		{"retreat", "number of bookings per channel – without cancelled ones", `SELECT channel, count(*) FROM bookings WHERE status <> 'cancelled' GROUP BY 1`},
	},
	"groups are narrowed by how many of what is measured they have": {
		{"retreat", "average rating per course with at least 2 reviews", `SELECT 'Reeds', 5 WHERE false`},
		{"retreat", "average total price per guest with at least 3 bookings", `SELECT 'Bo Cain', avg(total_price) FROM bookings WHERE guest_id = 2`},
		{"bazaar", "average rating per ware with at least 1 verdict", `SELECT 'Lamp', 5 UNION ALL SELECT 'Lantern', 2 UNION ALL SELECT 'Rake', 4`},
		{"bazaar", "average rating per ware, only wares with at least 1 verdict", `SELECT 'Lamp', 5 UNION ALL SELECT 'Lantern', 2 UNION ALL SELECT 'Rake', 4`},
	},
	"what will be is known of what is planned": {
		{"retreat", "how many jobs will be due in the next 14 days", `SELECT 1`},
		{"bazaar", "how many orders will we get next month", ``},
		{"bazaar", "how many orders will there be in the next 30 days", ``},
		{"bazaar", "how many orders will there be in 2095", ``},
	},
	"what was actually done is not all that was asked for": {
		{"retreat", "how many guests actually booked this year", ``},
		{"retreat", "how many bookings were actually cancelled", `SELECT 2`},
	},
	"what is to come is of what is still there, or of all if that is said": {
		{"retreat", "cars with check due in the next 30 days", `SELECT 'AB 1'`},
		{"retreat", "running cars with check due in the next 30 days", `SELECT 'AB 1'`},
		{"retreat", "all cars with check due in the next 30 days", `SELECT 'AB 1' UNION ALL SELECT 'AB 2'`},
	},
	"the share of several that are so is of all of them": {
		{"retreat", "how many of the firm web bookings, as a percentage", ``},
	},
	"each condition is said once": {
		{"retreat", "begun jobs that are overdue and not finished", `SELECT title FROM jobs WHERE id = 1`},
	},
	"month by month is per month": {
		{"retreat", "number of bookings month by month this year", `SELECT date_trunc('month', booked_on)::date, count(*) FROM bookings WHERE booked_on >= date_trunc('year', current_date) GROUP BY 1`},
		{"retreat", "total amount of payments day by day", `SELECT paid_on, sum(amount) FROM payments GROUP BY 1`},
	},
	"what is done is done to us": {
		{"retreat", "guests who booked with us this year but not last year", `SELECT full_name FROM guests g WHERE EXISTS (SELECT FROM bookings WHERE guest_id = g.id AND booked_on >= date_trunc('year', current_date))
			AND NOT EXISTS (SELECT FROM bookings WHERE guest_id = g.id AND booked_on >= date_trunc('year', current_date) - interval '1 year' AND booked_on < date_trunc('year', current_date))`},
		{"bazaar", "buyers who ordered from us in 2024", `SELECT DISTINCT name FROM buyers JOIN orders ON buyer_id = buyers.id WHERE placed_on >= '2024-01-01' AND placed_on < '2025-01-01'`},
	},
	"from last month is not since": {
		{"retreat", "bookings from last month", `SELECT reference FROM bookings WHERE booked_on >= date_trunc('month', current_date) - interval '1 month' AND booked_on < date_trunc('month', current_date)`},
		{"retreat", "payments from last month by method", `SELECT method, count(*) FROM payments WHERE paid_on >= date_trunc('month', current_date) - interval '1 month' AND paid_on < date_trunc('month', current_date) GROUP BY 1`},
	},
	"a share in a time is of all that was in it": {
		{"retreat", "share of web bookings this year", `SELECT 100.0 * (count(*) FILTER (WHERE channel = 'web')) / count(*) FROM bookings WHERE booked_on >= date_trunc('year', current_date)`},
		{"retreat", "what percentage of bookings came in by phone this year", `SELECT 100.0 * count(*) FILTER (WHERE channel = 'phone') / count(*) FROM bookings WHERE booked_on >= date_trunc('year', current_date)`},
		{"retreat", "share of bookings this year", `SELECT 100.0 * (count(*) FILTER (WHERE booked_on >= date_trunc('year', current_date))) / count(*) FROM bookings`},
	},
	"what is to be left out is said in many ways": {
		{"retreat", "bookings per channel (ignore cancelled bookings)", `SELECT channel, count(*) FROM bookings WHERE status <> 'cancelled' GROUP BY 1`},
		{"retreat", "bookings per channel, leave out the cancelled ones", `SELECT channel, count(*) FROM bookings WHERE status <> 'cancelled' GROUP BY 1`},
		{"retreat", "bookings per channel? don't count cancelled bookings", `SELECT channel, count(*) FROM bookings WHERE status <> 'cancelled' GROUP BY 1`},
		{"retreat", "how many bookings per channel? exclude cancelled ones", `SELECT channel, count(*) FROM bookings WHERE status <> 'cancelled' GROUP BY 1`},
	},
}

func TestHouse(t *testing.T) {
	testAsked(t, schemas(t, "retreat", "bazaar", "hire", "lodge"), house)
}
