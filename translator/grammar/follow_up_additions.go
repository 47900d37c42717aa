// Edits of a follow-up that add something to the previous question, or say of what it is asked.

package grammar

import "slices"

// subject replaces the things that are asked about, where nothing else is said of them.
func (f *followUp) subject() bool {
	from := f.start
	counts := f.more.ends(from, "how_many", "count")
	if len(counts) > 0 {
		from = counts[0]
	}
	ends := f.more.relationAt(from)
	if len(ends) == 0 || ends[0] < f.end && len(counts) == 0 {
		return false
	}
	if ends[0] == f.end {
		olds := f.spans(func(i int) int {
			if e := f.said.relationAt(i); len(e) > 0 {
				return e[0]
			}
			return i
		})
		if len(olds) == 1 && olds[0][1] == len(f.before) || len(olds) == 1 && f.said.isOnlyFillers(olds[0][1], len(f.before)) {
			f.replace(editSubject, olds[0], writeTokens(f.more.tokens[from:f.end]))
			f.edits[len(f.edits)-1].replaces = false
		}
	}
	return true
}

// addition says something more of the same things, or shows more of them.
func (f *followUp) addition() {
	base, rest := f.text(0, len(f.before)), f.rest()
	bare := len(f.more.prepositions(f.start)) == 0 && len(f.more.ends(f.start, "relative", "group", "with", "without", "order", "except")) == 0
	if bare {
		// "web": before the name of the things that have it
		for i := range f.before {
			if len(f.said.relationAt(i)) > 0 {
				f.add(editCondition, false, f.text(0, i), rest, f.text(i, len(f.before)))
				break
			}
		}
		f.add(editCondition, false, base, "that are", rest)
		f.add(editCondition, false, base, "for", rest)
	}
	f.add(editCondition, false, base, rest)
	for _, at := range slices.Concat(f.spans(f.said.keySpan), f.spans(f.said.timeSpan)) {
		if bare {
			f.add(editCondition, false, f.text(0, at[0]), "that are", rest, f.text(at[0], len(f.before)))
			continue
		}
		f.add(editCondition, false, f.text(0, at[0]), rest, f.text(at[0], len(f.before)))
	}
	f.add(editOutput, false, base, rest)
	if bare {
		f.add(editOutput, false, base, "with", rest)
		f.add(editOutput, false, base, "and", rest)
		for _, at := range slices.Concat(f.spans(f.said.keySpan), f.spans(f.said.timeSpan)) {
			f.add(editOutput, false, f.text(0, at[0]), "and", rest, f.text(at[0], len(f.before)))
		}
	}
}
