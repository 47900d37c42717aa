// The orders of words that are read in another order: what stands before a sentence, and questions within sentences.

package grammar

import (
	"slices"
	"strings"
)

// timeFirst puts a time that stands before a sentence behind it: "last year, how many people did we hire". There must be no other time.
func (q *worded) timeFirst() string {
	ends := slices.Clone(q.ends(0, "now"))
	for _, d := range q.date(0) {
		ends = append(ends, d.end)
	}
	for _, end := range ends {
		if comma := q.at(end).lower; comma != "," && comma != ":" {
			continue
		}
		for i := end + 1; i < len(q.tokens); i++ {
			if len(q.date(i)) > 0 {
				return ""
			}
		}
		before, rest := q.question[:q.tokens[end].start], strings.Trim(q.question[q.tokens[end].end:], "?!. ")
		for _, all := range []string{" in total", " altogether", " overall"} {
			rest = strings.TrimSuffix(rest, all)
		}
		return joinWords(rest, strings.TrimSpace(before))
	}
	return ""
}

// groupFirst puts what a sentence is asked for each of behind it: "for each depot, how many tours were late".
func (q *worded) groupFirst() string {
	if w := q.word(1); w != "each" && w != "every" || !q.language.prepositions[q.word(0)] {
		return ""
	}
	comma := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "," })
	end := q.end()
	if comma < 3 || comma+2 >= end {
		return ""
	}
	if w := q.word(end - 1); (w == "it" || w == "them") && q.language.prepositions[q.word(end-2)] {
		end -= 2 // "how many stops are on it"
	}
	return joinWords(q.written(comma+1, end), "for", q.written(1, comma))
}

// consideredFirst makes of what a question is to be answered for what it is asked for: "if we take all claims, what is the average".
func (q *worded) consideredFirst() string {
	if w := q.word(0); w != "if" && w != "when" || !slices.Contains([]string{"i", "we", "you", "one"}, q.word(1)) {
		return ""
	}
	from := 3
	switch q.word(2) {
	case "look":
		if q.word(3) != "at" {
			return ""
		}
		from = 4
	case "take", "consider":
	default:
		return ""
	}
	comma := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "," })
	if comma <= from || comma+1 >= q.end() {
		return ""
	}
	return joinWords(q.written(comma+1, q.end()), "of", q.written(from, comma))
}

// toldWhat asks directly what somebody wants to be told: "tell me what our highest price is".
func (q *worded) toldWhat() string {
	for i := 1; i < len(q.words)-2; i++ {
		if !q.isTold(i - 1) {
			continue
		}
		be := i + 1
		switch q.word(i) {
		case "who":
		case "what":
			owned := isSaid(q.words[be:], "'s")
			if !owned && !slices.Contains([]string{"the", "our", "my", "their", "its", "a", "an"}, q.word(be)) {
				continue
			}
		case "how":
			if len(q.language.adjectivePhrases[q.word(be)]) == 0 {
				continue
			}
			be++
		default:
			continue
		}
		end := q.nowFrom(q.end())
		if end-2 < be || !q.isBe(end-1) {
			continue
		}
		return joinWords(q.written(i, be), q.word(end-1), q.written(be, end-1), q.written(end, q.end()))
	}
	return ""
}

// isTold reports whether what follows the word at i is told or found: "tell me", "know", "check".
func (q *worded) isTold(i int) bool {
	switch q.word(i) {
	case "me", "us":
		return slices.Contains([]string{"tell", "show", "give"}, q.word(i-1))
	case "out":
		return q.word(i-1) == "find"
	}
	return slices.Contains([]string{"know", "see", "check", "verify", "find", "wonder", "wondering"}, q.word(i))
}

// nowFrom returns where words for the present begin that end at a word, and that word if there are none.
func (q *worded) nowFrom(end int) int {
	for i := max(0, end-4); i < end; i++ {
		for _, ph := range q.language.phrases[q.word(i)] {
			if ph.tag == "now" && i+len(ph.words) == end && q.saysAt(i, ph.words) {
				return i
			}
		}
	}
	return end
}

// saysAt reports whether these words stand at i.
func (q *worded) saysAt(i int, words []string) bool {
	for k, w := range words {
		if q.word(i+k) != w {
			return false
		}
	}
	return true
}

