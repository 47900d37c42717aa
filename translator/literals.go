package translator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/refs"
)

// literalsOf compares the string literals that a statement compares columns with
// to what the columns are known to hold. wrong says, a line each, what is not held and what
// is held instead, where that may go to a model; checked is false if some could not be compared.
func (s *state) literalsOf(sql string) (wrong []string, checked bool) {
	checked = true
	for _, cmp := range refs.Of(sql, s.snap, s.set.searchPath).Comparisons {
		c := cmp.Column
		if c.Class != catalog.Text && c.Class != catalog.Enum {
			continue
		}
		for _, v := range cmp.Values {
			held, known := refs.Held(s.snap, c, v)
			if held {
				continue
			}
			if instead := s.nearValues(c, v, known); instead != "" && s.mayShow(c) {
				wrong = append(wrong, instead)
			} else {
				checked = checked && known
			}
		}
	}
	return wrong, checked
}

// nearValues says what a column holds that comes near a literal that it does
// not hold, "" if that is not known.
func (s *state) nearValues(c *catalog.Column, v string, known bool) string {
	values := c.Enum
	if len(values) == 0 {
		values = s.snap.Values.Of(c)
	}
	if p := c.Profile; p != nil && len(values) == 0 {
		values = p.Common
	}
	var near []string
	for _, h := range s.snap.Values.Find(v) {
		if h.Column == c {
			near = append(near, h.Value)
		}
	}
	for _, k := range values {
		if alike(k, v) {
			near = append(near, k)
		}
	}
	where := c.Relation.Name.Name + "." + c.Name
	switch {
	case len(near) > 0:
		slices.Sort(near)
		return fmt.Sprintf("%s does not hold %s; it holds %s", where, quote(v), quoteAll(slices.Compact(near), 5))
	case known && len(values) <= 12:
		return fmt.Sprintf("%s does not hold %s; it holds only %s", where, quote(v), quoteAll(values, 12))
	}
	return ""
}

// mayShow says whether a column's values may go to a model.
func (s *state) mayShow(c *catalog.Column) bool {
	return !c.Private && (len(c.Enum) > 0 || s.t.cfg.Privacy.Values != "none")
}

func alike(a, b string) bool {
	a, b = strings.ToLower(strings.TrimSpace(a)), strings.ToLower(strings.TrimSpace(b))
	return a == b || len(b) > 3 && strings.Contains(a, b) || len(a) > 3 && strings.Contains(b, a)
}

func quote(s string) string { return "'" + strings.ReplaceAll(oneLine(s, 60), "'", "''") + "'" }

func quoteAll(values []string, n int) string {
	out := make([]string, 0, n)
	for _, v := range values[:min(len(values), n)] {
		out = append(out, quote(v))
	}
	return strings.Join(out, ", ")
}

// namesNear says which columns and relations come near a name that the server
// does not know.
func (s *state) namesNear(e *ask.Error) []string {
	if e.Code != "42703" && e.Code != "42P01" {
		return nil
	}
	name := quoted(e.Message)
	if name == "" {
		return nil
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	var near []string
	for _, r := range s.snap.Relations {
		if e.Code == "42P01" {
			if similar(r.Name.Name, name) {
				near = append(near, r.Schema+"."+r.Name.Name)
			}
			continue
		}
		for _, c := range r.Columns {
			if !c.Private && similar(c.Name, name) {
				near = append(near, r.Name.Name+"."+c.Name)
			}
		}
	}
	if len(near) == 0 {
		return nil
	}
	return []string{"names that exist and come near: " + strings.Join(near[:min(len(near), 8)], ", ")}
}

// quoted returns the name that an error message of the server speaks of:
// column "x" does not exist, column a.x does not exist.
func quoted(message string) string {
	if i := strings.IndexByte(message, '"'); i >= 0 {
		if j := strings.IndexByte(message[i+1:], '"'); j >= 0 {
			return message[i+1 : i+1+j]
		}
	}
	if rest, ok := strings.CutPrefix(message, "column "); ok {
		name, _, _ := strings.Cut(rest, " ")
		return name
	}
	return ""
}

func similar(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	plain := func(s string) string { return strings.TrimSuffix(strings.ReplaceAll(s, "_", ""), "s") }
	a, b = plain(a), plain(b)
	if a == b || len(b) > 3 && strings.Contains(a, b) || len(a) > 3 && strings.Contains(b, a) {
		return true
	}
	return len(a) > 3 && len(b) > 3 && levenshtein.ComputeDistance(a, b) <= 1+min(len(a), len(b))/6
}

// volatile says whether a statement gives another result each time it runs.
func volatile(sql string) bool {
	l := strings.ToLower(sql)
	return slices.ContainsFunc([]string{"random(", "random_normal(", "clock_timestamp(", "timeofday(", "gen_random_uuid(", "uuid_generate_", "tablesample"},
		func(f string) bool { return strings.Contains(l, f) })
}
