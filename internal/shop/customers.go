package shop

import (
	"fmt"
	"strings"
)

func (g *generator) makeCustomers() {
	customers, addresses := g.table("customers"), g.table("addresses")
	weights := make([]float64, len(countries))
	names := make([][]string, len(countries))
	for i, c := range countries {
		weights[i] = float64(c.weight)
		names[i] = g.people(c.first, c.last)
	}
	// Two countries share their names: neither takes the other's.
	half := len(names[0]) * 3 / 4
	names[1] = names[0][half:]
	names[0] = names[0][:half]
	where := newWeighted(weights)
	tiers := newWeighted([]float64{60, 25, 11, 4})
	address := 0
	for id := 1; id <= customerCount; id++ {
		i := where.pick(g)
		for len(names[i]) == 0 {
			i = where.pick(g)
		}
		c, name := countries[i], names[i][0]
		names[i] = names[i][1:]
		signedUp := g.daysAgo(g.between(1, lifeDays-30))
		if g.Float64() < 0.4 {
			signedUp = g.daysAgo(g.between(lifeDays-30, lifeDays+400))
		}
		phone, born := any(null), any(null)
		if g.Float64() < 0.8 {
			phone = fmt.Sprintf("%s %07d", c.dialling, g.IntN(10_000_000))
		}
		if g.Float64() < 0.9 {
			born = day(g.daysAgo(g.between(18*365, 80*365)))
		}
		tier := []string{"bronze", "silver", "gold", "platinum"}[tiers.pick(g)]
		customers.row(id, name, fmt.Sprintf("%s.%d@example.com", asciiName(name), id), phone, born, c.name, c.region, tier, g.Float64() < 0.45, day(signedUp))
		who := customer{signedUp: signedUp}
		for j, kind := range []string{"home", "work"} {
			if j == 1 && g.Float64() > 0.35 {
				break
			}
			address++
			addresses.row(address, id, kind, fmt.Sprintf("%s %d", pick(g, c.streets), g.between(1, 140)), g.digits(c.postcode), pick(g, c.cities), c.name)
			who.addresses = append(who.addresses, address)
		}
		g.customers = append(g.customers, who)
	}
}

// digits replaces each # by a digit.
func (g *generator) digits(pattern string) string {
	return strings.Map(func(r rune) rune {
		if r == '#' {
			return rune('1' + g.IntN(9))
		}
		return r
	}, pattern)
}

// asciiName makes an e-mail address's local part of a name.
func asciiName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r
		case r == ' ':
			return '.'
		default:
			return -1
		}
	}, strings.ToLower(name))
}

// people returns every combination of the names in random order.
func (g *generator) people(first, last []string) []string {
	names := make([]string, 0, len(first)*len(last))
	for _, f := range first {
		for _, l := range last {
			names = append(names, f+" "+l)
		}
	}
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names
}