// toldWhether asks directly whether something is so: "check if one of our depots is in Norwich".
func (q *worded) toldWhether() string {
	at := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "whether" || t.lower == "if" })
	if at < 1 || at > 7 || !q.isTold(at-1) {
		return ""
	}
	subject, end := at+1, q.end()
	var forms []int
	for i := subject; i < end; i++ {
		if q.isBe(i) {
			forms = append(forms, i)
		}
	}
	verb := q.words[min(subject+1, end-1)]
	switch {
	case q.word(subject) == "we" && q.language.havingVerbs[q.language.stem(verb.lower)] && !strings.HasSuffix(verb.lower, "ed") && q.language.irregular[verb.lower] == "" && verb.lower != "had":
		return joinWords("do", q.written(subject, end))
	case len(forms) == 1 && forms[0] > subject && forms[0] < end-1:
		return joinWords(q.word(forms[0]), q.written(subject, forms[0]), q.written(forms[0]+1, end))
	}
	return ""
}

// divided asks for what is to be divided by what it is divided by: "please break the number of trips down by month".
func (q *worded) divided() string {
	verb := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "break" || t.lower == "split" })
	if verb < 0 || slices.ContainsFunc(q.words[:verb], func(t token) bool {
		return !slices.Contains([]string{"could", "can", "would", "will", "you", "please", "i", "want", "need", "to", "let", "'s", "us"}, t.lower)
	}) {
		return ""
	}
	for i := verb + 2; i < q.end()-1; i++ {
		particle := q.word(i) == "down" || q.word(i) == "up"
		by := i
		if particle {
			by++
		}
		if q.word(by) == "by" && (particle || q.word(verb) == "split") {
			return joinWords(q.written(verb+1, i), q.written(by, q.end()))
		}
	}
	return ""
}

// countBehind says that the number of things is wanted of which the count is asked: "customer count by month".
func (q *worded) countBehind() string {
	count := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "count" })
	if count < 1 || len(q.lexicon.labelsByStem["count"]) > 0 {
		return ""
	}
	from := q.nounBefore(count)
	if from == count {
		return ""
	}
	return joinWords(q.written(0, from), "number of", plural(q.written(from, count)), q.written(count+1, q.end()))
}

// whoAmong asks which of some people: "who among the drivers has the most trips".
func (q *worded) whoAmong() string {
	if (q.word(0) == "who" || q.word(0) == "which") && (q.word(1) == "among" || q.word(1) == "amongst") {
		return joinWords("which of", q.written(2, q.end()))
	}
	return ""
}

// toldWhich puts the verb of what somebody wants to be told before its subject: "tell me which industry the firm works in". The
// subject begins with an article or a name, or behind things in the plural.
func (q *worded) toldWhich() string {
	for i := 1; i < len(q.words)-3; i++ {
		which := i
		if q.language.prepositions[q.word(i)] {
			which++
		}
		asked := q.word(which) == "which" || q.word(which) == "what" || q.saysAt(which, []string{"how", "many"})
		if !asked || !q.isTold(i-1) {
			continue
		}
		verb, auxiliary, base := q.lastVerb(which + 2)
		if verb == 0 {
			return ""
		}
		for k := which + 2; k < verb; k++ {
			if q.beginsSubject(k) {
				return joinWords(q.written(i, k), auxiliary, q.written(k, verb), base, q.written(verb+1, q.end()))
			}
		}
	}
	return ""
}

// beginsSubject reports whether a subject may begin at a word behind a noun.
func (q *worded) beginsSubject(i int) bool {
	t, before := q.words[i], q.word(i-1)
	if q.language.prepositions[before] || len(q.language.phrases[before]) > 0 {
		return false
	}
	return slices.Contains([]string{"the", "our", "my", "their", "a", "an", "we"}, t.lower) || t.text != t.lower || singular(before) != ""
}

// lastVerb returns the only form of "be" behind a word or else the last verb of a sentence, with what stands before its subject where it is
// asked for and what is left of it; 0 if there is none.
func (q *worded) lastVerb(from int) (verb int, auxiliary, base string) {
	end := q.end()
	for i := from; i < end; i++ {
		switch {
		case q.isBe(i) && verb > 0, q.word(i) == "does", q.word(i) == "do", q.word(i) == "did", q.word(i) == "has", q.word(i) == "have":
			return 0, "", ""
		case q.isBe(i):
			verb = i
		}
	}
	if verb > 0 {
		return verb, q.word(verb), ""
	}
	last := end - 1
	if q.language.prepositions[q.word(last)] {
		last--
	}
	w := q.word(last)
	stem := strings.TrimSuffix(w, "s")
	if last <= from || stem == w || !q.language.verbs[q.language.stem(stem)] {
		return 0, "", ""
	}
	return last, "does", stem
}

