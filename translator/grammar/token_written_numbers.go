// Numbers with the marks of other languages: "1.000 EUR" is a thousand, "1.000,50" a thousand and a half.

package grammar

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// moneySign is a currency before or behind a number.
const moneySign = `(?:€|\$|£|euros?\b|eur\b|usd\b|gbp\b|chf\b|dollars?\b|pounds?\b|francs?\b)`

var (
	moneyBefore = regexp.MustCompile(`(?i)(?:^|[^\pL])` + moneySign + `\s*$`)
	moneyBehind = regexp.MustCompile(`(?i)^\s*` + moneySign)
	// points are groups of thousands behind points, with decimals behind a comma.
	points = regexp.MustCompile(`^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$`)
	// commaDecimals is an amount whose decimals are behind a comma.
	commaDecimals = regexp.MustCompile(`^\d+,\d{1,2}$`)
)

// longestNumber is how many bytes a number with its marks takes at most, or one more group.
const longestNumber = 40

// longestSign is how many bytes a currency and the space behind it take at most, with the letter before it.
const longestSign = 16

// writtenNumber returns the digits of the number that is written at text[i:j], with a point before its decimals. A comma before one or
// two digits is read only of money, where it parts no list.
func writtenNumber(text string, i, j int) (digits string, end int) {
	end = j
	for end+1 < len(text) && end-i < longestNumber && text[end] == ',' && text[end+1] >= '0' && text[end+1] <= '9' {
		for end++; end < len(text) && text[end] >= '0' && text[end] <= '9'; end++ {
		}
	}
	switch said := text[i:end]; {
	case points.MatchString(said) && (ofMoney(text, i, end) || strings.Count(said, ".") > 1 || strings.Contains(said, ",")),
		commaDecimals.MatchString(said) && ofMoney(text, i, end):
		return strings.Replace(strings.ReplaceAll(said, ".", ""), ",", ".", 1), end
	}
	return strings.ReplaceAll(text[i:j], ",", ""), j
}

// ofMoney reports whether a currency stands before or behind text[i:j].
func ofMoney(text string, i, j int) bool {
	return moneyBefore.MatchString(text[max(0, i-longestSign):i]) || moneyBehind.MatchString(text[j:min(len(text), j+longestSign)])
}

// refuseUnclearPoint refuses a number such as 1.000 that is compared with a column of which it may be another one than it was read as: three
// decimals of a column that has at most two, or a thousand of one that has three.
func (p *parser) refuseUnclearPoint(n *phrase) string {
	for _, t := range p.tokens {
		said := p.question[min(t.start, len(p.question)):min(t.end, len(p.question))]
		if t.kind != numberToken || !points.MatchString(said) || strings.Count(said, ".") > 1 || strings.Contains(said, ",") {
			continue
		}
		thousand := strings.ReplaceAll(said, ".", "")
		for _, c := range conditionsIn(n.set) {
			if c.count != nil && c.count.count == t.text && t.text == said {
				return fmt.Sprintf("%s may be %s: write it without the point.", said, thousand)
			}
			if c.kind == compare && c.says(t.text) && (decimals(c.column) > 2) == (t.text == thousand) && decimals(c.column) >= 0 {
				return fmt.Sprintf("%s may be %s or %s: write it without the point.", said, thousand, said)
			}
		}
	}
	return ""
}

// says reports whether a condition compares with a number.
func (c condition) says(number string) bool {
	return slices.Contains(c.value.literals, number)
}

// decimals returns how many decimals the numbers of a column have, -1 if it does not say.
func decimals(c *catalog.Column) int {
	if c == nil || c.Class != catalog.Number {
		return -1
	}
	switch c.Type {
	case "integer", "bigint", "smallint":
		return 0
	}
	_, scale, ok := strings.Cut(strings.TrimSuffix(c.Type, ")"), ",")
	if n, err := strconv.Atoi(scale); ok && err == nil && strings.HasPrefix(c.Type, "numeric(") {
		return n
	}
	return -1
}
