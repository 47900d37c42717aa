package prompt

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// referenceStyle is PET-SQL's reference-enhanced representation (Li et al.
// 2024, section 3.1): properties of the tables, cell values for reference,
// foreign keys. Its optimisation rule is in the system prompt. Types that the
// values do not show and comments are added to what the paper has: without
// them a model takes text for numbers, and misreads names that need a word.
type referenceStyle struct {
	in    *Input
	names names
}

func (s *referenceStyle) head() string {
	return "### PostgreSQL tables, with their properties and cell values for reference; … stands for further values:\n#\n"
}

// referenceValues is how many values of a column are shown, as in the paper.
const referenceValues = 3

func (s *referenceStyle) relation(r *catalog.Relation, d detail) string {
	cols := s.in.columns(r)
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = ident(c.Name)
		if c.Class != catalog.Text {
			parts[i] += " " + s.in.typeOf(c)
		}
		if d != full {
			continue
		}
		values := s.references(r, c)
		if !s.in.Paper {
			values = s.values(r, c)
		}
		if len(values) > 0 {
			parts[i] += "[" + strings.Join(values, ", ") + "]"
		}
		if often := s.in.repeats(c); often != "" && !s.in.Paper {
			parts[i] += " " + often
		}
		if said := s.in.comment(c); said != "" {
			parts[i] += " " + remark(said)
		}
		for _, e := range s.in.extras(c) {
			parts[i] += " " + e
		}
	}
	l := fmt.Sprintf("# %s(%s)", s.names.relation(r), strings.Join(parts, ", "))
	if d == full && r.Comment != "" {
		l += " " + remark(r.Comment)
	}
	for _, rule := range s.in.rules(r, s.names) {
		l += "; " + rule
	}
	return l + "\n"
}

// references returns different values of the column, from sample rows, and
// what they leave room for from its statistics; a last … says that there are more, so that
// what is shown does not pass for all. NULL is shown where nothing else is known.
func (s *referenceStyle) references(r *catalog.Relation, c *catalog.Column) []string {
	var out []string
	null := false
	add := func(v string) {
		if len(out) < referenceValues && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if rows, ok := s.in.Samples[r]; ok {
		if j := slices.Index(rows.Columns, c.Name); j >= 0 {
			for _, row := range rows.Cells {
				if null = null || row[j] == nil; row[j] != nil {
					add(cell(c, row[j]))
				}
			}
		}
	}
	for _, v := range append(s.in.list(c), s.in.examples(r, c)...) {
		add(v)
	}
	if len(out) > 0 {
		if furtherValues(c, len(out)) {
			out = append(out, "…")
		}
		return out
	}
	if b := s.in.bounds(c); b != "" {
		return []string{b}
	}
	if null && c.Profile != nil && c.Profile.NullFrac >= 1 {
		return []string{"NULL"}
	}
	return nil
}

// values returns what a column holds: all of its values where they are few, else examples or
// bounds where they are worth it.
func (s *referenceStyle) values(r *catalog.Relation, c *catalog.Column) []string {
	if s.in.toldAsCode(c) {
		return nil
	}
	if all := s.in.list(c); all != nil {
		return all
	}
	if b := s.in.bounds(c); b != "" {
		return []string{b}
	}
	if !s.in.exemplified(c) {
		return nil
	}
	some := s.in.examples(r, c)
	if len(some) > 0 {
		some = append(some, "…")
	}
	return some
}

// furtherValues reports whether a column may hold others than so many values.
func furtherValues(c *catalog.Column, shown int) bool {
	switch {
	case len(c.Enum) > 0:
		return len(c.Enum) > shown
	case c.Class == catalog.Boolean:
		return shown < 2
	}
	return c.Profile == nil || c.Profile.Distinct < 1 || c.Profile.Distinct > float64(shown)+0.5
}

func (s *referenceStyle) aside() string { return "# " }

func (s *referenceStyle) keys(keys []*catalog.ForeignKey) string {
	text := keyLists(keys, "#\n### Foreign keys, used for joins:\n#\n", "#\n### Implied keys, not declared, used for joins:\n#\n", func(k *catalog.ForeignKey) string {
		if !s.in.visible(k.FromCols) || !s.in.visible(k.ToCols) {
			return ""
		}
		return fmt.Sprintf("# %s(%s) REFERENCES %s(%s)%s\n", s.names.relation(k.From), idents(k.FromCols), s.names.relation(k.To), idents(k.ToCols), s.in.guessed(k))
	})
	return text + "#\n"
}

// cell writes a sample value of a column.
func cell(c *catalog.Column, v []byte) string {
	switch {
	case v == nil:
		return "NULL"
	case c.Class == catalog.Number:
		return Number(string(v))
	}
	return Literal(unpadded(c, string(v)))
}

// rowsAsCSV writes sample rows in CSV, without private columns.
func rowsAsCSV(in *Input, r *catalog.Relation, rows Rows) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	write := func(get func(int) string) {
		var cells []string
		for j, name := range rows.Columns {
			if c := r.Column(name); c != nil && !in.hides(c) {
				cells = append(cells, get(j))
			}
		}
		_ = w.Write(cells) // into memory: can't fail
	}
	write(func(j int) string { return line(rows.Columns[j]) })
	for _, row := range rows.Cells {
		write(func(j int) string { return cut(line(string(row[j])), maxValue) })
	}
	w.Flush()
	return b.String()
}
