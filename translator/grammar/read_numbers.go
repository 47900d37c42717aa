// Reading numbers in digits and words, and units of measure.

package grammar

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Number reads a number in digits or English words, such as "twelve", "5
// million" or "$50", and returns its digits.
func Number(words string) (digits string, ok bool) {
	p := &parser{language: loadEnglish(), tokens: scan(words)}
	digits, end := p.number(0)
	return digits, end > 0 && end == len(p.tokens)
}

// number reads a number in digits or words: 5, "two", "5 million", "a dozen".
func (p *parser) number(i int) (string, int) {
	t := p.at(i)
	var v float64
	text := ""
	switch {
	case i >= len(p.tokens):
		return "", i
	case t.isNegative():
		return "", i
	case t.kind == numberToken:
		text = t.text
		v, _ = strconv.ParseFloat(t.text, 64)
	case isCurrencySign(t):
		n, e := p.number(i + 1)
		if e == i+1 {
			return "", i
		}
		return n, e
	case (t.lower == "a" || t.lower == "an") && i+1 < len(p.tokens) && p.language.numbers[p.tokens[i+1].lower] >= 12:
		i++
		v = 1 * p.language.numbers[p.tokens[i].lower]
		text = formatNumber(v)
	default:
		n, ok := p.language.numbers[t.lower]
		if t.lower == "one" && i > 0 && (p.tokens[i-1].lower == "the" || p.tokens[i-1].lower == "that" || p.tokens[i-1].lower == "each") {
			return "", i
		}
		if !ok || t.kind != wordToken || t.lower == "k" {
			return "", i
		}
		v, text = n, formatNumber(n)
	}
	i++
	for i < len(p.tokens) && p.tokens[i].kind == wordToken {
		n, ok := p.language.numbers[p.tokens[i].lower]
		if !ok || n < 100 && n != 12 || p.tokens[i].lower == "k" && p.tokens[i].start != p.tokens[i-1].end || math.IsInf(v*n, 0) {
			break
		}
		v *= n
		text = formatNumber(v)
		i++
	}
	return text, i
}

// isNegative reports whether a token is a number below zero. It may be compared with, but nothing is so many.
func (t token) isNegative() bool { return t.kind == numberToken && strings.HasPrefix(t.text, "-") }

// isCurrencySign reports whether a token is a sign that may stand before a sum of money.
func isCurrencySign(t token) bool { return t.lower == "$" || t.lower == "€" || t.lower == "£" }

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// unit skips a unit of measure after a number.
func (p *parser) unit(i int) []int {
	out := []int{}
	if i < len(p.tokens) {
		for _, words := range p.language.units[p.tokens[i].lower] {
			if p.follows(i, words) {
				out = append(out, i+len(words))
			}
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(out)))
	return append(out, i)
}

// ordinals are the words for the first numbers as places in an order.
var ordinals = []string{
	"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
	"eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
}

// numbered reads "on floor 2", "on the second floor": a column of numbers of the things themselves, and its value.
func (p *parser) numbered(i int) (out []modifierCandidate) {
	for _, e := range p.ends(i, "in") {
		for _, d := range p.maybe(e, "article") {
			add := func(a *attribute, end int, value operand) {
				if number := onlyNumeric(a); number != nil && number.candidates[0].score >= namedScore {
					m := comparisonModifier(number, comparison{op: "=", value: value})
					m.ofThingItself = true
					out = append(out, modifierCandidate{m, end, 0.1 + 3*(1-number.candidates[0].score)/2})
				}
			}
			for end, a := range inOrder(p.mentions.attributes[d]) {
				for u, n := range p.amounts(end) {
					add(a, u, n)
				}
			}
			if k := slices.Index(ordinals, p.at(d).lower); k >= 0 && d > e {
				for end, a := range inOrder(p.mentions.attributes[min(d+1, len(p.tokens))]) {
					add(a, end, numberOperand(strconv.Itoa(k+1)))
				}
			}
		}
	}
	return out
}
