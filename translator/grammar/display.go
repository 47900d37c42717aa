package grammar

import (
	"slices"

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
		if c.Class == catalog.Date || c.Class == catalog.Timestamp {
			info.dates = append(info.dates, c)
		}
		if slices.Contains(info.names[c], x.language.stem("deleted")) && (c.Class == catalog.Boolean || !c.NotNull && slices.Contains(info.dates, c)) {
			info.deleted = c
		}
		if slices.Contains(info.dates, c) && !c.NotNull && slices.Contains(splitName(c.Name), "left") {
			info.left = c
		}
	}
	keyed := 0
	for _, c := range r.Columns {
		if x.graph.isForeign(c) {
			keyed++
		}
	}
	info.junction = keyed >= 2 && keyed >= len(r.Columns)-1
}

// likelyKey guesses the key of a relation that declares none: a column named
// id, or after the relation, or the first one if it seems unique.
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
			if len(names) >= 2 && names[len(names)-1] == suffix && allIn(names[:len(names)-1], info.stems) && len(names) > len(info.stems) {
				return []*catalog.Column{c}
			}
		}
	}
	if len(r.Columns) > 0 && r.Columns[0].Profile != nil && r.Rows > 0 && r.Columns[0].Profile.Distinct >= 0.99*r.Rows {
		return r.Columns[:1]
	}
	return nil
}

func allIn(words []string, set map[string]bool) bool {
	for _, w := range words {
		if !set[w] {
			return false
		}
	}
	return true
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
		stems := info.names[c]
		if x.graph.isForeign(c) && !(len(info.key) == 1 && info.key[0] == c) && !c.Unique {
			continue
		}
		has := map[string]bool{}
		own := 0
		for _, s := range stems {
			has[s] = true
			if info.stems[s] {
				own++
			}
		}
		if has["first"] && has["name"] {
			first = c
		}
		if has["last"] && has["name"] {
			last = c
		}
		score := 0
		switch {
		case len(stems) == 1 && has["name"]:
			score = 100
		case has["name"] && own == len(stems)-1 && own > 0:
			score = 98
		case has["full"] && has["name"]:
			score = 95
		case len(stems) == 1 && (has["titl"]):
			score = 90
		case own == len(stems) && own >= 1:
			score = 92 // city.city
		case has["titl"] && own > 0:
			score = 88
		case has["name"] && !has["user"] && !has["file"] && !has["first"] && !has["last"] && !has["middl"]:
			score = 60
		case has["titl"]:
			score = 58
		case has["label"] || has["subject"] || has["caption"]:
			score = 40
		case len(info.key) == 1 && info.key[0] == c:
			score = 30
		case has["descript"] && own > 0:
			score = 25
		}
		if score > 0 {
			score -= i / 8
		}
		if score > bestScore {
			best, bestScore = c, score
		}
	}
	if first != nil && last != nil && bestScore < 95 {
		return []*catalog.Column{first, last}
	}
	if best != nil && bestScore > 30 {
		return []*catalog.Column{best}
	}
	if first != nil && bestScore < 90 {
		return []*catalog.Column{first}
	}
	if best != nil {
		return []*catalog.Column{best}
	}
	if len(info.key) > 0 {
		return info.key
	}
	if len(r.Columns) > 0 {
		return r.Columns[:1]
	}
	return nil
}
