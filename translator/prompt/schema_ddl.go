package prompt

import (
	"fmt"
	"strings"

	"askpg/catalog"
)

// ddlStyle writes CREATE TABLE statements with comments at the lines' ends.
type ddlStyle struct {
	in    *Input
	names names
	from  map[*catalog.Relation][]*catalog.ForeignKey
}

func newDDL(in *Input, n names) renderer {
	s := &ddlStyle{in: in, names: n, from: map[*catalog.Relation][]*catalog.ForeignKey{}}
	for _, k := range in.Snapshot.ForeignKeys {
		s.from[k.From] = append(s.from[k.From], k)
	}
	return s
}

func (s *ddlStyle) head() string {
	for _, k := range s.in.Snapshot.ForeignKeys {
		if k.Implied {
			return "The tables; keys marked implied are not declared, but the values follow them:\n\n"
		}
	}
	return "The tables:\n\n"
}

func (s *ddlStyle) relation(r *catalog.Relation, d detail) string {
	var b strings.Builder
	kind := "TABLE"
	if k, ok := kinds[r.Kind]; ok {
		kind = strings.ToUpper(strings.Replace(k, "materialised", "materialized", 1))
	}
	fmt.Fprintf(&b, "CREATE %s %s (", kind, s.names.relation(r))
	if notes := s.relationNotes(r, d); notes != "" {
		b.WriteString(" -- " + notes)
	}
	b.WriteByte('\n')
	cols := s.in.columns(r)
	keys, implied, inline := s.keyLines(r)
	for i, c := range cols {
		b.WriteString("  " + ident(c.Name) + " " + s.in.typeOf(c) + constraints(r, c, d) + inline[c])
		if i < len(cols)-1 || len(keys) > 0 {
			b.WriteByte(',')
		}
		if d == full {
			b.WriteString(s.columnNotes(c))
		}
		b.WriteByte('\n')
	}
	for i, k := range keys {
		b.WriteString("  " + k)
		if i < len(keys)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	for _, k := range implied {
		b.WriteString("  -- implied: " + k + "\n")
	}
	b.WriteString(");\n\n")
	return b.String()
}

func constraints(r *catalog.Relation, c *catalog.Column, d detail) string {
	if len(r.PrimaryKey) == 1 && r.PrimaryKey[0] == c {
		return " PRIMARY KEY"
	}
	var b strings.Builder
	if c.NotNull && d == full {
		b.WriteString(" NOT NULL")
	}
	if c.Unique && d == full {
		b.WriteString(" UNIQUE")
	}
	return b.String()
}

func (s *ddlStyle) columnNotes(c *catalog.Column) string {
	notes := s.in.facts(c, true)
	if !s.in.Paper {
		notes = append(notes, s.in.statistics(c, false)...) // bounds of dates are long, and the other forms have them
	}
	if len(notes) == 0 {
		return ""
	}
	return " -- " + strings.Join(notes, "; ")
}

func (s *ddlStyle) relationNotes(r *catalog.Relation, d detail) string {
	var notes []string
	if d == full && r.Rows > 0 && s.in.values() {
		notes = append(notes, "about "+about(r.Rows)+" rows")
	}
	if d == full && r.Comment != "" {
		notes = append(notes, remark(r.Comment))
	}
	notes = append(notes, s.in.rules(r, s.names)...)
	return strings.Join(notes, ", ")
}

// keyLines writes the keys of one column behind it, and declared keys of several columns in lines of their own. Keys
// that only names and values tell of are no constraints and stand apart.
func (s *ddlStyle) keyLines(r *catalog.Relation) (declared, implied []string, inline map[*catalog.Column]string) {
	if len(r.PrimaryKey) > 1 && s.in.visible(r.PrimaryKey) {
		declared = append(declared, "PRIMARY KEY ("+idents(r.PrimaryKey)+")")
	}
	inline = map[*catalog.Column]string{}
	for _, k := range s.from[r] {
		if !s.in.visible(k.FromCols) || !s.in.visible(k.ToCols) || !s.in.shows(k.To) {
			continue
		}
		to := fmt.Sprintf("REFERENCES %s (%s)", s.names.relation(k.To), idents(k.ToCols))
		switch {
		case k.Implied:
			implied = append(implied, "("+idents(k.FromCols)+") "+to+s.in.guessed(k))
		case len(k.FromCols) == 1:
			inline[k.FromCols[0]] += " " + to
		default:
			declared = append(declared, "FOREIGN KEY ("+idents(k.FromCols)+") "+to)
		}
	}
	return declared, implied, inline
}

func (s *ddlStyle) aside() string { return "-- " }

func (s *ddlStyle) keys([]*catalog.ForeignKey) string { return "" }
