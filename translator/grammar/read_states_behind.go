// States behind a noun without a verb: "on hold", "where no supplier is set".

package grammar

// stateOfTwoWords reads "on hold" behind things: a value of several words that begins with a preposition.
func (p *parser) stateOfTwoWords(i int) []modifierCandidate {
	if p.tokens[i].kind != wordToken || !p.language.prepositions[p.tokens[i].lower] {
		return nil
	}
	var out []modifierCandidate
	for end, hits := range inOrder(p.mentions.values[i]) {
		if end > i+1 && hits[0].score >= 1 {
			out = append(out, modifierCandidate{modifier{kind: modifierRelated, ofThingItself: true, phrase: &phrase{values: [][]valueMention{hits}, words: [2]int{i, end}}}, end, 0.1})
		}
	}
	return out
}

// notGiven reads "where no supplier is set".
func (p *parser) notGiven(i int) []modifierCandidate {
	var out []modifierCandidate
	for _, e := range p.ends(i, "where", "relative") {
		for _, no := range p.ends(e, "no") {
			for _, m := range p.absence(no, []string{"have"}) {
				for _, be := range p.ends(m.end, "be_bare") {
					if valueIsThereWords[p.at(be).lower] {
						out = append(out, modifierCandidate{m.modifier, be + 1, m.cost + 0.05})
					}
				}
			}
		}
	}
	return out
}

// valueIsThereWords are words for what is there in a row.
var valueIsThereWords = wordSet([]string{"set", "given", "known", "recorded", "entered", "stored", "specified", "there", "filled"})
