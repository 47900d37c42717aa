// Display columns: by which columns a row is shown. Likely keys of relations without one.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// describe works out how a relation's rows are shown and identified.
func (x *lexicon) describe(r *catalog.Relation) {
	info := x.relationInfo[r]
	info.key = r.PrimaryKey
	if info.key == nil {
		info.key = x.likelyKey(r)
	}
	info.display = x.displayColumns(r)
	for _, c := range r.Columns {
		if isTime(c) {
			info.dates = append(info.dates, c)
		}
		if x.isYearOfEvent(c) && !slices.Contains(info.names[c], "year") {
			info.names[c] = append(slices.Clone(info.names[c]), "year")
		}
		if x.marksDeleted(c) && (isYesNo(c) || !c.NotNull && slices.Contains(info.dates, c)) {
			info.deleted = c
		} else if len(x.ignoredValues(c)) > 0 {
			info.marks = append(info.marks, c)
		}
		if slices.Contains(info.dates, c) && mayLack(c) && x.isLeavingTime(c) {
			info.left = c
		}
	}
	info.interval, info.validity = x.intervalOf(r, false), x.intervalOf(r, true)
	if info.deleted != nil {
		info.marks = append(info.marks, info.deleted)
	}
	keyed := 0
	for _, c := range r.Columns {
		if x.graph.isForeign(c) {
			keyed++
		}
	}
	info.junction = keyed >= 2 && keyed >= len(r.Columns)-1
}

// marksDeleted reports whether a column says by its name or its comment that a row was deleted or taken back.
func (x *lexicon) marksDeleted(c *catalog.Column) bool {
	words := splitName(c.Name)
	short := isFlagName(c) && slices.ContainsFunc(words, func(w string) bool { return w == "del" || strings.HasPrefix(w, "del") && len(words) == 1 })
	called := slices.Contains(x.relationInfo[c.Relation].names[c], x.language.stem("deleted"))
	return called || short || x.language.isIgnoredComment(c.Comment) || x.isDeletion(c) || isYesNo(c) && x.isNamed(c, x.language.nullifiedNames)
}

// isDeletion reports whether a time is that at which a row was deleted: del_ts, which nearly none has. Most of what is delivered
// has the day of its delivery.
func (x *lexicon) isDeletion(c *catalog.Column) bool {
	words := splitName(c.Name)
	const rare = 0.9
	return words[0] == "del" && len(words) == 2 && (fillerStems[words[1]] || words[1] == "d") && !c.NotNull && c.Profile != nil && c.Profile.NullFrac >= rare
}

// isNearlyUnique reports whether a column tells nearly all rows of its relation apart.
func isNearlyUnique(c *catalog.Column) bool {
	return c.Unique || c.Profile != nil && c.Relation.Rows > 0 && c.Profile.Distinct >= 0.9*c.Relation.Rows
}

// likelyKey guesses the key of a relation that declares none: a column named id or after the relation, or else the first column if its
// values seem unique.
func (x *lexicon) likelyKey(r *catalog.Relation) []*catalog.Column {
	if len(r.Unique) > 0 {
		return r.Unique[0]
	}
	info := x.relationInfo[r]
	for _, c := range r.Columns {
		names := info.names[c]
		if len(names) == 1 && names[0] == "id" {
			return []*catalog.Column{c}
		}
	}
	for _, suffix := range []string{"id", "code", "name"} {
		for _, c := range r.Columns {
			names := info.names[c]
			if len(names) >= 2 && names[len(names)-1] == suffix && !slices.ContainsFunc(names[:len(names)-1], func(s string) bool { return !info.stems[s] }) && len(names) > len(info.stems) {
				return []*catalog.Column{c}
			}
		}
	}
	if len(r.Columns) > 0 && r.Columns[0].Profile != nil && r.Rows > 0 && r.Columns[0].Profile.Distinct >= 0.99*r.Rows {
		return r.Columns[:1]
	}
	return nil
}

// displayColumns returns the columns by which a person would call a row: a
// name or title, first and last name, the column named as the relation is, the
// only text column, the key.
func (x *lexicon) displayColumns(r *catalog.Relation) []*catalog.Column {
	info := x.relationInfo[r]
	var first, last, best *catalog.Column
	bestScore := 0
	for i, c := range r.Columns {
		if c.Class != catalog.Text && c.Class != catalog.Enum && c.Class != catalog.Other {
			continue
		}
		isKey := len(info.key) == 1 && info.key[0] == c
		if x.graph.isForeign(c) && !isKey && !c.Unique {
			continue
		}
		switch partOfPerson(c, info.names[c]) {
		case "first":
			first = c
		case "last":
			last = c
		}
		score := nameScore(info, info.names[c])
		if isDescription(c) && isNearlyUnique(c) && (c.NotNull || !hasOwnCode(r)) {
			score = max(score, 40) // of a code
		}
		if isKey {
			score = max(score, 30)
		}
		if score > 0 {
			score -= i / 8
		}
		if score > bestScore {
			best, bestScore = c, score
		}
	}
	switch {
	case first != nil && last != nil && bestScore < 95:
		return []*catalog.Column{first, last}
	case first != nil && bestScore <= 30:
		return []*catalog.Column{first}
	case best != nil:
		return []*catalog.Column{best}
	}
	if c := x.numberAsName(r); c != nil {
		described := onlyWhere(r.Columns, func(c *catalog.Column) bool { return isText(c) && c.NotNull && isDescription(c) })
		if described != nil && described != c {
			return []*catalog.Column{c, described}
		}
		return []*catalog.Column{c}
	}
	if len(info.key) > 0 {
		return info.key
	}
	return r.Columns[:min(1, len(r.Columns))]
}

