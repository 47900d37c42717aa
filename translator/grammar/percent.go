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
// hundredth, where the column holds shares of one. It is not ok where nothing tells what it holds.
func (x *lexicon) asHeld(c *catalog.Column, v operand) (literals []string, ok bool) {
	if !v.percent || c == nil {
		return v.literals, true
	}
	share, known := x.holdsShares(c)
	if !share || !known {
		return v.literals, known
	}
	for _, l := range v.literals {
		n, ok := new(big.Rat).SetString(l)
		if !ok {
			return nil, false
		}
		text := n.Quo(n, big.NewRat(100, 1)).FloatString(10)
		literals = append(literals, strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
	}
	return literals, true
}

var (
	// inShares finds comments that show a share as it is written, or name it: "0.10 is ten percent".
	inShares = regexp.MustCompile(`(?i)\b0[.,]\d|\b0\s*(?:\.\.\.?|-|–|to|and)\s*1\b|\bfraction\b`)
	// inPercent finds comments and names that say percent.
	inPercent = regexp.MustCompile(`(?i)%|percent|\bpct\b`)
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
	case inPercent.MatchString(c.Unit) || whole:
		return false, true
	case inShares.MatchString(c.Comment):
		return true, true
	case measured:
		return largest <= 1, true
	case inPercent.MatchString(c.Comment) || inPercent.MatchString(strings.Join(splitName(c.Name), " ")):
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
