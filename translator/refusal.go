package translator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/translator/grammar"
	"askpg/translator/vote"
)

// noCandidate says why no candidate survived.
func (s *state) noCandidate() error {
	var denied, refused, full *ask.Error
	rights, refusals, answered := 0, 0, 0
	path := "" // what askpg says of a name that is not found since its schema was left out of the search_path
	for _, c := range s.candidates {
		if c.Fate == ask.FateNoAnswer {
			continue
		}
		answered++
		if c.Err == nil {
			continue
		}
		switch c.Err.Code {
		case ask.CodeInsufficientRights:
			rights++
			denied = c.Err
		case ask.CodeRefused:
			refusals++
			refused = c.Err
		case ask.CodeOutOfMemory:
			full = c.Err
		case "42P01":
			path = cmp.Or(path, c.Err.Hint)
		}
	}
	switch {
	case answered == 0 && s.sampled == 0 && s.refusal != nil:
		return s.refusal
	case answered == 0 && s.sampled > 0:
		what, hint := s.whyNoModel()
		e := ask.Errorf(ask.CodeNoModel, "%s", what).WithDetail("%s", s.candidateFates()).WithHint("%s", hint)
		if s.refusal != nil {
			e.Detail += "\nThe built-in engine did not understand the question either: " + s.refusal.Error()
		}
		return e
	case answered == 0:
		return ask.Errorf(ask.CodeNoCandidate, "no strategy had a candidate for the question").
			WithHint("Ask it in other words, or configure a model.")
	case len(s.missing) > 0 && 2*len(s.missing) >= answered:
		return s.unanswerable()
	case full != nil:
		return full // another time they may have room
	case denied != nil && 2*rights >= answered:
		return deniedError(denied)
	case refused != nil && refusals == answered:
		return ask.Errorf(ask.CodeRefused, "%s", refused.Message).WithDetail("%s", s.candidateFates()).
			WithHint("%s", cmp.Or(refused.Hint, "Questions can only read. Ask for what the data says."))
	}
	return ask.Errorf(ask.CodeNoCandidate, "no candidate answers the question").WithDetail("%s", s.candidateFates()).
		WithHint("%s", cmp.Or(path, s.hintOr("Ask it in other words, or add a line -- hint: that says what the words stand for.", "Ask it in other words.")))
}

func deniedError(e *ask.Error) error {
	return &ask.Error{Code: e.Code, Message: e.Message, Detail: e.Detail,
		Hint: cmp.Or(e.Hint, "Ask the database's owner for the privilege, or ask without it."), Err: e.Err}
}

// asksToAct begins what models say is missing where a question asks for something to be done.
const asksToAct = "READ ONLY"

// acts says whether most models that refuse the question say that it asks for something to be done.
func acts(missing []string) bool {
	n := 0
	for _, m := range missing {
		if strings.HasPrefix(strings.ToUpper(m), asksToAct) {
			n++
		}
	}
	return 2*n > len(missing)
}

// unanswerable says what the data lacks, as models have it.
func (s *state) unanswerable() error {
	s.unanswered = true
	if acts(s.missing) {
		return ask.Errorf(ask.CodeRefused, "questions can only read, and this one asks for something to be done").
			WithDetail("%d of %d candidates say so.", len(s.missing), max(s.sampled-s.silent, len(s.missing))).
			WithHint("Ask for what the data says. To change data, write SQL: it goes to the server as it is.")
	}
	missing := ""
	for _, m := range s.missing {
		if missing == "" || m != "" && len(m) < len(missing) {
			missing = m
		}
	}
	e := ask.Errorf(ask.CodeNoCandidate, "the data that role %q can read does not answer the question", s.q.Session.Role)
	if missing != "" {
		e.Message += ": " + oneLine(missing, 300)
	}
	return e.WithDetail("%d of %d candidates say so.", len(s.missing), max(s.sampled-s.silent, len(s.missing))).
		WithHint("Ask for what the tables hold: ask 'which tables are there' lists them.")
}

