// Putting into one sentence what is said in two: "Some pupils own a boat. Give me their names."

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// A premise says what the question is about: things ("take the boats from Bath", "some pupils own a boat", "boats from Bath: …") or a
// condition on what is asked for ("the harbour is Bath"). What is then asked points back to it ("their names", "how many are there"). Where
// that is not read as it stands, the premise is written in the place of the words that point to it, and the whole is read as any
// question is.

// premiseWords are the words of premises and of what points to them: see english.toml.
type premiseWords struct {
	Take, Some, Must, Listed, Counted, Are, Facts []string
}

// premise is what a question is about, in words.
type premise struct {
	things    string            // "pupils that own a boat"; "" if they are not said
	each      bool              // each of them: "for every pupil, …"
	topic     bool              // all that is asked is of them: "look at the boats from Bath"
	condition string            // "whose harbour is Bath"
	lead      string            // the same as "harbour Bath"
	from, to  int               // the tokens that name the things
	owner     *catalog.Relation // which has the column of the condition
}

// asOne returns what a question that was not read may say in one sentence, likeliest first.
func (p *parser) asOne() (out []string) {
	sentences := p.sentences()
	if len(sentences) == 0 || len(p.tokens) > maxWords {
		return nil
	}
	first := sentences[0]
	if len(sentences) > 1 {
		second := sentences[1]
		rest := ""
		for _, s := range sentences[2:] {
			rest += ". " + p.words(s[0], s[1])
		}
		found := p.required(first, second)
		for _, pr := range p.premises(first[0], first[1]) {
			found = append(found, p.asked(pr, second[0], second[1])...)
		}
		for _, q := range found {
			out = append(out, q+rest)
		}
	}
	if q := p.withoutFacts(); q != "" {
		out = append(out, q)
	}
	for _, pr := range p.premisesBefore(first[0], first[1]) {
		for _, q := range p.asked(pr, pr.to, first[1]) {
			out = append(out, q+p.words(first[1], len(p.tokens)))
		}
	}
	return slices.DeleteFunc(out, func(q string) bool { return q == p.question })
}

// readAsOne reads a question as what it may say in one sentence, where that has one reading, which is likelier than the score; nil if it does
// not.
func (p *parser) readAsOne(score float64) []Interpretation {
	o := p.options
	o.steps = &p.steps
	for _, q := range p.asOne() {
		if list := p.lexicon.readAll(q, o); len(list) > 0 && !isAmbiguous(list) && list[0].Score > score {
			for i := range list {
				list[i].Question = q
			}
			return list
		}
	}
	return nil
}

func (p *parser) words(i, j int) string { return writeTokens(p.tokens[i:j]) }

// behindAny returns the end of the longest of the phrases that begin at token i; i if none does.
func (p *parser) behindAny(i int, phrases []string) int {
	return slices.Max(append(p.anyOfPhrases(i, phrases), i))
}

// premises reads a sentence as a premise.
func (p *parser) premises(i, end int) (out []premise) {
	w := &p.language.premises
	if e := p.behindAny(i, w.Take); e > i && e < end {
		return []premise{{things: p.words(e, end), topic: true, from: e, to: end}}
	}
	for at := i; at < min(end, i+4); at++ { // "this year some pupils …"
		from := p.behindAny(at, w.Some)
		if from == at || from >= end || at > i && p.timeSpan(i) != at {
			continue
		}
		verb := p.finiteVerb(from, end)
		things := p.words(from, end)
		if verb < end {
			things = p.words(from, verb) + " that " + p.predicated(verb, end)
		}
		return []premise{{things: things + " " + p.words(i, at), topic: p.at(at).lower == "i", from: from, to: verb}}
	}
	from := slices.Max(append(p.ends(i, "article"), i))
	verb := p.finiteVerb(from, end)
	if verb == from || verb+1 >= end {
		return nil
	}
	if slices.ContainsFunc(p.mentions.relations[from], func(m relationMention) bool { return m.end == verb }) {
		things := p.words(from, verb) + " that " + p.predicated(verb, end)
		out = append(out, premise{things: things, from: from, to: verb})
	}
	for _, of := range []int{verb, slices.IndexFunc(p.tokens[:verb], func(t token) bool { return t.lower == "of" })} {
		if a := p.mentions.attributes[from][of]; of > from && a != nil && p.saysIs(verb, end) {
			said := p.predicated(verb, end)
			column := p.words(from, of)
			pr := premise{condition: "whose " + column + " " + said, lead: column + " " + strings.TrimPrefix(said, "is ")}
			if and := p.furtherCondition(verb, end); and < end {
				pr.condition = "whose " + column + " " + p.predicated(verb, and) + " and whose " + p.predicated(slices.Max(append(p.ends(and+1, "article"), and+1)), end)
				pr.lead = ""
			}
			r := a.candidates[0].column.Relation
			pr.owner = r
			pr.things = strings.ReplaceAll(r.Name.Name, "_", " ") + " " + pr.condition
			if of < verb {
				pr.from, pr.to = slices.Max(append(p.ends(of+1, "article"), of+1)), verb
				pr.things = p.words(pr.from, verb) + " " + pr.condition
			}
			out = append(out, pr)
		}
	}
	return out
}

