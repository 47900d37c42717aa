// Units of measure behind numbers: "heavier than 3 tonnes" of a column in kilograms.

package grammar

import (
	"math/big"
	"slices"
	"strings"

	"askpg/catalog"
)

// unitsOf are units by what they measure, with how many of the smallest one of the table they are; "" where that is not
// certain (a ton, a month).
var unitsOf = []map[string]string{
	{"g": "1", "gram": "1", "grams": "1", "kg": "1000", "kgs": "1000", "kilo": "1000", "kilos": "1000", "kilogram": "1000", "kilograms": "1000", "tonne": "1000000", "tonnes": "1000000",
		"ton": "", "tons": "", "lb": "453.59237", "lbs": "453.59237", "pound": "453.59237", "pounds": "453.59237"},
	{"mm": "1", "cm": "10", "m": "1000", "meter": "1000", "meters": "1000", "metre": "1000", "metres": "1000", "km": "1000000", "kilometer": "1000000", "kilometers": "1000000",
		"kilometre": "1000000", "kilometres": "1000000", "inch": "25.4", "inches": "25.4", "ft": "304.8", "foot": "304.8", "feet": "304.8", "mile": "1609344", "miles": "1609344"},
	{"ms": "1", "millisecond": "1", "milliseconds": "1", "sec": "1000", "secs": "1000", "second": "1000", "seconds": "1000", "mins": "60000", "minute": "60000", "minutes": "60000",
		"hr": "3600000", "hrs": "3600000", "hour": "3600000", "hours": "3600000", "day": "86400000", "days": "86400000", "week": "604800000", "weeks": "604800000",
		"month": "", "months": "", "year": "", "years": ""},
	{"byte": "1", "bytes": "1", "kb": "", "mb": "", "gb": ""},
	{"km/h": "1", "kmh": "1", "mph": "1.609344"},
	{"degrees": "", "celsius": "", "fahrenheit": ""},
	{"eur": "1", "euro": "1", "euros": "1"},
	{"usd": "1", "dollar": "1", "dollars": "1", "bucks": "1"},
}

// moneyUnits are those of the units which are sums of money.
var moneyUnits = wordSet([]string{"eur", "euro", "euros", "usd", "dollar", "dollars", "bucks"})

// dimensionOf returns the units that measure what a unit does, nil if it is none of a weight, a length or a size.
func dimensionOf(unit string) map[string]string {
	for _, units := range unitsOf {
		if _, measures := units[unit]; measures && units["day"] == "" && !moneyUnits[unit] {
			return units
		}
	}
	return nil
}

// unitNames are the units that names of columns of numbers end in, with what people call them.
var unitNames = map[string]string{
	"km": "kilometres", "m": "metres", "cm": "centimetres", "mm": "millimetres", "mi": "miles", "ft": "feet", "ha": "hectares", "sqm": "square metres", "sqft": "square feet", "m2": "square metres",
	"kg": "kilograms", "g": "grams", "mg": "milligrams", "t": "tonnes", "lb": "pounds", "lbs": "pounds", "l": "litres", "ml": "millilitres",
	"h": "hours", "hr": "hours", "hrs": "hours", "hours": "hours", "min": "minutes", "mins": "minutes", "minutes": "minutes", "sec": "seconds", "secs": "seconds", "s": "seconds", "ms": "milliseconds", "days": "days", "weeks": "weeks", "months": "months",
	"pct": "percent", "perc": "percent", "percent": "percent", "kw": "kilowatts", "kwh": "kilowatt hours", "mb": "megabytes", "gb": "gigabytes", "c": "degrees", "kmh": "kilometres per hour",
	"cents": "cents", "eur": "euros", "euro": "euros", "usd": "dollars", "gbp": "pounds", "chf": "francs", "nok": "crowns", "sek": "crowns", "dkk": "crowns",
}

// unitOf returns what people call the unit that the words of the name of a column of numbers end in, "" if they end in none.
func unitOf(c *catalog.Column, words []string) string {
	last := len(words) - 1
	if c == nil || c.Class != catalog.Number || last < 1 {
		return ""
	}
	return unitNames[words[last]]
}

// unitFactor returns what a number in a unit is multiplied by to be in that of a column, nil if by nothing: they are the same, or
// nothing tells the column's. It is not ok where the column's unit is another and does not follow.
func unitFactor(unit string, c *catalog.Column) (factor *big.Rat, ok bool) {
	held, known := unitHeld(c)
	for _, units := range unitsOf {
		from, measures := units[unit]
		if !measures {
			continue
		}
		to, same := units[held]
		switch {
		case !known || unit == held || same && from == to && from != "" || same && strings.TrimSuffix(unit, "s") == strings.TrimSuffix(held, "s"):
			return nil, true
		case from == "" || to == "":
			return nil, false
		}
		f, _ := new(big.Rat).SetString(from)
		t, _ := new(big.Rat).SetString(to)
		return f.Quo(f, t), true
	}
	return nil, true
}

// unitHeld returns the unit of a column of numbers: the one that an administrator gave, that its name ends with, or that its comment begins with
// or has in the end of a clause: "what the customer pays, in euros".
func unitHeld(c *catalog.Column) (unit string, known bool) {
	name := splitName(c.Name)
	said := []string{strings.ToLower(c.Unit), name[len(name)-1]}
	for i, words := range clausesOf(c.Comment) {
		last := len(words) - 1
		switch {
		case last > 0 && words[last-1] == "in":
			said = append(said, words[last])
		case i == 0:
			said = append(said, words[0])
		}
	}
	for i, word := range said {
		for _, units := range unitsOf {
			if _, ok := units[word]; ok && (i != 1 || len(word) > 1 || len(name) > 1) {
				return word, true
			}
		}
	}
	return "", false
}

// clausesOf cuts a comment at its marks, each clause into words.
func clausesOf(comment string) (clauses [][]string) {
	comment, _, _ = strings.Cut(strings.ToLower(comment), "askpg:")
	for _, clause := range strings.FieldsFunc(comment, func(r rune) bool { return strings.ContainsRune(",;.()", r) }) {
		if words := strings.Fields(clause); len(words) > 0 {
			clauses = append(clauses, words)
		}
	}
	return clauses
}

// minorUnits are what a hundredth of a sum of money is called.
var minorUnits = wordSet([]string{"cent", "cents", "pence"})

// inMinor reports whether a column holds sums of money in cents, as its name or its comment says.
func inMinor(c *catalog.Column) bool {
	if c.Class != catalog.Number {
		return false
	}
	if minorUnits[lastOf(splitName(c.Name))] || minorUnits[strings.ToLower(c.Unit)] {
		return true
	}
	return slices.ContainsFunc(clausesOf(c.Comment), func(words []string) bool {
		n := len(words)
		return minorUnits[words[0]] || n > 1 && minorUnits[words[n-1]] && words[n-2] == "in"
	})
}

// perMajor is written behind what is in cents, so that it is in what people count in.
const perMajor = " / 100.0"

// mentionsMinorUnit reports whether the question asks for cents, or for what the name of such a column says.
func (p *parser) mentionsMinorUnit() bool {
	return slices.ContainsFunc(p.tokens, func(t token) bool { return minorUnits[t.lower] })
}
