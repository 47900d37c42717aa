package prompt

import (
	"fmt"
	"strings"

	"askpg/catalog"
)

// profileStyle writes a line for each column with what is known of it, after
// XiYan-SQL's M-Schema.
type profileStyle struct {
	in    *Input
	names names
}

func (s *profileStyle) head() string { return "Database schema, one line a column:\n\n" }

func (s *profileStyle) relation(r *catalog.Relation, d detail) string {
	var b strings.Builder
	b.WriteString("# " + s.names.relation(r))
	if k, ok := kinds[r.Kind]; ok {
		b.WriteString(" (" + k + ")")
	}
	if len(r.PrimaryKey) > 1 && s.in.visible(r.PrimaryKey) {
		b.WriteString(", primary key (" + idents(r.PrimaryKey) + ")")
	}
	if d == full && r.Rows > 0 && s.in.values() {
		b.WriteString(", about " + about(r.Rows) + " rows")
	}
	if d == full && r.Comment != "" {
		b.WriteString(": " + remark(r.Comment))
	}
	for _, rule := range s.in.rules(r, s.names) {
		b.WriteString("; " + rule)
	}
	b.WriteByte('\n')
	for _, c := range s.in.columns(r) {
		facts := []string{s.in.typeOf(c)}
		if len(r.PrimaryKey) == 1 && r.PrimaryKey[0] == c {
			facts = append(facts, "primary key")
		} else if c.Unique {
			facts = append(facts, "unique")
		}
		if d == full {
			facts = append(facts, s.in.facts(c, !s.inRows(c))...)
			facts = append(facts, s.in.statistics(c, true)...)
		}
		fmt.Fprintf(&b, "- %s: %s\n", ident(c.Name), strings.Join(facts, "; "))
	}
	if rows, ok := s.in.Samples[r]; ok && d == full && s.in.Paper {
		b.WriteString("sample rows as CSV:\n" + rowsAsCSV(s.in, r, rows))
	}
	b.WriteByte('\n')
	return b.String()
}

// inRows says whether sample rows show the column's values.
func (s *profileStyle) inRows(c *catalog.Column) bool {
	_, ok := s.in.Samples[c.Relation]
	return ok && s.in.Paper
}

func (s *profileStyle) aside() string { return "" }

func (s *profileStyle) keys(keys []*catalog.ForeignKey) string {
	text := keyLists(keys, "# Foreign keys\n", "# Implied keys, not declared\n", func(k *catalog.ForeignKey) string {
		if !s.in.visible(k.FromCols) || !s.in.visible(k.ToCols) {
			return ""
		}
		var on []string
		for i := range k.FromCols {
			on = append(on, fmt.Sprintf("%s.%s = %s.%s", s.names.relation(k.From), ident(k.FromCols[i].Name),
				s.names.relation(k.To), ident(k.ToCols[i].Name)))
		}
		return strings.Join(on, " and ") + s.in.guessed(k) + "\n"
	})
	if text == "" {
		return ""
	}
	return text + "\n"
}
