package grammar

import "askpg/catalog"

// Mentioned counts what the words of a question may name: relations, columns and values.
func Mentioned(question string, s *catalog.Snapshot) (n int) {
	m := newParser(lexiconOf(s), question, Options{SearchPath: []string{"public"}}).mentions
	for _, list := range m.relations {
		n += len(list)
	}
	for _, byEnd := range m.attributes {
		for _, a := range byEnd {
			n += len(a.candidates)
		}
	}
	for _, byEnd := range m.values {
		for _, hits := range byEnd {
			n += len(hits)
		}
	}
	return n
}

// Steps returns how many steps the reading of a question takes.
func Steps(question string, s *catalog.Snapshot) int {
	p := newParser(lexiconOf(s), question, Options{SearchPath: []string{"public"}})
	p.read()
	return p.steps
}

// FollowsWithin reports whether a follow-up is understood where so many steps are left for it.
func FollowsWithin(left int, previous, question string, s *catalog.Snapshot) bool {
	steps := maxSteps - left
	whole, _, _ := lexiconOf(s).follow(previous, question, Options{SearchPath: []string{"public"}, steps: &steps})
	return whole != ""
}
