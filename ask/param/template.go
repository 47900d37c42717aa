package param

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"askpg/ask"
)

// Parameter is what varies in a question.
type Parameter struct {
	Name    string   `json:"name"`
	Type    Type     `json:"type"`
	Sample  string   `json:"sample"`            // the words that were marked
	Choices []Choice `json:"choices,omitempty"` // all that may stand there
	Column  string   `json:"column,omitempty"`  // table.column whose values may stand there
	Free    bool     `json:"free,omitempty"`    // any text
}

// typeRules say what a value of a type is, where its name does not.
var typeRules = map[Type]string{
	typeText: "any word, or any text in quotation marks", typeUnit: "a unit of time", typeInteger: "a whole number",
	typeNumeric: "a number", typeInterval: "a span of time", typeBoolean: "yes or no",
}

// Rule says in words what may stand in the parameter's place.
func (p *Parameter) Rule() string {
	switch {
	case p.Column != "":
		return "a value of " + p.Column
	case len(p.Choices) > 0:
		var words []string
		for _, c := range p.Choices[:min(len(p.Choices), 12)] {
			if c.Words == c.Value {
				words = append(words, c.Words)
			} else {
				words = append(words, c.Words+" ("+c.Value+")")
			}
		}
		if n := len(p.Choices) - len(words); n > 0 {
			words = append(words, fmt.Sprintf("and %d more", n))
		}
		return "one of " + strings.Join(words, ", ")
	}
	return cmp.Or(typeRules[p.Type], "a "+string(p.Type))
}

// Template is a question and SQL with parameters. It is immutable and safe for
// concurrent use.
type Template struct {
	Question   string // with the sample words, without marks
	SQL        string // with the sample values
	Parameters []Parameter

	markedQuestion, markedSQL string

	pieces    []string   // of the normalised question between the parameters
	slots     []int      // parameters between the pieces
	constants []constant // in the order of the text, as marks are
	masked    string     // the SQL's tree without these constants
}

// Bounds of a template.
const (
	maxParameters = 12
	maxMarked     = 64 << 10 // bytes of either text
)

// Marked returns question and SQL with their marks.
func (t *Template) Marked() (question, sql string) { return t.markedQuestion, t.markedSQL }

// Compile reads a marked question and its marked SQL. The error says which mark
// is wrong and how it would be right.
func Compile(question, sql string) (*Template, error) {
	if len(question) > maxMarked || len(sql) > maxMarked {
		return nil, fmt.Errorf("a question or SQL with parameters is longer than %d bytes", maxMarked)
	}
	t := &Template{markedQuestion: question, markedSQL: sql}
	var inText, inCode []mark
	var err error
	if t.Question, inText, err = readMarks(question, inQuestion); err != nil {
		return nil, fmt.Errorf("question: %w", err)
	}
	if t.SQL, inCode, err = readMarks(sql, inSQL); err != nil {
		return nil, fmt.Errorf("SQL: %w", err)
	}
	if err := t.declare(inText); err != nil {
		return nil, err
	}
	for _, m := range inCode {
		if t.index(m.name) < 0 {
			return nil, fmt.Errorf("the SQL has a mark {%s:…} and the question has none of that name; mark the words there that it stands for", m.name)
		}
	}
	for _, p := range t.Parameters {
		if !slices.ContainsFunc(inCode, func(m mark) bool { return m.name == p.Name }) {
			return nil, fmt.Errorf("the question has a mark {%s:…} and the SQL has none of that name; mark the constant there that it stands for, as in %s", p.Name, example(p.Name))
		}
	}
	if err := t.cut(inText); err != nil {
		return nil, err
	}
	if err := t.readSQL(inCode); err != nil {
		return nil, err
	}
	return t, t.proveSamples()
}

func example(name string) string {
	return "{" + name + ":'Spain'} or interval '1 {" + name + ":month}'"
}

