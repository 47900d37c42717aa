package param

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

var questionWord = regexp.MustCompile(`[\pL\pN\pM%$€£+\-][\pL\pN\pM'’.,:/%_\-]*`)

// found is a piece of a text that can be marked.
type found struct {
	start, end int
	name       string
}

// suggestion is the marks that a question and SQL could have.
type suggestion struct {
	question     string
	spans        [][2]int          // of words of the question
	names        map[string][2]int // of the words in the question
	text, coding []found           // in the question, and in the SQL
}

// Suggest marks the constants of SQL whose words are in the question, just once,
// and these words. Both texts are without marks before. It returns them escaped,
// and without marks, if there is nothing to mark.
func Suggest(question, sql string) (markedQuestion, markedSQL string) {
	tree, err := ask.Parse(sql)
	if err != nil {
		return Escape(question), Escape(sql)
	}
	scan, err := ask.Scan(sql)
	if err != nil {
		return Escape(question), Escape(sql)
	}
	places := constants(tree)
	s := &suggestion{question: question, spans: wordSpans(question), names: map[string][2]int{}}
	for _, k := range scan.Tokens {
		start, end := int(k.Start), int(k.End)
		p := places[start]
		if p == nil || len(s.names) == maxParameters {
			continue
		}
		if number, u, ok := strings.Cut(p.value, " "); ok && p.typ == typeInterval && k.Token == pg_query.Token_SCONST {
			if at := strings.Index(sql[start:end], p.value); at > 0 {
				s.interval(start+at, number, u)
			}
			continue
		}
		s.constant(start, end, p)
	}
	return write(question, s.text, strings.NewReplacer(`\`, `\\`, `}`, `\}`, `|`, `\|`, `=`, `\=`)), write(sql, s.coding, strings.NewReplacer(`}`, `\}`))
}

// interval marks the number and the unit of an interval that begins at start.
func (s *suggestion) interval(start int, number, u string) {
	s.mark(start, start+len(number), "n", func(w string) bool {
		v, ok := convert(typeInteger, &Reader{}, w)
		return ok && v == number
	})
	start += len(number) + 1
	s.mark(start, start+len(u), "period", func(w string) bool {
		a, aok := unit(w)
		b, bok := unit(u)
		return aok && bok && a == b
	})
}

// constant marks any other constant.
func (s *suggestion) constant(start, end int, p *placed) {
	typ := p.typ
	if typ == "" && isoDay.MatchString(p.value) {
		typ = typeDate
	}
	base := map[Type]string{typeUnit: "period", typeInteger: "n", typeNumeric: "n", typeDate: "day", typeTimestamp: "time"}[typ]
	if typ != typeUnit && p.column != "" && plainName.MatchString(p.column) {
		base = strings.ToLower(p.column)
	}
	s.mark(start, end, cmp.Or(base, "word"), func(w string) bool {
		if typ == "" || typ == typeText {
			return fold(unquote(w)) == fold(p.value)
		}
		v, ok := convert(typ, &Reader{}, w)
		return ok && v == p.value
	})
}

// mark marks a piece of the SQL, if just one run of words is read as it.
func (s *suggestion) mark(start, end int, base string, reads func(words string) bool) {
	at, n := [2]int{}, 0
	for _, span := range s.spans {
		if reads(s.question[span[0]:span[1]]) && (n == 0 || span[0] >= at[1]) {
			at = span
			n++
		}
	}
	if n != 1 {
		return
	}
	if name, ok := s.name(at, base); ok {
		s.coding = append(s.coding, found{start, end, name})
	}
}

// name returns the name of words, which it marks if they have none yet. ok is false if they
// overlap others that have one.
func (s *suggestion) name(at [2]int, base string) (name string, ok bool) {
	for have, words := range s.names {
		if words == at {
			name = have
		} else if words[0] < at[1] && at[0] < words[1] {
			return "", false
		}
	}
	if name != "" {
		return name, true
	}
	name = base
	for i := 2; s.names[name] != [2]int{}; i++ {
		name = fmt.Sprint(base, i)
	}
	s.names[name] = at
	s.text = append(s.text, found{at[0], at[1], name})
	return name, true
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,30}$`)

// wordSpans returns the runs of up to five words of a question, longer ones
// first.
func wordSpans(question string) [][2]int {
	words := questionWord.FindAllStringIndex(question, 400)
	for i, w := range words {
		for w[1] > w[0]+1 && strings.ContainsRune(".,:'’", rune(question[w[1]-1])) {
			words[i][1]--
		}
	}
	var spans [][2]int
	for n := 5; n > 0; n-- {
		for i := 0; i+n <= len(words); i++ {
			spans = append(spans, [2]int{words[i][0], words[i+n-1][1]})
		}
	}
	return spans
}

// write puts marks around pieces of a text.
func write(text string, marks []found, escape *strings.Replacer) string {
	slices.SortStableFunc(marks, func(a, b found) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, m := range marks {
		b.WriteString(Escape(text[at:m.start]))
		b.WriteString("{" + m.name + ":" + escape.Replace(text[m.start:m.end]) + "}")
		at = m.end
	}
	return b.String() + Escape(text[at:])
}
