// The entrance: Interpret, and how readings become scored interpretations.

package grammar

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"askpg/ask"
	"askpg/catalog"
)

// Options are what an interpretation depends on besides question and catalog.
type Options struct {
	Now        time.Time      // when the question was asked; the clock if zero
	Location   *time.Location // the session's time zone; that of Now if nil
	SearchPath []string       // schemas whose relations need no qualification; "public" if nil
	Max        int            // readings to return at most; 8 if 0
	Previous   string         // the question that this one follows up on, if it does
	Chosen     string         // the SQL that answered that one; "" if it is not known
	Suggest    bool           // a refusal looks for questions that have an answer, which takes some time
	// Context stops the reading when it ends, and Interpret returns an error then; nil never ends.
	Context context.Context

	notCounted *notCounted   // what the question says of it has been read before
	defined    []measureName // by the hint
	steps      *int          // that the questions have taken which are read one after the other to find one; nil if it is one alone
}

// isStopped reports whether nobody waits for the reading any more.
func (o *Options) isStopped() bool { return o.Context != nil && o.Context.Err() != nil }

// Interpretation is one reading of a question.
type Interpretation struct {
	SQL    string
	Score  float64 // 0..1, the likelihood that this is the reading meant
	Linked []ask.Link
	Near   bool // as likely as the best reading, and another one
	// Question is the whole question that a follow-up was read as, or the one sentence that several were; "" if it was neither.
	Question string

	shape shape
}

const (
	defaultMax   = 8
	maxWords     = 120 // a longer text is no question that this grammar reads
	acceptedCost = 4.5
	// answeredCost is the cost up to which a best reading is an answer: beyond
	// it, it is more often wrong than is worth having. Below it the cost does not
	// tell right from wrong, nor does the number of readings: see docs/accuracy.md.
	answeredCost = 2.01
	// leftOutCost is by how much less likely a reading may be that has a state which another leaves out.
	leftOutCost = 0.5
	// otherRowsCost is by how much less likely a reading may be of rows that have the time which is asked for.
	otherRowsCost = 1
	// nearCost is the difference of cost up to which two readings are as likely.
	nearCost = 0.06
)

// Interpret returns the readings of a question, best first. Definitions in the hint count as those of an admin do: see Unread. An
// error is an *ask.Error: ASK01 names the words that were not understood, 42501 a relation
// that the role may not read, 57014 that the context of the options ended.
func Interpret(question, hint string, s *catalog.Snapshot, o Options) ([]Interpretation, error) {
	list, err := interpret(question, hint, s, o)
	if o.isStopped() { // what was read until then may lack the best reading
		return nil, ask.Errorf(ask.CodeQueryCanceled, "reading the question was stopped").Because(context.Cause(o.Context))
	}
	if e := ask.AsError(err); e != nil {
		e.Message, e.Detail, e.Hint = safeText(e.Message), safeText(e.Detail), safeText(e.Hint)
	}
	return list, err
}

func interpret(question, hint string, s *catalog.Snapshot, o Options) ([]Interpretation, error) {
	if o.SearchPath == nil {
		o.SearchPath = []string{"public"}
	}
	if o.Max == 0 {
		o.Max = defaultMax
	}
	if strings.TrimSpace(question) == "" || !utf8.ValidString(question) {
		return nil, ask.Errorf(ask.CodeNoCandidate, "the question is empty").WithHint("Ask for something that the tables hold, such as: how many orders are there?")
	}
	x := lexiconOf(s)
	if len(s.Relations) == 0 {
		return nil, ask.Errorf(ask.CodeNoCandidate, "there is no table that role %q may read in database %q", s.Role, s.Database)
	}
	if hint != "" {
		o.defined, question, _ = x.readHint(hint, question)
		_, o.Previous, _ = x.readHint(hint, o.Previous)
	}
	if previous := o.Previous; previous != "" {
		o.Previous, o.steps = "", new(int)
		whole, list, err := x.follow(previous, question, o)
		for i := range list {
			list[i].Question = whole
		}
		return list[:min(o.Max, len(list))], err
	}
	p := newParser(x, question, o)
	if len(p.tokens) > maxWords {
		return nil, errTooLong(len(p.tokens))
	}
	if err := p.forbiddenError(); err != nil {
		return nil, err
	}
	if p.asksToAct() {
		return nil, p.actError()
	}
	list, err := p.answer()
	if list == nil {
		return nil, err
	}
	return list[:min(o.Max, len(list))], nil
}

