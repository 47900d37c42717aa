package prompt

import (
	"cmp"
	"slices"
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
// Literal, and shows no columns but those of Input.columns.
//
// Every style says the same. In brief it has names, what Input.typeOf says of a column, and keys; in full also a relation's comment,
// and what Input.facts and Input.statistics say of its columns. What Input.rules says of a relation is in both.
type renderer interface {
	// head is what stands before the relations.
	head() string
	// relation writes one relation, to the end of its last line.
	relation(r *catalog.Relation, d detail) string
	// keys writes the foreign keys between the shown relations, for styles that list them apart; others return an empty text.
	// It leaves out keys with a column that is not Input.visible, says which are implied (keyLists), and which are guesses
	// (Input.guessed). With nil it returns what stands there without any key.
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
	// What is private in the rows and hits that stay is left out where they are written: see columns, rowsAsCSV and valueLines.
	if in.Privacy.Values != ValuesSamples {
		in.Samples = nil
	}
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
	clear(in.detailed)
	if fits(full) {
		for _, r := range relations {
			in.detailed[r] = true
		}
	} else if !fits(brief) {
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

// renderers has what each style is written by. Tests go through all of them.
var renderers = map[Style]func(*Input, names) renderer{
	DDL:       newDDL,
	Profile:   func(in *Input, n names) renderer { return &profileStyle{in: in, names: n} },
	Reference: func(in *Input, n names) renderer { return &referenceStyle{in: in, names: n} },
}

func (in *Input) renderer(n names) renderer { return renderers[cmp.Or(in.Style, DDL)](in, n) }

// guessed says of a key that is a guess that it is one, and what speaks for it.
func (in *Input) guessed(k *catalog.ForeignKey) string {
	switch {
	case !k.Guess:
		return ""
	case k.Evidence == "" || !in.values():
		return " (a guess)"
	}
	return " (a guess: " + k.Evidence + ")"
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

// hides says whether a prompt may not show a column.
func (in *Input) hides(c *catalog.Column) bool { return c.Private || in.Cols != nil && !in.Cols[c] }

// columns returns the columns of a relation that a prompt may show.
func (in *Input) columns(r *catalog.Relation) []*catalog.Column {
	out := slices.DeleteFunc(slices.Clone(r.Columns), in.hides)
	if in.Order.Columns && len(out) > 1 {
		in.Order.shuffleColumns(out)
	}
	return out
}

// visible says whether a prompt may show all of some columns.
func (in *Input) visible(cols []*catalog.Column) bool {
	return len(cols) > 0 && !slices.ContainsFunc(cols, in.hides)
}

var kinds = map[catalog.Kind]string{
	catalog.View: "view", catalog.MaterializedView: "materialised view", catalog.ForeignTable: "foreign table",
}