// declare makes the parameters of the question's marks.
func (t *Template) declare(marks []mark) error {
	if len(marks) == 0 {
		return errors.New("the question has no mark; mark the words that vary, as in {country:Spain}")
	}
	for _, m := range marks {
		r, err := readRule(m.body)
		if err != nil {
			return fmt.Errorf("question: {%s:…}: %w", m.name, err)
		}
		if i := t.index(m.name); i >= 0 {
			p := &t.Parameters[i]
			if fold(p.Sample) != fold(r.words) || len(r.choices) > 0 || r.column != "" || r.free {
				return fmt.Errorf("the question has two marks {%s:…}; they must hold the same words, and only the first may say what else can stand there", m.name)
			}
			continue
		}
		if r.column != "" && !strings.Contains(r.column, ".") {
			return fmt.Errorf("question: {%s:…|in %s}: name the table as well, as in customers.country", m.name, r.column)
		}
		t.Parameters = append(t.Parameters, Parameter{Name: m.name, Sample: r.words, Choices: r.choices, Column: r.column, Free: r.free})
	}
	if len(t.Parameters) > maxParameters {
		return fmt.Errorf("the question has %d parameters; at most %d can be told apart", len(t.Parameters), maxParameters)
	}
	return nil
}

func (t *Template) index(name string) int {
	return slices.IndexFunc(t.Parameters, func(p Parameter) bool { return p.Name == name })
}

// cut makes the pieces of the normalised question between the parameters.
func (t *Template) cut(marks []mark) error {
	// The question with its blanks collapsed, and where the marks are in it.
	var kept []rune
	blank := false
	put := func(s string) {
		for _, r := range norm.NFC.String(s) {
			if unicode.IsSpace(r) {
				blank = len(kept) > 0
				continue
			}
			if blank {
				kept, blank = append(kept, ' '), false
			}
			kept = append(kept, r)
		}
	}
	type place struct{ start, end int }
	var places []place
	at := 0
	for _, m := range marks {
		put(t.Question[at:m.start])
		if blank {
			kept, blank = append(kept, ' '), false
		}
		begin := len(kept)
		put(t.Question[m.start:m.end])
		places = append(places, place{begin, len(kept)})
		at = m.end
	}
	put(t.Question[at:])
	same, folded := ask.Fold(string(kept))
	if len(folded) != len(same) || len(same) > len(kept) || !slices.Equal(same, kept[:len(same)]) {
		return errors.New("the question's letters and accents cannot be told apart; write them as whole letters")
	}
	before, letters := 0, 0
	for i, p := range places {
		p.end = min(p.end, len(folded)) // closing punctuation is no part of the words
		if p.start >= p.end {
			return fmt.Errorf("the mark {%s:…} holds no words", marks[i].name)
		}
		piece := string(folded[before:p.start])
		if i > 0 && piece == "" {
			return fmt.Errorf("there is nothing between the marks {%s:…} and {%s:…}, so that their words cannot be told apart", marks[i-1].name, marks[i].name)
		}
		t.pieces, t.slots = append(t.pieces, piece), append(t.slots, t.index(marks[i].name))
		before = p.end
	}
	t.pieces = append(t.pieces, string(folded[before:]))
	for _, p := range t.pieces {
		letters += len(strings.Fields(p))
	}
	if letters == 0 {
		return errors.New("every word of the question is marked; some must stay, by which it is recognised")
	}
	return nil
}

// Key is the same for templates that match the same questions but for what
// may stand in their parameters.
func (t *Template) Key() string { return strings.Join(t.pieces, "\x00") }

// Specific orders templates: fewer parameters, then more of the question that
// stands. It is negative if t is more specific than u.
func (t *Template) Specific(u *Template) int {
	if d := len(t.slots) - len(u.slots); d != 0 {
		return d
	}
	return utf8.RuneCountInString(u.Key()) - utf8.RuneCountInString(t.Key())
}

// Open returns the text parameters of which nothing says what may stand there.
func (t *Template) Open() []string {
	var names []string
	for _, p := range t.Parameters {
		if p.Type == typeText && len(p.Choices) == 0 && p.Column == "" && !p.Free {
			names = append(names, p.Name)
		}
	}
	return names
}

