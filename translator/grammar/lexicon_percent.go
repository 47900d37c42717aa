// Numbers in percent: whether a column holds 0.1 or 10 for ten percent.

package grammar

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// percentAt reports whether token i says that the number before it is in percent.
func (p *parser) percentAt(i int) bool {
	w := p.at(i).lower
	return w == "%" || w == "percent"
}

// asHeld returns the literals of a value as a column holds them: of one in percent a
// hundredth, where the column holds shares of one, and of one in another unit in the column's. It is not ok where nothing
// tells what the column holds, or where its unit measures something else.
func (x *lexicon) asHeld(c *catalog.Column, v operand) (literals []string, ok bool) {
	if c == nil {
		return v.literals, true
	}
	if !v.percent {
		factor, ok := unitFactor(v.unit, c)
		if !ok || factor == nil {
			return v.literals, ok && !isOutOfUnit(c, v)
		}
		return times(v.literals, factor)
	}
	share, known := x.holdsShares(c)
	if !share || !known {
		return v.literals, known
	}
	return times(v.literals, big.NewRat(1, 100))
}

// isOutOfUnit reports whether a unit is said of a column that has none, and each of its values, or none, is larger than the number: minutes
// are not longer "than 2 hours" because they are more than 2.
func isOutOfUnit(c *catalog.Column, v operand) bool {
	converts := slices.ContainsFunc(unitsOf, func(units map[string]string) bool { return units[v.unit] != "" })
	if _, known := unitHeld(c); known || !converts || moneyUnits[v.unit] || c.Profile == nil {
		return false
	}
	least, err := strconv.ParseFloat(c.Profile.Min, 64)
	most, failed := strconv.ParseFloat(c.Profile.Max, 64)
	return err == nil && failed == nil && slices.ContainsFunc(v.literals, func(l string) bool {
		n, err := strconv.ParseFloat(l, 64)
		return err == nil && (n < least || n > most)
	})
}

// times multiplies literals, with ten digits behind the point. It is not ok if one is no number.
func times(literals []string, factor *big.Rat) (out []string, ok bool) {
	for _, l := range literals {
		n, ok := new(big.Rat).SetString(l)
		if !ok {
			return nil, false
		}
		text := n.Mul(n, factor).FloatString(10)
		out = append(out, strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
	}
	return out, true
}

var (
	// shareNames finds comments that show a share as it is written, or name it: "0.10 is ten percent".
	shareNames = regexp.MustCompile(`(?i)\b0[.,]\d|\b0\s*(?:\.\.\.?|-|–|to|and)\s*1\b|\bfraction\b`)
	// percentNames finds comments and names that say percent.
	percentNames = regexp.MustCompile(`(?i)%|percent|\bpct\b`)
	// numericType finds the precision and the scale of a type of numbers.
	numericType = regexp.MustCompile(`^numeric\((\d+),(\d+)\)$`)
)

// holdsShares reports whether a column of numbers holds 0.1 for ten percent, and whether anything
// tells that: its unit, its comment, its values, its type, its name.
func (x *lexicon) holdsShares(c *catalog.Column) (share, known bool) {
	largest, measured := largestValue(c)
	whole := strings.HasSuffix(c.Type, "int") || c.Type == "integer"
	digits := numericType.FindStringSubmatch(c.Type)
	switch {
	case percentNames.MatchString(c.Unit) || whole:
		return false, true
	case shareNames.MatchString(c.Comment):
		return true, true
	case measured:
		return largest <= 1, true
	case percentNames.MatchString(c.Comment) || percentNames.MatchString(strings.Join(splitName(c.Name), " ")):
		return false, true
	case digits != nil:
		precision, _ := strconv.Atoi(digits[1])
		scale, _ := strconv.Atoi(digits[2])
		return precision-scale <= 1, scale > 0 // numeric(5,4) cannot hold ten
	}
	return false, false
}

// largestValue returns the largest of the values of a column that are known, without its sign.
func largestValue(c *catalog.Column) (largest float64, ok bool) {
	if c.Profile == nil {
		return 0, false
	}
	for _, text := range slices.Concat(c.Profile.Common, []string{c.Profile.Min, c.Profile.Max}) {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			largest = max(largest, v, -v)
		}
	}
	return largest, largest > 0
}