// furtherCondition returns where the "and" is that a further condition follows: "the county is Kent and the grade is gold"; end if there is none.
func (p *parser) furtherCondition(i, end int) int {
	for k := i + 2; k < end; k++ {
		from := slices.Max(append(p.ends(k+1, "article"), k+1))
		if p.tokens[k].lower != "and" || from >= end {
			continue
		}
		for e := range p.mentions.attributes[from] {
			if e < end && p.saysIs(e, end) {
				return k
			}
		}
	}
	return end
}

// finiteVerb returns where the predicate of a sentence begins whose subject begins at token i; end if it has none.
func (p *parser) finiteVerb(i, end int) int {
	for k := i + 1; k < end; k++ {
		t := p.tokens[k]
		switch {
		case t.kind == punctToken:
			return end
		case t.kind != wordToken:
		case p.language.auxiliaries[t.lower] || t.lower == "never" || p.behindAny(k, p.language.premises.Must) > k:
			return k
		case p.isVerb(k) && slices.ContainsFunc(p.mentions.relations[k-1], func(m relationMention) bool { return m.end == k }):
			return k
		}
	}
	return end
}

// saysIs reports whether the predicate at a token is one of "is" or "must be".
func (p *parser) saysIs(i, end int) bool {
	must := p.behindAny(i, p.language.premises.Must)
	be := []string{"is", "are", "was", "were"}
	return must > i && p.at(must).lower == "be" || must == i && slices.Contains(be, p.at(i).lower) && i < end
}

// predicated returns a predicate as it is said of things: "have a boat" of "must have a boat", "is Bath or Hull" of "must be Bath or it must be
// Hull".
func (p *parser) predicated(i, end int) string {
	var out []string
	for i < end {
		e := p.behindAny(i, p.language.premises.Must)
		switch {
		case e > i && p.at(e).lower == "be" && len(out) > 0 && out[len(out)-1] == "or":
			i = e + 1
			continue
		case e > i && p.at(e).lower == "be":
			out = append(out, "is")
			i = e + 1
			continue
		case e > i:
			i = e
			continue
		case p.at(i).lower == "it" && p.behindAny(i+1, p.language.premises.Must) > i+1:
			i++
			continue
		}
		out = append(out, p.words(i, i+1))
		i++
	}
	return strings.TrimSuffix(strings.ReplaceAll(strings.Join(out, " "), " ,", ","), ",")
}

// required reads a second sentence that says more of what the first one asks for: "Show the boats. They must be built before 1990."
func (p *parser) required(first, second [2]int) (out []string) {
	verb := p.finiteVerb(second[0], second[1])
	must := p.behindAny(verb, p.language.premises.Must)
	if must == verb || must >= second[1] {
		return nil
	}
	asked := p.words(first[0], first[1])
	if w := p.at(second[0]).lower; verb == second[0]+1 && (w == "they" || w == "it" || w == "these") {
		return []string{asked + " that " + strings.Replace(p.predicated(verb, second[1]), "is", "are", 1)}
	}
	for _, pr := range p.premises(second[0], second[1]) {
		if pr.condition != "" {
			out = append(out, asked+" "+pr.condition)
		}
	}
	return out
}

// premisesBefore reads what stands before a question in one sentence: "boats from Bath: …", "of the boats from Bath, …".
func (p *parser) premisesBefore(i, end int) (out []premise) {
	each := p.ends(i, "group_lead")
	lead := p.ends(i, "lead")
	for k := i + 1; k < end; k++ {
		switch mark := p.tokens[k]; {
		case mark.kind != punctToken || mark.lower != ":" && mark.lower != ",":
		case len(each) > 0:
			e := slices.Max(each)
			return []premise{{things: p.words(i, k), each: true, from: e, to: k + 1}}
		case len(lead) > 0:
			return []premise{{things: p.words(slices.Max(lead), k), from: slices.Max(lead), to: k + 1}}
		case mark.lower == ":" && len(p.ends(i, "opener")) == 0:
			return []premise{{things: p.words(i, k), from: i, to: k + 1}}
		}
	}
	return nil
}

// withoutFacts returns the question without how many things are to be told: "of the boats I need two things: the name and the age"; "" if it
// says no such thing.
func (p *parser) withoutFacts() string {
	for k := 1; k < len(p.tokens); k++ {
		n, e := p.number(k - 1)
		if n == "" || e != k || p.behindAny(k, p.language.premises.Facts) != k+1 || k+2 >= len(p.tokens) || p.tokens[k+1].kind != punctToken {
			continue
		}
		rest := p.words(k+2, len(p.tokens))
		from := k - 1
		if w := p.at(from - 1).lower; from > 0 && (w == "only" || w == "just") {
			from--
		}
		for j := range from {
			if !slices.Contains(p.ends(j, "opener"), from) {
				continue
			}
			if j == 0 {
				return rest
			}
			if p.tokens[0].lower == "about" {
				return "for " + strings.TrimSuffix(p.words(1, j), ",") + ", " + rest
			}
			return strings.TrimSuffix(p.words(0, j), ",") + ", " + rest
		}
	}
	return ""
}