// Compared returns the constants of parameter name that the SQL compares with
// something by = or IN, as they stand there.
func (t *Template) Compared(name string) []string {
	var values []string
	for _, c := range t.constants {
		if p, whole := c.whole(); whole && t.Parameters[p].Name == name && c.equal {
			values = append(values, c.value)
		}
	}
	return values
}

// WithColumn returns t where parameter name must be a value of a column.
func (t *Template) WithColumn(name, column string) (*Template, error) {
	done := false
	question := t.markedQuestion
	for at := 0; !done; {
		m := opening.FindStringSubmatchIndex(question[at:])
		if m == nil {
			return nil, fmt.Errorf("the question has no parameter %s", name)
		}
		body := at + m[1]
		if (m[3]-m[2])%2 == 0 && strings.EqualFold(question[at+m[4]:at+m[5]], name) {
			end := body + unescaped(question[body:], "}")
			question, done = question[:end]+"|in "+column+question[end:], true
		}
		at = body
	}
	return Compile(question, t.markedSQL)
}

// proveSamples checks that the words in the question read as the constants
// that they stand for.
func (t *Template) proveSamples() error {
	values := map[string]string{}
	for i := range t.Parameters {
		p := &t.Parameters[i]
		for j := range p.Choices {
			v, ok := convert(p.Type, &Reader{}, p.Choices[j].Value)
			if !ok {
				return fmt.Errorf("{%s:…}: the choice %q is not %s, which its constant in the SQL is", p.Name, p.Choices[j].Value, p.kind())
			}
			if p.Type != typeText {
				p.Choices[j].Value = v
			}
		}
		value, ok, err := p.read(context.Background(), &Reader{Number: samples(p.Sample, t.constants, i)}, p.Sample)
		switch {
		case err != nil:
			return err
		case p.Column != "":
			value = t.sampleOf(i)
			if fold(value) != fold(unquote(p.Sample)) {
				return fmt.Errorf("{%s:…} is %q in the question and %q in the SQL; with a column they must be the same but for case", p.Name, p.Sample, value)
			}
		case !ok:
			return fmt.Errorf("{%s:%s} of the question cannot be read as %s, which its constant in the SQL is", p.Name, p.Sample, p.kind())
		}
		values[p.Name] = value
	}
	filled, err := t.constantValues(values)
	if err != nil {
		return err
	}
	for i, c := range filled {
		if !equivalent(t.constants[i], c) {
			p := t.Parameters[t.constants[i].first()]
			return fmt.Errorf("{%s:…}: %q in the question reads as %s, and the SQL has %s there; list the words and what they stand for, as in {%s:%s=%s}",
				p.Name, p.Sample, ask.QuoteLiteral(c), ask.QuoteLiteral(t.constants[i].value), p.Name, p.Sample, t.constants[i].value)
		}
	}
	return nil
}

func (p *Parameter) kind() string {
	if strings.HasPrefix(string(p.Type), "i") {
		return "an " + string(p.Type)
	}
	return "a " + string(p.Type)
}

// sampleOf returns the SQL's own value of a parameter with a column.
func (t *Template) sampleOf(parameter int) string {
	for _, c := range t.constants {
		for _, s := range c.segments {
			if s.parameter == parameter {
				return s.text
			}
		}
	}
	return ""
}

// samples reads the number words of a sample as the number that the SQL has
// there: which words are numbers is known to the Reader of the asker only.
func samples(words string, constants []constant, parameter int) func(string) (string, bool) {
	return func(asked string) (string, bool) {
		if strings.ContainsAny(asked, "0123456789") || !strings.HasPrefix(fold(words), fold(asked)) {
			return "", false
		}
		for _, c := range constants {
			for _, s := range c.segments {
				if n := anyNumber.FindString(s.text); s.parameter == parameter && n != "" {
					return n, true
				}
			}
		}
		return "", false
	}
}

var anyNumber = regexp.MustCompile(`-?\d+(\.\d+)?`)
