// A question that is not understood as it is written is read in another order of its words that means the same.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// rewordings are orders of words that English has for what the grammar reads in another one. Each returns the question in that, "" if it
// is not in the one. No word with a meaning is added or left out.
var rewordings = []func(q *worded) string{
	(*worded).timeFirst, (*worded).groupFirst, (*worded).consideredFirst, (*worded).toldWhat, (*worded).toldWhether, (*worded).toldWhich,
	(*worded).divided, (*worded).countBehind, (*worded).whoAmong, (*worded).mostRecently, (*worded).lastDone, (*worded).worthSaid,
	(*worded).anyHad, (*worded).averageOfEach, (*worded).didNothing, (*worded).mostUsed, (*worded).topFor,
	(*worded).butNever, (*worded).onlyDone, (*worded).nounBeforeOwner, (*worded).asOfNow, (*worded).failureRate, (*worded).haveDone, (*worded).owed,
	(*worded).inOrderOf, (*worded).whoPlaced, (*worded).notForLong, (*worded).howManyHeld, (*worded).toReorder, (*worded).outOfStock,
	(*worded).hasBeen, (*worded).whenOfParts, (*worded).whoseBirthday, (*worded).whoIsAway, (*worded).whoIsOn, (*worded).next, (*worded).howMuchWasPaid,
	(*worded).whoSignedUp, (*worded).priceOf, (*worded).sellsBest, (*worded).neverUsed, (*worded).timesUsed, (*worded).unitOfMost, (*worded).mostCommonKinds,
	(*worded).takesOnAverage, (*worded).takesToDo, (*worded).soldMost, (*worded).boughtLast, (*worded).isOneOf, (*worded).howManyEach,
	(*worded).sharePer, (*worded).shareOfEach, (*worded).shareFrom, (*worded).comparedTimes, (*worded).soldOfEach, (*worded).howManyPer,
	(*worded).whoJoined, (*worded).timeOfDone, (*worded).statusOf, (*worded).doneByValue, (*worded).mostDone,
	(*worded).bestTime, (*worded).moreThanBefore, (*worded).rankedList, (*worded).soldUnits, (*worded).whereLives, (*worded).stateFirst, (*worded).unitsInEach,
	(*worded).stockWorth, (*worded).stockLeft, (*worded).totalStock, (*worded).takesUntil, (*worded).partsOf, (*worded).managerOf, (*worded).managedBy, (*worded).underThem, (*worded).didDo, (*worded).inBothTimes,
}

// worded is a question whose words are put in another order.
type worded struct {
	*parser
	words []token // as they are written: none is left out, or another put in its place
}

// maxRewordings is how many questions are read at most in the place of one that is not understood.
const maxRewordings = 6

// inOtherWords returns the first rewording of a question that has an answer, and its readings, nil if there is none. What was reworded may be
// reworded again: "could you tell me what our customer count is".
func (p *parser) inOtherWords() (question string, list []Interpretation) {
	if len(p.sentences()) != 1 {
		return "", nil
	}
	o := p.options
	o.steps = new(int)
	tried := []string{p.question}
	for at := 0; at < len(tried) && at < maxRewordings; at++ {
		q := p
		if at > 0 {
			if list := p.lexicon.readAll(tried[at], o); len(list) > 0 {
				return tried[at], list
			}
			q = newParser(p.lexicon, tried[at], p.options)
		}
		w := &worded{q, scan(p.language.dashes(q.question))}
		for _, reword := range rewordings {
			if text := reword(w); text != "" && !slices.Contains(tried, text) {
				tried = append(tried, text)
			}
		}
	}
	return "", nil
}

// word returns the word at i in small letters, "" if there is none.
func (q *worded) word(i int) string {
	if i < 0 || i >= len(q.words) {
		return ""
	}
	return q.words[i].lower
}

// written writes the words from one to before another.
func (q *worded) written(from, to int) string {
	if from >= to {
		return ""
	}
	return strings.TrimRight(strings.TrimSpace(q.question[q.words[from].start:q.words[to-1].end]), "?!. ")
}

// end is where the words end, before the question mark.
func (q *worded) end() int {
	end := len(q.words)
	for end > 0 && strings.Contains("?!.", q.words[end-1].lower) {
		end--
	}
	return end
}

// called writes how a question calls the rows of a relation.
func called(r *catalog.Relation) string { return joinWords(splitName(r.Name.Name)...) }

// joinWords joins parts of a question, some of which may be empty.
func joinWords(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// isBe reports whether the word at i is a form of "be" with a subject.
func (q *worded) isBe(i int) bool {
	return slices.Contains([]string{"is", "are", "was", "were"}, q.word(i))
}

// isBeOrShort reports whether the word at i is a form of "be" with a subject, also the "'s" of "who's".
func (q *worded) isBeOrShort(i int) bool {
	return q.isBe(i) || q.word(i) == "'s" || q.word(i) == "s"
}
