package catalog

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/guarded"
	"askpg/catalog/schema"
)

// Bounds of a code table: one table with the codes of many columns, a row each.
const (
	codeTableColumns = 6
	codeTableRows    = 2000
	codesOfColumn    = 50
	codeTextLength   = 100 // characters; what is longer is no code and explains none
	codeTablesRead   = 32  // tables that may be one, those that are called so first
)

// keyedColumn is a part of a comment that says which column a key of a code table is about: "OST orders.state".
var keyedColumn = regexp.MustCompile(`(\S+)[\s:=]+(\w+)\.(\w+)`)

// readCodeTables gives the columns that a code table explains their labels. Old systems keep the meaning of all codes in one
// table, whose rows have the name of a column, a code and a text. No other snapshot may have the relations yet: another role may
// not read the table.
func readCodeTables(ctx context.Context, tx pgx.Tx, cfg *Config, s *Snapshot) error {
	if !cfg.Values {
		return nil
	}
	candidates := mayBeCodeTables(s)
	until := time.Now().Add(cfg.SampleTime.Duration())
	named := map[uint32]map[string][]*Column{} // by owner
	for _, r := range candidates[:min(codeTablesRead, len(candidates))] {
		cols := r.Columns
		left := time.Until(until)
		if left < time.Millisecond {
			return nil
		}
		rows, err := readTexts(ctx, tx, r, cols, max(left/4, 50*time.Millisecond))
		if err != nil {
			if ctx.Err() != nil || tx.Conn().IsClosed() {
				return err
			}
			continue // what cannot be read explains nothing
		}
		if named[r.Owner] == nil {
			named[r.Owner] = columnsByName(s, r.Owner)
		}
		if t := codeTable(r, named[r.Owner], rows); t != nil {
			t.label()
			r.Codes = true
		}
	}
	return nil
}

// mayBeCodeTables returns the relations that have the form of a code table, the likeliest first. Owners take turns: who makes many
// tables leaves none of another's out.
func mayBeCodeTables(s *Snapshot) []*Relation {
	list := slices.DeleteFunc(slices.Clone(s.Relations), func(r *Relation) bool { return !mayBeCodeTable(r) })
	slices.SortStableFunc(list, func(a, b *Relation) int { return cmp.Compare(calledCodes(b), calledCodes(a)) })
	turn, owned := map[*Relation]int{}, map[uint32]int{}
	for _, r := range list {
		turn[r] = owned[r.Owner]
		owned[r.Owner]++
	}
	slices.SortStableFunc(list, func(a, b *Relation) int { return cmp.Compare(turn[a], turn[b]) })
	return list
}

// mayBeCodeTable reports whether a relation has the form of a code table.
func mayBeCodeTable(r *Relation) bool {
	if r.Kind != Table || !r.Shared() || !r.Open() || len(r.Columns) < 3 || len(r.Columns) > codeTableColumns || r.Rows > codeTableRows {
		return false
	}
	texts := 0
	for _, c := range r.Columns {
		switch c.Class {
		case Text:
			texts++
		case Number:
		default:
			return false
		}
	}
	return texts >= 2
}

// calledCodes is 1 if the name or the comment of a relation speaks of codes, else 0.
func calledCodes(r *Relation) int {
	name := strings.ToLower(r.Name.Name + " " + r.Comment)
	if slices.ContainsFunc([]string{"cod", "cd", "lookup", "list", "ref"}, func(piece string) bool { return strings.Contains(name, piece) }) {
		return 1
	}
	return 0
}

// readTexts reads the rows of a small relation as texts; more rows than a code table has are none.
func readTexts(ctx context.Context, tx pgx.Tx, r *Relation, cols []*Column, limit time.Duration) (rows [][]string, err error) {
	list := make([]string, len(cols))
	row, into := make([]string, len(cols)), make([]any, len(cols))
	for i, c := range cols {
		list[i], into[i] = fmt.Sprintf("coalesce(rtrim(left(%s::text, %d)), '')", schema.Quote(c.Name), codeTextLength+1), &row[i]
	}
	sql := fmt.Sprintf("select %s from %s limit %d", strings.Join(list, ", "), r.QuotedName(), codeTableRows+1)
	err = guarded.Each(ctx, tx, limit, []*Relation{r}, sql, into, func() { rows = append(rows, slices.Clone(row)) })
	if len(rows) > codeTableRows {
		return nil, err
	}
	return rows, err
}

// codes is a code table that was read.
type codes struct {
	rows            [][]string
	key, code, text int                  // columns of a row
	about           map[string][]*Column // the columns that a key is about
}

