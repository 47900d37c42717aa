package learn

import (
	"slices"

	"askpg/catalog"
)

// narrowed reports whether a reading has a condition beyond the definition's
// that another source has as well: then it is another definition.
func (d *definition) narrowed(r reading, all []reading) bool {
	return slices.ContainsFunc(r.filter, func(c conjunct) bool {
		return !meets(d.filter, c) && len(sources(statements(having(all, c)))) > 1
	})
}

// having returns the readings that have a condition, or one that implies it.
func having(reads []reading, c conjunct) []reading {
	return slices.DeleteFunc(slices.Clone(reads), func(r reading) bool { return !meets(r.filter, c) })
}

// commonFilter returns the conditions that readings share: the one that most
// weight has first, each as long as half of the weight has it and all before it.
func commonFilter(reads []reading) []conjunct {
	found := map[string]conjunct{}
	with := map[string]float64{}
	for _, r := range reads {
		for _, c := range r.filter {
			found[c.text], with[c.text] = c, weight(statements(having(reads, c)))
		}
	}
	var out []conjunct
	left := reads
	for _, name := range ordered(with) {
		if next := having(left, found[name]); weight(statements(next)) > minShare*weight(statements(reads)) {
			out, left = append(out, found[name]), next
		}
	}
	return reduce(out)
}

// sharedFilter returns the conditions that all readings have: what a value is of other rows, those without one of them say.
func sharedFilter(reads []reading) []conjunct {
	return slices.DeleteFunc(slices.Clone(reads[0].filter), func(c conjunct) bool {
		return len(having(reads, c)) < len(reads)
	})
}

// commonTime is the date that the statements of a measure or term go by, nil if they do not agree.
func commonTime(reads []reading) *catalog.Column {
	for _, r := range reads {
		if r.time == nil {
			continue
		}
		var e Evidence
		for _, o := range reads {
			switch o.time {
			case nil:
			case r.time:
				e.For = with(e.For, o.statement)
			default:
				e.Against = with(e.Against, o.statement)
			}
		}
		if e.Share() >= allShare {
			return r.time
		}
	}
	return nil
}
