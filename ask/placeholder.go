package ask

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxPlaceholders bounds the parameters of a question. It is the most that Bind can have.
const maxPlaceholders = 1<<16 - 1

// numbered is a $ with a number, and what shows that it is an amount of money: $1.50, $1,000, $2k.
var numbered = regexp.MustCompile(`\$([1-9][0-9]*)([.,]?[0-9A-Za-z_]+)?`)

// cast is one as programs write it behind a parameter, $1::date. The value says what it is. placeholderList are the parameters of ($1, $2).
var (
	cast            = regexp.MustCompile(`^` + casts)
	placeholderList = regexp.MustCompile(`(^|[\s,=<>])\((` + withCasts + `(?:, ?` + withCasts + `)*)\)`)
)

const (
	withCasts = `\$[1-9][0-9]*` + casts
	casts     = `(?:::"?\w+(?: precision| varying| with(?:out)? time zone)?"?(?:\[\])?)*`
)

// currencies are what people write before the $ of another country's money.
var currencies = []string{"US", "CA", "AU", "NZ", "HK", "NT"}

// placeholder is a $n in the text of a question that stands for a value.
type placeholder struct {
	start, end, number int
}

// placeholders returns the $n of a text that may stand for values.
func placeholders(text string) (list []placeholder) {
	if !strings.Contains(text, "$") {
		return nil
	}
	for _, m := range numbered.FindAllStringSubmatchIndex(text, -1) {
		if n, err := strconv.Atoi(text[m[2]:m[3]]); err == nil && n <= maxPlaceholders && m[4] < 0 {
			list = append(list, placeholder{start: m[0], end: m[1], number: n})
		}
	}
	return list
}

// placeholders finds out what the $n of the question and its hint mean. Drivers number the ? of a text, also
// that at the end of a question: one that is glued to the last word is the question mark
// again. Of the others $1, $2 … up to the first gap are parameters, as drivers leave no gap. What comes behind it is
// an amount of money: $100. used are those that stand in the statement around the question.
func (f *Form) placeholders(used []int) {
	texts := [...]*string{&f.Text, &f.Hint}
	uses := map[int]int{}
	for _, n := range used {
		uses[n]++
	}
	for _, text := range texts {
		for _, p := range placeholders(*text) {
			uses[p.number]++
		}
	}
	last := 0
	for uses[last+1] > 0 {
		last++
	}
	if last == 0 {
		return
	}
	marks := map[int]bool{} // numbers of question marks
	for _, text := range texts {
		list := placeholders(*text)
		if len(list) == 0 {
			continue
		}
		p := list[len(list)-1]
		before := (*text)[:p.start]
		if p.end != len(*text) || before == "" || strings.ContainsAny(before[len(before)-1:], " \t\r\n") || p.number > last || uses[p.number] > 1 {
			continue
		}
		if i := slices.IndexFunc(currencies, func(c string) bool { return strings.HasSuffix(before, c) }); i >= 0 && !endsWord(before[:len(before)-2]) {
			f.Err = Errorf(CodeSyntax, "%s%s at the end of the question may be money or a question mark that a driver has numbered", currencies[i], (*text)[p.start:]).
				WithHint("Write the amount with its currency, as in 1 USD, or leave the question mark out.")
			return
		}
		marks[p.number] = true
		*text = strings.TrimRight(before, ";") + "?"
	}
	f.Parameters = 0
	for _, text := range texts {
		for _, p := range placeholders(*text) {
			if p.number <= last {
				f.Parameters = max(f.Parameters, p.number)
			}
		}
	}
	for n := range marks {
		if n < f.Parameters || slices.ContainsFunc(used, func(u int) bool { return n < u }) {
			f.Err = Errorf(CodeSyntax, "$%d ends a sentence, and there are parameters behind it", n).
				WithHint("Leave the question mark out, or put a blank before a parameter.")
			return
		}
	}
}

func endsWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && (r == utf8.RuneError || r >= utf8.RuneSelf || isWordByte(byte(r)))
}

// Bound returns the form with a question that a client has bound to ask($1). What it holds is the question,
// whatever it looks like.
func (f Form) Bound(text string) Form {
	lines, hints := splitHints(text)
	f.Text = strings.TrimSpace(strings.Join(lines, "\n"))
	f.Hint = strings.TrimSpace(strings.Join(append(hints, f.Hint), "\n"))
	return f
}

// Filled returns the form with a value in the place of each of its parameters. Each
// must be what QuoteValue returns: it stands in the question as data.
func (f Form) Filled(values []string) Form {
	if f.Parameters == 0 {
		return f
	}
	f.Text = fill(placeholderList.ReplaceAllString(f.Text, "$1$2"), func(n int, _ string) string { return values[n-1] }, len(values))
	f.Hint = fill(f.Hint, func(n int, cast string) string {
		if aDay.MatchString(values[n-1]) { // a definition is SQL, where a day is a constant
			return "'" + values[n-1] + "'" + cast
		}
		return values[n-1] + cast
	}, len(values))
	f.Parameters = 0
	return f
}

// fill writes what value returns in the place of each of a text's parameters up to a number, and of the cast behind it.
// In a constant, as in '$1', a value has no quotation marks of its own: they would end it.
func fill(text string, value func(number int, cast string) string, last int) string {
	outside := map[int]bool{}
	apostrophe := eachOutside(text, func(i int) { outside[i] = true })
	var b strings.Builder
	at := 0
	for _, p := range placeholders(text) {
		if p.number <= last {
			c := cast.FindString(text[p.end:])
			v := value(p.number, c)
			if !outside[p.start] && !apostrophe {
				v = strings.TrimSuffix(strings.TrimPrefix(v, "'"), "'")
			}
			b.WriteString(text[at:p.start] + v)
			at = p.end + len(c)
		}
	}
	return b.String() + text[at:]
}

// ErrUnbound says that a question has parameters and that nothing gives them values.
func ErrUnbound() *Error {
	return Errorf(CodeUndefinedParameter, "there is no value for parameter $1 of the question").
		WithDetail("$1, $2 … in a question are parameters, as in a statement; a $ before any other number is money.").
		WithHint("Bind a value, or write it into the question: 1 dollar, $1.00.")
}