// codeTable finds out which columns of a table are the key, the code and the text of a code table.
// Nearly all keys are names of columns elsewhere, and the text is the longest. It returns nil if
// the table is none.
func codeTable(r *Relation, named map[string][]*Column, rows [][]string) *codes {
	for i, c := range r.Columns {
		if c.Class != Text {
			continue
		}
		keyed := keyedColumns(named, r.Comment+"\n"+c.Comment)
		about, keys := map[string][]*Column{}, map[string]bool{}
		for _, row := range rows {
			keys[row[i]] = true
		}
		commented := commentedColumns(named, r.Name.Name, keys)
		for key := range keys {
			name := strings.ToLower(key)
			for _, list := range [][]*Column{keyed[name], commented[key], named[name]} {
				if about[key] == nil && len(list) > 0 {
					about[key] = list
				}
			}
		}
		if len(about) < 2 || 5*len(about) < 4*len(keys) {
			continue
		}
		t := &codes{rows: rows, key: i, about: about}
		if t.findParts(r.Columns) {
			return t
		}
	}
	return nil
}

// columnsByName returns the columns of an owner's relations by their names in small letters: nobody explains what is another
// role's.
func columnsByName(s *Snapshot, owner uint32) map[string][]*Column {
	out := map[string][]*Column{}
	for _, r := range s.Relations {
		if r.Owner != owner {
			continue
		}
		for _, c := range r.Columns {
			name := strings.ToLower(c.Name)
			out[name] = append(out[name], c)
			full := strings.ToLower(r.Name.Name) + "." + name
			out[full] = append(out[full], c)
		}
	}
	return out
}

// keyedColumns returns the named columns that a comment says keys are about.
func keyedColumns(named map[string][]*Column, comment string) map[string][]*Column {
	out := map[string][]*Column{}
	for _, m := range keyedColumn.FindAllStringSubmatch(comment, codeTableRows) {
		key := strings.ToLower(m[1])
		out[key] = append(out[key], named[strings.ToLower(m[2]+"."+m[3])]...)
	}
	return out
}

// commentedColumns returns the named columns whose comment names the code table and one of its keys: "lookup domain OST".
func commentedColumns(named map[string][]*Column, table string, keys map[string]bool) map[string][]*Column {
	out := map[string][]*Column{}
	for _, list := range named {
		for _, c := range list {
			words := strings.FieldsFunc(c.Comment, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if !slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, table) }) {
				continue
			}
			words = slices.DeleteFunc(words, func(w string) bool { return !keys[w] })
			if len(words) == 1 && !slices.Contains(out[words[0]], c) {
				out[words[0]] = append(out[words[0]], c)
			}
		}
	}
	return out
}

// findParts finds the text, the longest of the columns beside the key, and the code, the first that no two rows of a key share.
func (t *codes) findParts(cols []*Column) bool {
	t.text, t.code = -1, -1
	length := func(i int) (n int) {
		for _, row := range t.rows {
			n += len(row[i])
		}
		return n
	}
	for i, c := range cols {
		if i != t.key && c.Class == Text && (t.text < 0 || length(i) > length(t.text)) {
			t.text = i
		}
	}
	for i := range cols {
		if i != t.key && i != t.text && t.code < 0 && t.unique(i) {
			t.code = i
		}
	}
	return t.text >= 0 && t.code >= 0
}

// unique reports whether no two rows of a key have the same value in a column.
func (t *codes) unique(column int) bool {
	seen := map[[2]string]bool{}
	for _, row := range t.rows {
		k := [2]string{row[t.key], row[column]}
		if row[column] == "" || seen[k] {
			return false
		}
		seen[k] = true
	}
	return true
}

// label gives the columns that nobody has explained yet the texts of their codes.
func (t *codes) label() {
	labels := map[string][]schema.Label{}
	for _, row := range t.rows {
		if row[t.text] != "" && utf8.RuneCountInString(row[t.text]) <= codeTextLength && utf8.RuneCountInString(row[t.code]) <= codeTextLength {
			labels[row[t.key]] = append(labels[row[t.key]], schema.Label{Value: row[t.code], Text: row[t.text]})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(t.about)) {
		list := labels[key]
		slices.SortFunc(list, func(a, b schema.Label) int { return cmp.Compare(a.Value, b.Value) })
		for _, c := range t.about[key] {
			if len(list) > 0 && len(list) <= codesOfColumn && len(c.Labels) == 0 && !c.Private && !explainsCodes(c.Comment, key) && mayHold(c, list) {
				c.Labels, c.LabelsRead = list, true
			}
		}
	}
}

// explainsCodes reports whether a column's comment explains codes itself: "1=open", but not "domain=OST", which names a key.
func explainsCodes(comment, key string) bool {
	return slices.ContainsFunc(strings.Split(comment, "=")[1:], func(text string) bool { return !strings.HasPrefix(strings.TrimSpace(text), key) })
}

// mayHold reports whether a column can hold each of some codes, so that no question compares it with what is no value of its type.
func mayHold(c *Column, list []schema.Label) bool {
	return !slices.ContainsFunc(list, func(l schema.Label) bool {
		switch c.Class {
		case Number:
			_, err := strconv.Atoi(l.Value)
			return err != nil
		case Enum:
			return !slices.Contains(c.Enum, l.Value)
		}
		return c.Class != Text
	})
}