// averageOfEach asks for the average number that things have: "how many parts does a tour have on average".
func (q *worded) averageOfEach() string {
	from, end := q.end()-2, q.end()
	if !q.saysAt(from, []string{"on", "average"}) {
		return ""
	}
	if q.word(from-1) == "," {
		from--
	}
	many := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "many" })
	if many < 1 || q.word(many-1) != "how" || q.word(from-1) != "have" && q.word(from-1) != "has" {
		return ""
	}
	for i := many + 2; i < end-4; i++ {
		if !slices.Contains([]string{"a", "an", "one", "each", "every"}, q.word(i)) {
			continue
		}
		things := i
		if w := q.word(i - 1); w == "do" || w == "does" {
			things--
		}
		return joinWords("average number of", q.written(many+1, things), "per", q.written(i+1, from-1))
	}
	return ""
}

// asOfNow says "now" for "as of today".
func (q *worded) asOfNow() string {
	for i := range q.words {
		if q.saysAt(i, []string{"as", "of"}) && (q.word(i+2) == "today" || q.word(i+2) == "now") {
			return joinWords(q.written(0, i), "now", q.written(i+3, q.end()))
		}
	}
	return ""
}

// failureRate asks for the percentage of what failed: "payment failure rate by month", "the failure rate of payments".
func (q *worded) failureRate() string {
	at := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "failure" })
	if at < 0 || q.word(at+1) != "rate" {
		return ""
	}
	if q.word(at+2) == "of" || q.word(at+2) == "for" {
		return joinWords(q.written(0, at), "percentage of failed", q.written(at+3, q.end()))
	}
	from := q.nounBefore(at)
	if from == at {
		return ""
	}
	return joinWords(q.written(0, from), "percentage of failed", plural(q.written(from, at)), q.written(at+2, q.end()))
}

// nounBefore returns where the words begin that stand before a word and carry no structure.
func (q *worded) nounBefore(i int) int {
	for i > 0 && q.words[i-1].kind == wordToken && len(q.language.phrases[q.word(i-1)]) == 0 && !q.language.functionWords[q.word(i-1)] {
		i--
	}
	return i
}

// haveDone asks how many things whoever asks has made so: "the number of parcels we have lost".
func (q *worded) haveDone() string {
	of := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "number" }) + 1
	if of < 1 || q.word(of) != "of" {
		return ""
	}
	for i := of + 2; i < q.end()-2; i++ {
		if !q.saysAt(i, []string{"we", "have"}) {
			continue
		}
		things := i
		if w := q.word(i - 1); w == "that" || w == "which" {
			things--
		}
		return joinWords("how many", q.written(of+1, things), "have we", q.written(i+2, q.end()))
	}
	return ""
}

// worthSaid says an amount as that of the things: "orders worth more than 200".
func (q *worded) worthSaid() string {
	at := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "worth" })
	if at < 1 {
		return ""
	}
	for _, tag := range []string{"gt", "ge", "lt", "le"} {
		for _, ph := range q.language.phrases[q.word(at+1)] {
			if ph.tag == tag && q.saysAt(at+1, ph.words) {
				return joinWords(q.written(0, at), "of", q.written(at+1, q.end()))
			}
		}
	}
	return ""
}

// anyHad asks whether there were some of what somebody had: "did we have any returns this month".
func (q *worded) anyHad() string {
	for _, said := range [][]string{{"did", "we", "have", "any"}, {"did", "we", "get", "any"}, {"have", "we", "had", "any"}, {"have", "we", "got", "any"}} {
		if q.saysAt(0, said) {
			return joinWords("were there any", q.written(len(said), q.end()))
		}
	}
	return ""
}

