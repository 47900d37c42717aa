package prompt

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"askpg/catalog"
	"askpg/translator/token"
)

// Shares of what tables that are told by name may take up: of a window, and of that for those whose columns are told.
const (
	namedShare   = 4 // one in four
	columnsShare = 0.75
)

// narrow keeps the description of a large schema to what is near the question: the rest costs
// tokens, and misleads. The rest is told by names, so that nothing is missed that is there.
func (in *Input) narrow() {
	if in.Tables != nil || len(in.Near) == 0 || in.NarrowFrom <= 0 {
		return
	}
	n := newNames(in)
	w, used := in.renderer(n), 0
	large := slices.ContainsFunc(in.Snapshot.Relations, func(r *catalog.Relation) bool {
		used += token.Count(w.relation(r, full))
		return used > in.NarrowFrom
	})
	if !large {
		return
	}
	codes := func(r *catalog.Relation) bool { return in.explained(r, in.Near) }
	in.Tables = slices.DeleteFunc(slices.Clone(in.Near), codes)
	in.Beside = append(slices.DeleteFunc(slices.Clone(in.Near), func(r *catalog.Relation) bool { return !codes(r) }), in.Beside...)
	in.Tables = append(in.Tables, in.defining()...)
	in.tellNames(w, n)
}

// tellNames writes the relations beside the question with their columns, and of the others
// the names, as far as there is room.
func (in *Input) tellNames(w renderer, n names) {
	told := map[*catalog.Relation]bool{}
	for _, r := range in.Tables {
		told[r] = true
	}
	room := in.Naming
	if most := in.Budget / namedShare; in.Budget > 0 && (room == 0 || room > most) {
		room = most
	}
	limited := room > 0
	keys := map[*catalog.Relation][]*catalog.ForeignKey{}
	for _, k := range in.Snapshot.ForeignKeys {
		keys[k.From] = append(keys[k.From], k)
	}
	var columns, names strings.Builder
	left, missed := 0, 0
	forColumns := int(columnsShare * float64(room))
	for _, r := range append(in.bridged(), in.Snapshot.Relations...) {
		if told[r] {
			continue
		}
		told[r] = true
		if missed < misfits {
			line := w.aside() + in.signature(r, keys[r], n) + "\n"
			if cost := token.Count(line); !limited || cost <= forColumns {
				forColumns -= cost
				room -= cost
				columns.WriteString(line)
				in.named = append(in.named, r)
				continue
			}
			missed++
		}
		if room > 0 {
			name := n.relation(r)
			if room -= token.Count(name) + 1; room >= 0 {
				if names.Len() > 0 {
					names.WriteString(", ")
				}
				names.WriteString(name)
				continue
			}
		}
		left++
	}
	in.partial = left > 0
	in.naming = in.beside(w, columns.String(), names.String(), left)
}

// beside writes the lines of further tables, the names of others, and how many are left.
func (in *Input) beside(w renderer, columns, names string, left int) string {
	var b strings.Builder
	if columns != "" {
		b.WriteString(w.aside() + "Further tables and their columns; → is a key to a table, →? one that is not declared:\n" + columns)
	}
	if names != "" {
		say := "answer CANNOT ANSWER: and its name"
		if in.Frame == Short {
			say = "say that it is missing"
		}
		b.WriteString(w.aside() + "Told by name alone; if the question needs one, " + say + ": " + names)
		if left > 0 {
			fmt.Fprintf(&b, ", and %d more", left)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// bridgedTables is how many of the relations nearest to the question are joined with each other.
const bridgedTables = 6

// bridged returns the relations beside the question, with those by which they join: what lies on the way from one of the
// nearest relations to another or to one beside. Without it a query that needs both has no way from one to the other.
func (in *Input) bridged() []*catalog.Relation {
	var out []*catalog.Relation
	near := in.Tables[:min(len(in.Tables), bridgedTables)]
	for i, r := range near {
		for _, other := range near[:i] {
			out = append(out, in.between(other, r)...)
		}
	}
	for _, r := range in.Beside {
		out = append(out, r)
		if len(near) > 0 {
			out = append(out, in.between(near[0], r)...)
		}
	}
	return out
}

// between returns the relations on the shortest way from one to another.
func (in *Input) between(a, b *catalog.Relation) []*catalog.Relation {
	path, _ := in.Snapshot.Path(a, b)
	var out []*catalog.Relation
	for _, join := range path[:max(0, len(path)-1)] {
		out = append(out, join.End())
	}
	return out
}

// signature writes a relation in a line: its columns, the keys among them, and the types,
// decisive comments and values that a name does not tell. keys are those that it refers by.
func (in *Input) signature(r *catalog.Relation, keys []*catalog.ForeignKey, n names) string {
	to := map[*catalog.Column]string{}
	for _, k := range keys {
		if len(k.FromCols) == 1 && in.visible(k.FromCols) && in.visible(k.ToCols) {
			arrow := "→"
			if k.Implied {
				arrow = "→?"
			}
			if to[k.FromCols[0]] == "" {
				to[k.FromCols[0]] = arrow + n.relation(k.To)
			}
		}
	}
	cols := in.columns(r)
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = ident(c.Name) + to[c]
		if c.Class != catalog.Text && c.Class != catalog.Number {
			parts[i] += " " + in.typeOf(c)
		}
		if d := decisive(c.Comment); d != "" {
			parts[i] += " " + remark(d)
		}
		for _, e := range in.extras(c) {
			parts[i] += " " + e
		}
		if all := in.list(c); len(all) > 0 && in.tells(c) && !in.toldAsCode(c) {
			parts[i] += "[" + strings.Join(all, ", ") + "]"
		}
	}
	l := n.relation(r) + "(" + strings.Join(parts, ", ") + ")"
	if r.Comment != "" {
		l += " " + remark(r.Comment)
	}
	for _, rule := range in.rules(r, n) {
		l += "; " + rule
	}
	return l
}

// decides is what a comment says where a query that does not heed it is wrong: rows that do not count, and units.
var decides = regexp.MustCompile(`(?i)\b(ignor\w*|not count\w*|exclud\w*|delet\w*|remov\w*|cancel\w*|void\w*|null|cents?|pence|per)\b`)

// maxDecisive is how many characters of a part of a comment decisive keeps.
const maxDecisive = 80

// decisive returns what a line has to keep of a column's comment: one that says what values stand for whole, of others
// the parts that decide.
func decisive(comment string) string {
	comment = line(comment)
	if strings.Contains(comment, "=") {
		return comment
	}
	var out []string
	for part := range strings.SplitSeq(strings.ReplaceAll(comment, ". ", "; "), "; ") {
		if decides.MatchString(part) {
			out = append(out, shorten(part, maxDecisive))
		}
	}
	return strings.Join(out, "; ")
}