// answer returns the readings of the question, in other words if it has none in its own or if several sentences are likelier read as one.
// Why there is none is looked for last, as that takes the longest.
func (p *parser) answer() ([]Interpretation, error) {
	if list := p.withoutNotCounted(); list != nil {
		return list, nil
	}
	why := p.structureError
	var list []Interpretation
	if len(p.unknown()) > 0 {
		why = p.unknownError
	} else if len(p.tokens) != 1 || !p.isFunction(0) {
		list = p.interpretations(p.read())
	}
	likely := score(answeredCost)
	if len(list) > 0 && list[0].Score >= likely {
		likely = list[0].Score
	} else if _, list = p.inOtherWords(); list != nil {
		return list, nil
	}
	if len(list) == 0 || len(p.sentences()) > 1 {
		if one := p.readAsOne(likely); one != nil {
			list = one
		}
	}
	if list == nil {
		return nil, why()
	}
	return list, nil
}

// read returns the readings of the whole question.
func (p *parser) read() []candidate {
	sentences := p.sentences()
	if len(sentences) == 0 {
		return nil
	}
	list := p.statement(sentences[0][0], sentences[0][1])
	for _, s := range sentences[1:] {
		if p.isOnlyFillers(s[0], s[1]) {
			continue
		}
		var next []candidate
		for _, c := range list {
			next = append(next, p.further(c, s[0], s[1])...)
		}
		list = cheapest(next, 24)
	}
	return list
}

// sortCandidates puts the cheapest first, and of those the shortest, whatever the order in which a map gave them.
func sortCandidates(list []candidate) {
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.end, b.end)) })
}

// interpretations writes the SQL of readings, drops those that come to the
// same, and scores the rest.
func (p *parser) interpretations(readings []candidate) []Interpretation {
	var list []costed
	at := map[string]int{} // where in list a query is
	refused := math.Inf(1) // cost of the best reading that no answer is better than
	for r := range p.allWholeReadings(readings) {
		sql, err := p.render(r.phrase, false)
		if err != nil {
			continue
		}
		if why, more := p.refusalAndCost(r.phrase, sql); why != "" {
			if r.cost+more < refused {
				refused, p.whyRefused = r.cost+more, why
			}
			continue
		}
		r.cost += p.thingTimeCost(r.phrase.set, false) + p.stateForEventCost(r.phrase) + p.offPathCost(r.phrase)
		if r.cost > acceptedCost {
			continue
		}
		for _, v := range p.variants(r, sql) {
			if k, known := at[v.SQL]; !known {
				at[v.SQL] = len(list)
				list = append(list, v)
			} else if v.cost < list[k].cost {
				list[k] = v
			}
		}
	}
	slices.SortStableFunc(list, func(a, b costed) int { return cmp.Compare(a.cost, b.cost) })
	if len(list) == 0 || list[0].cost >= refused {
		return nil // a worse reading is no answer either
	}
	p.whyRefused = ""
	return scored(list)
}

// allWholeReadings goes through the whole readings of candidates.
func (p *parser) allWholeReadings(list []candidate) iter.Seq[reading] {
	return func(yield func(reading) bool) {
		for _, c := range list {
			if c.cost > acceptedCost {
				continue
			}
			for _, r := range p.wholeReadings(c.phrase) {
				if r.cost += c.cost; !yield(r) {
					return
				}
			}
		}
	}
}

// scored scores interpretations, the cheapest of which comes first.
func scored(list []costed) []Interpretation {
	out := make([]Interpretation, len(list))
	for i, c := range list {
		out[i] = c.Interpretation
		out[i].Score = score(c.cost)
		out[i].Near = i > 0 && !c.joined && c.cost-list[0].cost < nearCost
	}
	return out
}

// variants returns a reading as an interpretation, and again with all its relations joined.
func (p *parser) variants(r reading, sql string) []costed {
	links := p.links(r.phrase)
	as := Interpretation{SQL: sql, Linked: links, shape: p.shapeOf(r.phrase, links)}
	out := []costed{{as, r.cost, false}}
	if joined, err := p.render(r.phrase, true); err == nil {
		as.SQL = joined
		out = append(out, costed{as, r.cost + joinAllCost, true})
	}
	return out
}

// refusalAndCost returns why a reading is refused, "" if it is not, and a cost that is then added to the reading's: another reading that
// costs less is an answer all the same.
func (p *parser) refusalAndCost(n *phrase, sql string) (why string, cost float64) {
	if n.refusal == notCountedElsewhere {
		return n.refusal, noAnswerCost
	}
	if why := p.firstRefusal(n, (*parser).refuseWhenOfOther, (*parser).refuseUnitsCounted); why != "" {
		return why, otherRowsCost
	}
	if n.set != nil {
		if why := p.refuseWordTwice(n); why != "" {
			return why, otherRowsCost
		}
		if why := p.refuseIdleJoin(n.set, asksAbout(n)); why != "" {
			return why, 2 * nearCost // "by region" groups, in another reading
		}
	}
	if why := cmp.Or(p.refusal(n), p.refuseNumberLeftOut(sql), p.refuseQuotedLeftOut(sql), p.refuseAverageLeftOut(sql)); why != "" || n.set == nil {
		if n.set != nil && p.revenueLeftOut(n) >= 0 {
			return why, otherRowsCost // "sales last month" are no orders, if there is an amount
		}
		return why, 0
	}
	if why := cmp.Or(p.refusePersonTime(n, true), p.refuseManaged(n)); why != "" {
		return why, noAnswerCost // what happens to people has that time, and who manages them is their key
	}
	if why := p.firstRefusal(n, (*parser).refuseSingleLine, (*parser).refuseSalesCounted); why != "" {
		return why, leftOutCost
	}
	if why := p.firstRefusal(n, otherRowsMeant...); why != "" {
		return why, otherRowsCost
	}
	return p.refuseStateLeftOut(n), leftOutCost
}