// unitOfMost says the time behind the things of which a unit of time had the most: "in which month of last year did we have the most orders".
func (q *worded) unitOfMost() string {
	which := 0
	if q.word(0) == "in" || q.word(0) == "on" {
		which++
	}
	most := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "most" || t.lower == "fewest" })
	if q.word(which) != "which" && q.word(which) != "what" || most < which+4 || q.word(most-1) != "the" {
		return ""
	}
	unit := which + 1
	if !slices.Contains([]string{"day", "week", "month", "quarter", "year"}, q.word(unit)) {
		return ""
	}
	verb := most - 2
	switch {
	case q.word(verb) == "had" || q.word(verb) == "saw":
	case q.word(verb) == "have" && q.word(verb-1) == "we" && q.word(verb-2) == "did":
		verb -= 2
	default:
		return ""
	}
	from := unit + 1
	if q.word(from) == "of" {
		from++
	}
	return joinWords("which", q.word(unit), "had", q.written(most-1, q.end()), q.written(from, verb))
}

// comparedTimes compares the numbers of two times: "how many guests came in 2024 and how many in 2025", "average fee this year and last year".
func (q *worded) comparedTimes() string {
	for and := 3; and < q.end(); and++ {
		if q.saysAt(and, []string{"and", "how", "many"}) {
			if text := joinWords("compare", q.written(0, and), "and", q.written(and+3, q.end())); newParser(q.lexicon, text, q.options).timesApart() > 0 {
				return text
			}
		}
	}
	if q.timesApart() == 0 || q.word(0) == "compare" {
		return ""
	}
	from := 0
	for _, e := range q.ends(0, "opener") {
		from = max(from, e)
	}
	return joinWords("compare", q.text(from, q.wordsEnd()))
}

// timeOfDone puts the time at which something was done before those who did it: "parcels delivered by DHL yesterday".
func (q *worded) timeOfDone() string {
	for i := 1; i < q.end(); i++ {
		if !q.isDoneBy(i) || !slices.ContainsFunc(q.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool { return isTime(c.column) }) {
			continue
		}
		for at := i + 3; at < q.end(); at++ {
			for _, d := range q.date(at) {
				if d.end == q.wordsEnd() {
					return joinWords(q.text(0, i+1), q.text(at, d.end), q.text(i+1, at))
				}
			}
		}
	}
	return ""
}

// bestTime asks when most was earned: "what was our best month ever", "worst year".
func (q *worded) bestTime() string {
	for i := range q.words {
		highest, known := map[string]string{"best": "highest", "strongest": "highest", "worst": "lowest", "weakest": "lowest"}[q.word(i)]
		unit, end := q.dateUnit(i + 1)
		if !known || end == i+1 || q.language.prepositions[q.word(end)] && len(q.date(end)) == 0 {
			continue
		}
		if q.word(end) == "ever" {
			end++
		}
		return joinWords("which", unit, "had the", highest, "revenue", q.written(end, q.end()))
	}
	return ""
}

// moreThanBefore compares what was earned in two times: "was revenue in May higher than in April", "did we sell more this year than last year".
func (q *worded) moreThanBefore() string {
	if q.saysAt(0, []string{"did", "we", "sell", "more"}) {
		return joinWords("did we have more revenue", q.written(4, q.end()))
	}
	than := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "than" })
	from := 1
	if q.word(from) == "our" || q.word(from) == "the" {
		from++
	}
	if q.word(0) != "was" && q.word(0) != "is" || than < 4 || !slices.Contains([]string{"higher", "bigger", "larger", "better"}, q.word(than-1)) || !q.language.isRevenueWord(q.word(from)) {
		return ""
	}
	return joinWords("did we have more", q.written(from, than-1), q.written(than, q.end()))
}

// rankedList ranks things by an amount: "rank the countries by revenue".
func (q *worded) rankedList() string {
	by := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "by" })
	from := 1
	if q.word(from) == "the" || q.word(from) == "our" {
		from++
	}
	if q.word(0) != "rank" || by <= from {
		return ""
	}
	return joinWords(q.written(by+1, q.end()), "per", q.written(from, by))
}

// soldUnits leaves out that best sellers are those of which most units were sold.
func (q *worded) soldUnits() string {
	by := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "by" })
	if by < 2 || !isSaid(q.words[:by], "best", "top") || !isSaid(q.words[:by], "selling") || !isSaid(q.words[by:], "units", "quantity", "pieces") {
		return ""
	}
	return strings.TrimRight(q.written(0, by), ", ")
}