// addressParts returns the columns of a postal address, in their order, if the rows of a relation are addresses.
func (x *lexicon) addressParts(r *catalog.Relation) []*catalog.Column {
	if !x.relationInfo[r].stems[x.language.stem("address")] {
		return nil
	}
	parts := wordSet([]string{"street", "line", "house", "postal", "postcode", "zip", "city", "town", "county", "state", "country"})
	return slices.DeleteFunc(slices.Clone(r.Columns), func(c *catalog.Column) bool {
		return c.Private || !isText(c) || !slices.ContainsFunc(splitName(c.Name), func(w string) bool { return parts[w] })
	})
}

// partOfPerson says which part of a person's name a column is called, "first" or "last"; "" if none.
func partOfPerson(c *catalog.Column, stems []string) string {
	has := wordSet(stems)
	words := splitName(c.Name)
	short := strings.Join(words, "")
	called := func(word string, names ...string) bool {
		return has[word] && has["name"] || slices.Contains(names, lastOf(words)) || slices.Contains(names, short) || slices.ContainsFunc(names, func(s string) bool { return len(s) > len("lname") && strings.HasSuffix(short, s) })
	}
	switch {
	case called("first", "fname", "firstname", "forename", "givenname", "fnm", "fstnm"):
		return "first"
	case called("last", "lname", "lastname", "surname", "familyname", "lnm", "lstnm"):
		return "last"
	}
	return ""
}

// hasOwnCode reports whether each row of a relation has a code of its own that people know it by, such as that of a coupon.
func hasOwnCode(r *catalog.Relation) bool {
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		return isText(c) && c.Unique && c.NotNull && lastOf(splitName(c.Name)) == "code"
	})
}

// isDescription reports whether a column is called the description of its row, with or without a prefix of its relation: "wcdsc".
func isDescription(c *catalog.Column) bool {
	const prefix = 3
	name := strings.ToLower(c.Name)
	return slices.ContainsFunc([]string{"descr", "desc", "dscr", "dsc", "description", "designation"}, func(s string) bool {
		return name == s || strings.HasSuffix(name, s) && len(name) <= len(s)+prefix && !strings.Contains(name, "_")
	})
}

// nameScore tells how much a column's name says that rows are called by it, 0 if nothing.
func nameScore(info *relationInfo, stems []string) int {
	has := wordSet(stems)
	own := 0 // stems of the relation's name
	for _, s := range stems {
		if info.stems[s] {
			own++
		}
	}
	switch {
	case len(stems) == 1 && has["name"]:
		return 100
	case has["name"] && own == len(stems)-1 && own > 0:
		return 98
	case has["full"] && has["name"]:
		return 95
	case len(stems) == 1 && has["titl"]:
		return 90
	case own == len(stems) && own >= 1:
		return 92 // city.city
	case has["titl"] && own > 0:
		return 88
	case has["name"] && !has["user"] && !has["file"] && !has["first"] && !has["last"] && !has["middl"]:
		return 60
	case has["titl"]:
		return 58
	case has["label"] || has["subject"] || has["caption"]:
		return 40
	case has["descript"] && own > 0:
		return 25
	}
	return 0
}

// hasRepeats reports whether most values of a text column occur in several rows, so that they do not tell rows apart.
func hasRepeats(c *catalog.Column) bool {
	return c != nil && isText(c) && c.Profile != nil && c.Relation.Rows > 20 && c.Profile.Distinct < 0.5*c.Relation.Rows
}

// numberAsName returns the text by which people tell rows apart that have no name,
// such as an invoice's number beside its key; nil if there is none or several.
func (x *lexicon) numberAsName(r *catalog.Relation) *catalog.Column {
	if key := x.relationInfo[r].key; len(key) != 1 || isText(key[0]) {
		return nil
	}
	for _, c := range r.Columns {
		if x.isNumberWithin(c) && !slices.ContainsFunc(x.relationInfo[r].names[c], func(s string) bool { return s != "number" && !x.relationInfo[r].stems[s] }) {
			return c // the number of a room in its hotel
		}
	}
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		numbered := slices.Contains(x.relationInfo[r].names[c], "number")
		apart := c.Unique && c.NotNull || numbered && isNearlyUnique(c)
		return c.Class == catalog.Text && apart && !c.Private && !x.graph.isForeign(c)
	})
}

// hasName reports whether people call the rows of a relation by a name, and not by a number or a key.
func (x *lexicon) hasName(r *catalog.Relation) bool {
	info := x.relationInfo[r]
	if len(info.display) == 0 || !isText(info.display[0]) {
		return false
	}
	shown := info.display[0]
	return nameScore(info, info.names[shown]) > 0 || shown != x.numberAsName(r)
}

// isNumberWithin reports whether a column is the number of its row within what the row points to, such as that of a room in a house.
func (x *lexicon) isNumberWithin(c *catalog.Column) bool {
	if c.Private || !c.NotNull || x.graph.isForeign(c) || !slices.Contains(x.relationInfo[c.Relation].names[c], "number") {
		return false
	}
	return slices.ContainsFunc(c.Relation.Unique, func(u []*catalog.Column) bool {
		return len(u) > 1 && slices.Contains(u, c) && !slices.ContainsFunc(u, func(o *catalog.Column) bool { return o != c && !x.graph.isForeign(o) })
	})
}
