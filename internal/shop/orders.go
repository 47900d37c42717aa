package shop

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// orderTables are the tables that tell the story of an order.
type orderTables struct {
	orders, items, payments, shipments, returns, reviews *table
}

func (g *generator) makeOrders() {
	t := orderTables{
		orders: g.table("orders"), items: g.table("order_items"), payments: g.table("payments"),
		shipments: g.table("shipments"), returns: g.table("returns"), reviews: g.table("reviews"),
	}
	g.buyers = make(map[int]int, orderCount)
	buyers := g.skewed(len(g.customers), 0.3)
	for i := range buyers {
		if g.Float64() < dormantShare {
			buyers[i] = 0
		}
	}
	g.favour(buyers)
	who := newWeighted(buyers)
	sold := g.skewed(len(g.products), 0.55)
	for i := range 6 { // products that nobody ever bought
		sold[(i*83+17)%len(sold)] = 0
	}
	what := newWeighted(sold)
	for i, at := range g.orderTimes() {
		g.makeOrder(&t, i+1, at, who, what)
	}
}

// favour makes some of the oldest customers order so much more than the others
// that the first places are clear on any day.
func (g *generator) favour(weights []float64) {
	most, place := slices.Max(weights), 0
	for i, c := range g.customers {
		if place == 8 {
			return
		}
		if c.signedUp.Before(g.daysAgo(lifeDays)) && weights[i] > 0 {
			weights[i] = most * (3.4 - 0.3*float64(place))
			place++
		}
	}
}

// orderTimes returns when the orders were placed, in ascending order: more
// each year, most before Christmas, and some today, before now.
func (g *generator) orderTimes() []time.Time {
	weights := make([]float64, lifeDays+1)
	for i := range weights {
		d := g.daysAgo(lifeDays - i)
		w := 1 + 0.9*float64(i)/lifeDays
		switch d.Month() {
		case time.November:
			w *= 1.3
		case time.December:
			w *= 1.7
		case time.July, time.August:
			w *= 0.85
		}
		if d.Weekday() == time.Sunday {
			w *= 0.7
		}
		weights[i] = w
	}
	days := newWeighted(weights)
	times := make([]time.Time, orderCount)
	for i := range times {
		d := days.pick(g)
		// Evenings are busiest.
		second := int((8 + 14*math.Max(g.Float64(), g.Float64())) * 3600)
		if d == lifeDays {
			second = int(float64(second) / (24 * 3600) * g.now.Sub(g.today).Seconds())
		}
		times[i] = g.daysAgo(lifeDays - d).Add(time.Duration(second) * time.Second)
	}
	slices.SortFunc(times, time.Time.Compare)
	return times
}

// line is one product of an order.
type line struct {
	product, quantity int
	price, amount     cents // of one unit; of all, less the discount
}

func (g *generator) makeOrder(t *orderTables, id int, at time.Time, who, what weighted) {
	buyer := who.pick(g)
	for g.customers[buyer].signedUp.After(at) {
		buyer = who.pick(g)
	}
	if to, ok := g.moved[id]; ok {
		buyer = to
	}
	g.buyers[id] = buyer
	channel, address, store, staff := "web", any(null), any(null), any(null)
	switch x := g.Float64(); {
	case x < 0.22:
		channel = "store"
	case x < 0.30:
		channel = "phone"
	}
	if channel != "web" {
		i := g.IntN(len(g.staff))
		store, staff = i+1, pick(g, g.staff[i])
	}
	if channel != "store" {
		address = pick(g, g.customers[buyer].addresses)
	}
	lines := g.makeLines(t, id, at, what)
	var total cents
	for _, l := range lines {
		total += l.amount
	}
	if channel != "store" && total < 5000 {
		total += 490
	}
	status := g.follow(t, id, at, channel, total, lines, buyer)
	t.orders.row(id, buyer+1, address, store, staff, status, channel, at, total)
}

