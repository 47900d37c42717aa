package prompt

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"askpg/catalog"
	"askpg/translator/token"
)

// detail is how much a rendering says of a relation.
type detail int

const (
	brief detail = iota // names, types and keys
	full                // comments, values and bounds too
)

// renderer writes one style. What it writes of a relation has to pass what makes texts safe, ident, line, remark and
// literal, and shows no columns but those of Input.columns.
type renderer interface {
	// head is what stands before the relations.
	head() string
	// relation writes one relation, to the end of its last line.
	relation(r *catalog.Relation, d detail) string
	// keys writes the foreign keys between the shown relations, for styles
	// that list them apart; others return an empty text. With nil it returns what
	// stands there without any key.
	keys(keys []*catalog.ForeignKey) string
	// aside marks a line that stands beside the schema.
	aside() string
}

type schemaText struct {
	text  string
	shown []*catalog.Relation
	left  int
}

// renderSchema writes the schema within budget tokens (0: no limit): the
// whole of it if it fits, else in brief, else the relations that matter most for the
// question, so that the window is used (Maamari et al. 2024, section 4.4).
func renderSchema(in *Input, budget int) schemaText {
	in.hidePrivate()
	n := newNames(in)
	w := in.renderer(n)
	relations := in.Tables
	if relations == nil {
		relations = in.Snapshot.Relations
	}
	if in.naming != "" && budget > 0 {
		budget = max(1, budget-token.Count(in.naming))
	}
	chosen, left := relations, 0
	texts := map[*catalog.Relation]string{}
	fits := func(d detail) bool {
		used := token.Count(w.head())
		for _, r := range relations {
			texts[r] = w.relation(r, d)
			if used += token.Count(texts[r]); budget > 0 && used > budget {
				return false
			}
		}
		return budget == 0 || used+token.Count(w.keys(in.keysOf(relations)))+token.Count(in.siblings(w, n, relations)) <= budget
	}
	if !fits(full) && !fits(brief) {
		chosen = in.fill(w, relations, budget, texts)
		left = len(relations) - len(chosen)
	}
	var b strings.Builder
	b.WriteString(w.head())
	for _, r := range in.ordered(chosen) {
		b.WriteString(texts[r])
	}
	b.WriteString(w.keys(in.keysOf(chosen)))
	b.WriteString(in.siblings(w, n, chosen))
	b.WriteString(in.naming)
	return schemaText{text: strings.TrimRight(b.String(), "\n"), shown: chosen, left: left}
}

func (in *Input) renderer(n *names) renderer {
	switch in.Style {
	case Profile:
		return &profileStyle{in: in, names: n}
	case Reference:
		return &referenceStyle{in: in, names: n}
	default:
		return newDDL(in, n)
	}
}

// keyLists heads and writes the keys, those that are declared before those
// that only names and values tell of, which are no constraints.
func keyLists(keys []*catalog.ForeignKey, declared, implied string, write func(*catalog.ForeignKey) string) string {
	var first, second strings.Builder
	for _, k := range keys {
		if k.Implied {
			second.WriteString(write(k))
		} else {
			first.WriteString(write(k))
		}
	}
	out := ""
	if first.Len() > 0 {
		out = declared + first.String()
	}
	if second.Len() > 0 {
		out += implied + second.String()
	}
	return out
}

// keysOf returns the keys of described relations to those that the prompt shows.
func (in *Input) keysOf(relations []*catalog.Relation) []*catalog.ForeignKey {
	from, to := map[*catalog.Relation]bool{}, map[*catalog.Relation]bool{}
	for _, r := range relations {
		from[r], to[r] = true, true
	}
	for _, r := range in.named {
		to[r] = true
	}
	var out []*catalog.ForeignKey
	for _, k := range in.Snapshot.ForeignKeys {
		if from[k.From] && to[k.To] {
			out = append(out, k)
		}
	}
	return out
}

// hidePrivate drops all sample rows, unless privacy.values lets rows out. What is private in the rows and hits that stay
// is left out where they are written: see columns, csv and valueLines.
func (in *Input) hidePrivate() {
	if in.Privacy.Values != ValuesSamples {
		in.Samples = nil
	}
}

// columns returns the columns of a relation that a prompt may show.
func (in *Input) columns(r *catalog.Relation) []*catalog.Column {
	var out []*catalog.Column
	for _, c := range r.Columns {
		if !c.Private && (in.Cols == nil || in.Cols[c]) {
			out = append(out, c)
		}
	}
	if in.Order.Columns && len(out) > 1 {
		in.Order.shuffleColumns(out)
	}
	return out
}

func (in *Input) visible(cols []*catalog.Column) bool {
	for _, c := range cols {
		if c.Private || in.Cols != nil && !in.Cols[c] {
			return false
		}
	}
	return len(cols) > 0
}

// values says whether common values and bounds may be shown.
func (in *Input) values() bool { return in.Privacy.Values != ValuesNone }

const maxCommon = 8

// maxExamples bounds those of a column that holds others too.
const maxExamples = 5

// common returns a column's common values as literals: all of them if the
// column holds no others.
func (in *Input) common(c *catalog.Column) (values []string, all bool) {
	if len(c.Enum) > 0 {
		for _, v := range c.Enum[:min(len(c.Enum), 3*maxCommon)] {
			values = append(values, literal(v))
		}
		return values, len(c.Enum) <= 3*maxCommon
	}
	if !in.values() || c.Profile == nil || c.Class != catalog.Text && c.Class != catalog.Enum && c.Class != catalog.Array {
		return nil, false
	}
	p := c.Profile
	for _, v := range p.Common {
		if len(v) > 2*maxValue || len(values) == maxCommon {
			break
		}
		values = append(values, literal(unpadded(c, v)))
	}
	return values, len(values) > 0 && len(values) == len(p.Common) && float64(len(values)) >= p.Distinct-0.5
}

// held says of a column's common values what they are: all of them, or examples.
func (in *Input) held(c *catalog.Column) (text string, all bool) {
	values, all := in.common(c)
	switch {
	case len(values) == 0:
		return "", false
	case all:
		return "one of " + strings.Join(values, ", "), true
	default:
		return "for example " + strings.Join(values[:min(len(values), maxExamples)], ", "), false
	}
}

// fraction is that of a second, which a bound does not need.
var fraction = regexp.MustCompile(`\.\d+`)

// bounds returns a column's least and greatest value.
func (in *Input) bounds(c *catalog.Column) (lo, hi string, ok bool) {
	if !in.values() || c.Profile == nil || c.Profile.Min == "" || c.Profile.Max == "" {
		return "", "", false
	}
	switch c.Class {
	case catalog.Number:
		return line(cut(c.Profile.Min, maxValue)), line(cut(c.Profile.Max, maxValue)), true
	case catalog.Date, catalog.Timestamp:
		return literal(fraction.ReplaceAllString(c.Profile.Min, "")), literal(fraction.ReplaceAllString(c.Profile.Max, "")), true
	}
	return "", "", false
}

// about prints a row estimate to two digits.
func about(rows float64) string {
	if rows < 0 || math.IsNaN(rows) {
		return ""
	}
	if rows < 100 {
		return strconv.Itoa(int(rows))
	}
	m := math.Pow(10, math.Floor(math.Log10(rows))-1)
	return strconv.FormatFloat(math.Round(rows/m)*m, 'f', 0, 64)
}

// typeOf writes a column's type.
func (in *Input) typeOf(c *catalog.Column) string { return line(c.Type) }

var kinds = map[catalog.Kind]string{
	catalog.View: "view", catalog.MaterializedView: "materialised view", catalog.ForeignTable: "foreign table",
}