// otherRowsMeant are the checks of readings whose rows are others than those that the question asks for, in this order.
var otherRowsMeant = []func(*parser, *phrase) string{
	(*parser).refuseMeasuredTime, (*parser).refuseWorthAtTime, (*parser).refuseTimeOfSecond, (*parser).refuseStockAtTime, (*parser).refuseTimeOfFlag,
	(*parser).refuseOpenedForOpen, (*parser).refuseSoldElsewhere, (*parser).refuseAllOfNumber, (*parser).refuseJoinedElsewhere, (*parser).refuseNewLeftOut, (*parser).refuseOfReferenced,
	(*parser).refuseLivesElsewhere, (*parser).refuseStepOfOther, (*parser).refuseMeasureAsKey, (*parser).refuseTimeOfCalledOff,
	(*parser).refuseJoinedForCame, (*parser).refuseTimeOfOtherEvent, (*parser).refuseOtherTimeOfVerb, (*parser).refuseRowsForAverage,
	(*parser).refuseSalesListed, (*parser).refuseReceivedAsRevenue, (*parser).refuseLinesForBilled, (*parser).refuseNumbersAsCount,
	(*parser).refuseBoundForNumber, (*parser).refuseBeginForEnd, (*parser).refuseOtherTimeOfState, (*parser).refuseDetour, (*parser).refuseUnprovedLead,
	(*parser).refuseLengthOfOther, (*parser).refusePartlyPaid, (*parser).refuseReceivedCounted, (*parser).refuseAttributeOfOthers,
	(*parser).refuseBegunStay, (*parser).refuseListedByKind, (*parser).refuseUncompared, (*parser).refusePartOfCode, (*parser).refuseTimesForThings,
	(*parser).refuseNoMoney, (*parser).refuseOtherRowsMeasured, (*parser).refuseKindOfOne, (*parser).refuseSumBesidePieces,
	(*parser).refuseEventForThing, (*parser).refuseMeaningForThings, (*parser).refuseUnkeyed, (*parser).refuseButOfCounted,
}

// costed is an interpretation that has a cost and no score yet.
type costed struct {
	Interpretation
	cost   float64
	joined bool // a variant whose relations are all joined, which keeps duplicates
}

// joinAllCost is what the variant of a reading costs more whose relations are all joined.
const joinAllCost = 0.4

// wholeReadings completes a phrase that stands for the whole question: attributes get their sets, and what the question implies is added,
// such as that cancelled orders are no revenue.
func (p *parser) wholeReadings(n *phrase) []reading {
	out := p.withTimesOfStates(p.summed(p.resolvePhrase(n)))
	for i := range out {
		for _, complete := range completions {
			out[i].phrase = complete(p, out[i].phrase)
		}
		if n.set != nil || len(n.ratio) > 0 {
			out[i].cost = 0
		}
		if n.isValue() {
			out[i].cost += 1.5
		}
	}
	return out
}

// completions are what is said of a whole reading where the question leaves it unsaid, in this order.
var completions = []func(*parser, *phrase) *phrase{
	(*parser).sumOfNamedAmounts, (*parser).sumOfCounted, (*parser).sumOfTime, (*parser).rankByNamedAmount, (*parser).resolveExtreme, (*parser).ofOneEvent, (*parser).ofSameRow, (*parser).ofRankedEvents, (*parser).asWhether,
	(*parser).showReferenced, (*parser).showWith, (*parser).wholeRow, (*parser).inMentionedUnit, (*parser).showUnit, (*parser).withoutCalledOff,
	(*parser).soFar, (*parser).goingOnThen, (*parser).onlyOngoing, (*parser).revenueWithoutCancelled, (*parser).withoutVoidBills, (*parser).leaveNotCounted,
	(*parser).onlyDone, (*parser).lastSoFar, (*parser).onlyReceived, (*parser).countOfEvents, (*parser).keepingAll, (*parser).keepShown,
}

// score turns the cost of a reading into the likelihood that it is right, on a database that nobody had in view when the
// rules were made: docs/accuracy.md has the answers that costPerE was fitted on.
func score(cost float64) float64 {
	return math.Round(1000*0.99*math.Exp(-max(0, cost)/costPerE)) / 1000
}

// costPerE is the cost by which a reading is e times less likely.
const costPerE = 5
