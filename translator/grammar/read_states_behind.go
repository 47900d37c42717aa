// States behind a noun without a verb: "on hold", "where no supplier is set".

package grammar

import "slices"

// stateOfTwoWords reads "on hold" behind things: a value of several words that begins with a preposition.
func (p *parser) stateOfTwoWords(i int) (out []modifierCandidate) {
	if p.tokens[i].kind != wordToken || !p.language.prepositions[p.tokens[i].lower] {
		return nil
	}
	for end, hits := range inOrder(p.mentions.values[i]) {
		if end > i+1 && hits[0].score >= 1 {
			out = append(out, modifierCandidate{modifier{kind: modifierRelated, ofThingItself: true, phrase: &phrase{values: [][]valueMention{hits}, words: [2]int{i, end}}}, end, 0.1})
		}
	}
	return out
}

// notGiven reads "where no supplier is set", "we have no phone number for", "that we do not offer a course for", "we have no ware from".
func (p *parser) notGiven(i int) (out []modifierCandidate) {
	for _, e := range p.maybe(i, "where", "relative") {
		lacks := p.weLack(e)
		if e > i {
			lacks = append(lacks, p.ends(e, "no")...)
		}
		for _, no := range lacks {
			for _, m := range append(p.absence(no, []string{"have"}), p.noneCalled(no, i)...) {
				out = append(out, p.behindLack(m)...)
				if e > i {
					for _, made := range each(p.behind(p.maybe(m.end, "do", "be_bare"), "noise"), p.fillerVerb) {
						out = append(out, modifierCandidate{m.modifier, made.end, m.cost + made.cost}) // "where no class has ever been scheduled"
					}
				}
			}
		}
	}
	return out
}

// noneCalled reads "title" of "publishers we have no title from" as the books that have one each. What is said of the things before token i
// themselves is about their own.
func (p *parser) noneCalled(i, behind int) (out []modifierCandidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		for _, c := range a.candidates {
			r := c.column.Relation
			if c.score < namedScore || !c.column.NotNull || !slices.Contains(p.lexicon.relationInfo[r].display, c.column) || p.endsName(behind-1, r) {
				continue
			}
			cost := 0.2
			if singular(p.at(end-1).lower) != "" {
				cost = 0 // of its own a thing has but one
			}
			m := modifier{kind: modifierRelated, phrase: p.entity(r), hints: []string{"have"}, negated: true}
			out = append(out, modifierCandidate{m, end, cost})
		}
	}
	return out
}

// behindLack reads what says no more than what is lacking: "is set", and "for" or "from" at the end.
func (p *parser) behindLack(m modifierCandidate) (out []modifierCandidate) {
	for _, be := range p.ends(m.end, "be_bare") {
		if valueIsThereWords[p.at(be).lower] {
			out = append(out, modifierCandidate{m.modifier, be + 1, m.cost + 0.05})
		}
	}
	last := m.end+1 == len(p.tokens) || p.at(m.end+1).kind == punctToken
	if w := p.at(m.end).lower; last && (w == "for" || w == "of" || w == "on" || m.modifier.kind == modifierRelated && (w == "from" || w == "by")) {
		out = append(out, modifierCandidate{m.modifier, m.end + 1, m.cost + 0.1})
	}
	return out
}

// weLack returns where what "we have no", "we do not offer" is said of begins.
func (p *parser) weLack(i int) (lacks []int) {
	if p.at(i).lower == "we" && p.language.havingVerbs[p.at(i+1).stem] {
		lacks = append(lacks, p.ends(i+2, "no")...)
	}
	for _, not := range p.ends(i, "not") { // removeAsker left out "we"
		if p.language.havingVerbs[p.at(not).stem] {
			lacks = append(lacks, not+1)
		}
	}
	return lacks
}

// valueIsThereWords are words for what is there in a row.
var valueIsThereWords = wordSet([]string{"set", "given", "known", "recorded", "entered", "stored", "specified", "there", "filled"})