func (g *generator) makeLines(t *orderTables, order int, at time.Time, what weighted) []line {
	n := 1 + int(math.Min(g.ExpFloat64()*1.6, 7))
	taken := map[int]bool{}
	var lines []line
	for len(lines) < n {
		i := what.pick(g)
		for tries := 0; (taken[i] || g.products[i].added.After(at)) && tries < 50; tries++ {
			i = what.pick(g)
		}
		if taken[i] {
			break
		}
		taken[i] = true
		p := g.products[i]
		age := g.today.Sub(at).Hours() / 24 / 365
		l := line{product: i, quantity: 1, price: cents(float64(p.price) * (1 - 0.03*math.Round(age)))}
		for g.Float64() < 0.22 && l.quantity < 12 {
			l.quantity++
		}
		percent := 0
		if g.Float64() < 0.15 {
			percent = pick(g, []int{5, 10, 20})
		}
		l.amount = cents(int(l.price) * l.quantity * (100 - percent) / 100)
		t.items.row(order, i+1, l.quantity, l.price, fmt.Sprintf("0.%02d", percent))
		lines = append(lines, l)
	}
	return lines
}

// follow writes what happened after an order was placed and returns the status
// that it has today.
func (g *generator) follow(t *orderTables, id int, at time.Time, channel string, total cents, lines []line, buyer int) string {
	fate, pay, pack, ride := g.Float64(), g.between(1, 90), g.between(12, 70), g.between(20, 130)
	hours := func(from time.Time, n int) time.Time { return from.Add(time.Duration(n) * time.Hour) }
	if channel != "store" && fate < 0.05 {
		return "cancelled"
	}
	paid := at.Add(time.Duration(pay) * time.Minute)
	if channel == "store" {
		paid = at
	} else if pay > 60 && hours(paid, 24).After(g.today) || paid.After(g.today) {
		return "pending"
	}
	g.pay(t, id, paid, total)
	delivered := at
	if channel != "store" {
		shipped := hours(paid, pack)
		if shipped.After(g.today) {
			return "paid"
		}
		tracking := fmt.Sprintf("%s%09d", []string{"JD", "1Z", "GL", "PN"}[id%4], id*7919%1_000_000_000)
		delivered = hours(shipped, ride)
		if delivered.After(g.today) {
			t.shipments.row(t.shipments.n+1, id, carriers[id%4], tracking, shipped, null)
			return "shipped"
		}
		t.shipments.row(t.shipments.n+1, id, carriers[id%4], tracking, shipped, delivered)
	}
	g.review(t, delivered, lines, buyer)
	if back := hours(delivered, g.between(72, 600)); fate > 0.93 && back.Before(g.today) {
		l := pick(g, lines)
		quantity := g.between(1, l.quantity)
		t.returns.row(t.returns.n+1, id, l.product+1, pick(g, returnReasons), quantity, l.amount*cents(quantity)/cents(l.quantity), back)
		return "returned"
	}
	return "delivered"
}

func (g *generator) pay(t *orderTables, order int, at time.Time, total cents) {
	methods := newWeighted([]float64{55, 28, 17})
	rest := total
	if g.Float64() < 0.03 && total > 3000 {
		t.payments.row(t.payments.n+1, order, "gift card", cents(2500), at)
		rest -= 2500
	}
	t.payments.row(t.payments.n+1, order, []string{"card", "paypal", "bank transfer"}[methods.pick(g)], rest, at)
}

func (g *generator) review(t *orderTables, delivered time.Time, lines []line, buyer int) {
	for _, l := range lines {
		at := delivered.Add(time.Duration(g.between(24, 700)) * time.Hour)
		if g.Float64() > 0.17 || at.After(g.today) {
			continue
		}
		stars := int(math.Round(g.products[l.product].quality + g.NormFloat64()*0.9))
		stars = max(1, min(5, stars))
		t.reviews.row(t.reviews.n+1, l.product+1, buyer+1, stars, pick(g, reviewTitles[stars]), at)
	}
}
