package joins

import (
	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// columnName is what a column's name says of what its values are.
type columnName struct {
	noun   []string // canonical words without the suffix: billing, customer
	suffix string   // that says that it is a key, "" without one
}

// keySuffixes are the last words of names of keys, and of columns that refer
// to them. A name is a key only of what has no other.
var (
	keySuffixes  = words.Set("id ids uid uuid guid key code cd no nr num nbr number ref fk pk identifier ident")
	nameSuffixes = words.Set("name nm")
)

func nameOf(c *schema.Column) columnName {
	w := words.Split(c.Name)
	var n columnName
	if len(w) > 0 && (keySuffixes[w[len(w)-1]] || nameSuffixes[w[len(w)-1]]) {
		n.suffix, w = w[len(w)-1], w[:len(w)-1]
		for len(w) > 1 && keySuffixes[w[len(w)-1]] { // part_number_id
			w = w[:len(w)-1]
		}
	}
	for _, word := range w {
		n.noun = append(n.noun, canonical(word))
	}
	return n
}

func (n columnName) isName() bool { return nameSuffixes[n.suffix] }

// canonical returns a word in the singular, and in full if it is short for one
// word: employee for emp.
func canonical(word string) string {
	if long := words.Expand(word); len(long) == 1 {
		word = long[0]
	}
	return words.Singular(word)
}

// quantities are words of names of what is counted, measured or a flag.
var (
	quantitiesFirst = words.Set("num number no nr count cnt nb total tot sum min max avg mean is has was can qty quantity days months years")
	quantitiesLast  = words.Set(`count cnt total sum qty quantity amount amt price prc cost value score rating rank age year month day hour minute
second minutes seconds days months years weight height width length size area percent pct rate level credit balance salary wage
population capacity distance duration latitude longitude elevation altitude version priority seq sequence position order line flag fl yn`)
)

// isQuantity reports whether a column's name and type say that it counts or
// measures something, or that it is a flag: num_semesters, cares_for_students,
// numeric(10,2).
func isQuantity(c *schema.Column) bool {
	w := words.Split(c.Name)
	if len(w) == 0 {
		return true
	}
	last := w[len(w)-1]
	switch {
	case c.Class == schema.Number && !wholeNumber(c):
		return true
	case keySuffixes[last] || nameSuffixes[last]:
		return false
	case c.Class != schema.Number:
		return false
	}
	return len(w) > 1 && quantitiesFirst[w[0]] || quantitiesLast[last] || words.Singular(last) != last
}

// persons are words of what someone is to a thing, and people those of the
// relations that have everyone in them.
var (
	persons = words.Set(`owner manager mgr assignee assigned approver approved author reviewer supervisor boss representative rep salesrep
salesperson agent handler handled buyer byr seller creator created editor updated modified operator technician inspector contact head lead
leader responsible requester requested requestor recipient sender driver planner processed sold opened closed entered signed reports
doctor doc physician phys consultant cons surgeon surg nurse therapist prescriber teacher instructor tutor coach trainer`)
	people = words.Set("employee staff user person people personnel")
	// above are words of columns that refer to their own relation.
	above = words.Set("parent manager mgr boss supervisor superior predecessor reports")
)

// roleOf returns the word of a column's name that says who or what its values
// are to its rows: owner of owner_id, approved of approved_by, rep of rep_no.
func roleOf(c *schema.Column) string {
	w := words.Split(c.Name)
	for len(w) > 1 && (keySuffixes[w[len(w)-1]] || w[len(w)-1] == "by" || w[len(w)-1] == "to") {
		w = w[:len(w)-1]
	}
	if len(w) == 0 {
		return ""
	}
	return w[len(w)-1]
}