// lowConfidence lists the readings that there are.
func (s *state) lowConfidence(groups []vote.Group, tie bool) error {
	var b strings.Builder
	t := ask.Translation{Chosen: -1}
	for _, c := range s.candidates {
		t.Candidates = append(t.Candidates, c.Candidate)
	}
	shown := t.Ranked()[:min(len(groups), 3)]
	var readings []string
	for _, k := range shown {
		readings = append(readings, s.candidates[k].SQL)
	}
	more := "Or ask more precisely"
	if differ := s.differByDefinition(readings); differ != "" {
		b.WriteString(differ + "\n")
		more += ", and name the definition that you mean"
	}
	if alone := s.askedAlone(shown); len(alone) > 1 {
		more = fmt.Sprintf("Or ask %q or %q", alone[0], alone[1])
	}
	words := s.tellApart(readings)
	for i, k := range shown {
		c := s.candidates[k]
		if len(shown) > 1 {
			fmt.Fprintf(&b, "%d. ", i+1)
		}
		b.WriteString(words[i] + " (")
		if !s.grammarAlone() {
			fmt.Fprintf(&b, "%d of %d candidates, ", c.Votes, s.voters())
		}
		fmt.Fprintf(&b, "%d %s)\n", c.Rows, map[bool]string{true: "row", false: "rows"}[c.Rows == 1])
	}
	if further := len(groups) - len(shown); further > 0 {
		fmt.Fprintf(&b, "and %d more readings", further)
	}
	what, run := fmt.Sprintf("confidence %.2f is below the minimum of %.2f", s.confidence, s.set.minConfidence), "ASK(run 1); runs reading 1, ASK(run 2); reading 2"
	switch {
	case len(shown) == 1:
		run, more = "ASK(run 1); runs this reading", more+". SET askpg.min_confidence lowers the minimum"
	case s.grammarAlone():
		what = fmt.Sprintf("the question can be read in %d ways", len(groups))
	case tie && s.confidence >= s.set.minConfidence:
		what = fmt.Sprintf("the candidates disagree: two readings have %.0f of %d votes each", groups[0].Votes, s.voters())
	default:
		what = fmt.Sprintf("only %.0f of %d candidates agree: ", groups[0].Votes, s.voters()) + what
	}
	return ask.Errorf(ask.CodeLowConfidence, "%s", what).WithDetail("%s", strings.TrimSpace(b.String())).
		WithHint("%s, and ASK(candidates); shows the SQL. %s%s.", run, more, s.hintOr(", or add a hint", ""))
}

// tellApart returns statements in plain words, or as they are if those of one are wanting, too long or those of another.
func (s *state) tellApart(statements []string) (words []string) {
	const most = 200 // bytes
	for _, sql := range statements {
		words = append(words, oneLine(s.sentence(sql), 2*most)) // names and values may hold line breaks
	}
	alike := !distinct(words)
	for i, sql := range statements {
		if alike || words[i] == "" || len(words[i]) > most {
			words[i] = sql
		}
	}
	return cutApart(words, most)
}

// cutApart cuts texts at a length at which no two of them are alike, unless that is far beyond the least.
func cutApart(texts []string, least int) []string {
	for n := least; ; n *= 2 {
		var cut []string
		for _, text := range texts {
			cut = append(cut, oneLine(text, n))
		}
		if n >= 16*least || distinct(cut) {
			return cut
		}
	}
}

func distinct(texts []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(texts)))) == len(texts)
}

// askedAlone returns the questions that have one of the grammar's readings each.
func (s *state) askedAlone(shown []int) []string {
	var list []grammar.Interpretation
	for _, k := range shown {
		if r := s.candidates[k].reading; r != nil && s.grammarAlone() {
			list = append(list, *r)
		}
	}
	if len(list) < 2 {
		return nil
	}
	words := cmp.Or(list[0].Question, s.q.Text)
	alone := grammar.Disambiguate(words, s.snap, list, grammar.Options{Now: s.q.Asked, Location: s.set.location, SearchPath: s.set.searchPath})
	return slices.DeleteFunc(alone, func(q string) bool { return q == "" })
}

// hintOr returns the text for models, which read hints, or the other one.
func (s *state) hintOr(models, engine string) string {
	if s.unmodelled() {
		return engine
	}
	return models
}

// candidateFates lists what became of the candidates, a line each.
func (s *state) candidateFates() string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, c := range s.candidates {
		why := string(c.Fate)
		if c.Err != nil {
			why += ": " + oneLine(c.Err.Message, 200)
		}
		l := fmt.Sprintf("%s, %s: %s", c.Origin.Model, c.Origin.Prompt, why)
		if !seen[l] {
			seen[l] = true
			b.WriteString(l + "\n")
		}
	}
	return strings.TrimSpace(b.String())
}
