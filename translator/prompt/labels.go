package prompt

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// Bounds of a table that says what codes stand for, whose rows stand at the columns that refer to it.
const (
	MaxCodes       = 16 // rows
	MaxCodeColumns = 4
)

// extras says what an administrator adds to a column, and what its codes mean.
func (in *Input) extras(c *catalog.Column) []string {
	var out []string
	if c.Unit != "" {
		out = append(out, "in "+line(c.Unit))
	}
	if len(c.Synonyms) > 0 {
		out = append(out, "also called "+line(strings.Join(c.Synonyms, ", ")))
	}
	all, _ := in.lookedUp(c)
	if !c.LabelsRead || in.values() {
		all = append(all, c.Labels...)
	}
	if len(all) > 0 {
		labels := make([]string, len(all))
		for i, l := range all {
			labels[i] = line(l.Value) + " = " + line(l.Text)
		}
		out = append(out, "codes: "+strings.Join(labels, ", "))
	}
	return out
}

// lookedUp returns what the codes of a column mean by the small table that it refers to, and the column of that that says so. It
// returns nothing unless all rows of the table may be told and are worth their tokens.
func (in *Input) lookedUp(c *catalog.Column) (labels []catalog.Label, meaning *catalog.Column) {
	if in.Paper || in.Privacy.Values != ValuesSamples || c.Private || len(c.Labels) > 0 || !in.tells(c) {
		return nil, nil
	}
	i := slices.IndexFunc(in.Snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool {
		return len(k.FromCols) == 1 && k.FromCols[0] == c && !k.Guess && in.Samples[k.To].All != nil
	})
	if i < 0 {
		return nil, nil
	}
	key := in.Snapshot.ForeignKeys[i].ToCols[0]
	rows := in.Samples[key.Relation]
	code, text := -1, -1
	for j, name := range rows.Columns {
		switch of := key.Relation.Column(name); {
		case of == nil || of.Private:
		case of == key:
			code = j
		case of.Class == catalog.Text && (text < 0 || rowName.MatchString(name) && !rowName.MatchString(rows.Columns[text])):
			text, meaning = j, of
		}
	}
	if code < 0 || text < 0 {
		return nil, nil
	}
	for _, row := range rows.All {
		says := func(l catalog.Label) bool { return l.Text == string(row[text]) }
		if row[code] == nil || row[text] == nil || len(row[text]) > maxExample || string(row[code]) == string(row[text]) || slices.ContainsFunc(labels, says) {
			return nil, nil // a text that repeats is a group, and a name is no code
		}
		labels = append(labels, catalog.Label{Value: string(row[code]), Text: string(row[text])})
	}
	return labels, meaning
}

// toldAsCode reports whether the values of a column stand at another one, as its codes or what they mean.
func (in *Input) toldAsCode(c *catalog.Column) bool {
	return in.Samples[c.Relation].All != nil && slices.ContainsFunc(in.Snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool {
		if k.To != c.Relation || len(k.FromCols) != 1 || !in.shows(k.From) {
			return false
		}
		labels, meaning := in.lookedUp(k.FromCols[0])
		return labels != nil && (c == k.ToCols[0] || c == meaning)
	})
}

// explained reports whether the rows of a small table stand at a column of one of the relations, as what its codes mean.
func (in *Input) explained(r *catalog.Relation, by []*catalog.Relation) bool {
	return in.Samples[r].All != nil && slices.ContainsFunc(in.Snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool {
		if k.To != r || k.From == r || len(k.FromCols) != 1 || !slices.Contains(by, k.From) {
			return false
		}
		labels, _ := in.lookedUp(k.FromCols[0])
		return labels != nil
	})
}
