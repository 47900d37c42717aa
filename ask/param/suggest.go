package param

import (
	"fmt"
	"regexp"
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

// Suggest marks the constants of SQL whose words are in the question, just once,
// and these words. Both texts are without marks before. It returns them escaped,
// and without marks, if there is nothing to mark.
func Suggest(question, sql string) (markedQuestion, markedSQL string) {
	none := func() (string, string) { return Escape(question), Escape(sql) }
	tree, err := ask.Parse(sql)
	if err != nil {
		return none()
	}
	scan, err := ask.Scan(sql)
	if err != nil {
		return none()
	}
	places := constants(tree)
	spans := wordSpans(question)
	names := map[string][2]int{} // of the words in the question
	var inText, inCode []found
	mark := func(start, end int, base string, reads func(words string) bool) {
		at, n := [2]int{}, 0
		for _, s := range spans {
			if reads(question[s[0]:s[1]]) && (n == 0 || s[0] >= at[1]) {
				at = s
				n++
			}
		}
		if n != 1 {
			return
		}
		name := ""
		for have, words := range names {
			if words == at {
				name = have
			} else if words[0] < at[1] && at[0] < words[1] {
				return
			}
		}
		if name == "" {
			name = base
			for i := 2; ; i++ {
				if _, taken := names[name]; !taken {
					break
				}
				name = fmt.Sprint(base, i)
			}
			names[name] = at
			inText = append(inText, found{at[0], at[1], name})
		}
		inCode = append(inCode, found{start, end, name})
	}
	for _, k := range scan.Tokens {
		start, end := int(k.Start), int(k.End)
		p := places[start]
		if p == nil || len(names) == maxParameters {
			continue
		}
		typ := p.typ
		if typ == "" && isoDay.MatchString(p.value) {
			typ = Date
		}
		if number, u, ok := strings.Cut(p.value, " "); ok && typ == Interval && k.Token == pg_query.Token_SCONST {
			inner := start + strings.Index(sql[start:end], p.value)
			if inner > start {
				mark(inner, inner+len(number), "n", func(w string) bool { v, ok := convert(Integer, &Reader{}, w); return ok && v == number })
				mark(inner+len(number)+1, inner+len(p.value), "period", func(w string) bool {
					a, aok := unit(w)
					b, bok := unit(u)
					return aok && bok && a == b
				})
			}
			continue
		}
		base := map[Type]string{Unit: "period", Integer: "n", Numeric: "n", Date: "day", Timestamp: "time"}[typ]
		switch {
		case typ != Unit && p.column != "" && plainName.MatchString(p.column):
			base = strings.ToLower(p.column)
		case base == "":
			base = "word"
		}
		mark(start, end, base, func(w string) bool {
			if typ == "" || typ == Text {
				return fold(unquote(w)) == fold(p.value)
			}
			v, ok := convert(typ, &Reader{}, w)
			return ok && v == p.value
		})
	}
	return write(question, inText, strings.NewReplacer(`\`, `\\`, `}`, `\}`, `|`, `\|`, `=`, `\=`)), write(sql, inCode, strings.NewReplacer(`}`, `\}`))
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
	for i := range marks {
		for j := i; j > 0 && marks[j].start < marks[j-1].start; j-- {
			marks[j], marks[j-1] = marks[j-1], marks[j]
		}
	}
	var b strings.Builder
	at := 0
	for _, m := range marks {
		b.WriteString(Escape(text[at:m.start]))
		b.WriteString("{" + m.name + ":" + escape.Replace(text[m.start:m.end]) + "}")
		at = m.end
	}
	return b.String() + Escape(text[at:])
}
