package eval

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"askpg/ask"
)

// Report is everything that a run measured.
type Report struct {
	Sets     []string
	Systems  []Summary // one for each set and system, and one for all sets if there are several
	Pairs    []Pair
	Failures []Failure
	outcomes []scored
}

// scored is an outcome with its question.
type scored struct {
	*Outcome
	q *Question
}

// Summary is the figures of one system on one set. Accuracies are shares of
// the answerable questions, refused and failed ones counting as wrong.
type Summary struct {
	Set, System  string
	Questions    int     // answerable
	Perm         float64 // execution accuracy, columns in any order
	PermLow      float64 // 95 % interval, by bootstrap
	PermHigh     float64
	Strict       float64
	StrictGold   float64 // Perm without the questions whose gold returns nothing
	Contained    float64
	BIRD         float64 // BIRD's EX
	Suite        float64 // right on every state of the database
	SoftF1       float64
	RVES         float64 // ×100, as BIRD gives it; 0 if not timed
	Valid        float64 // answers whose SQL runs, of all SQL that was given
	Coverage     float64 // answered
	Precision    float64 // Perm of those answered
	AnyRight     float64 // a candidate was right
	NoGold       int     // questions left out because no gold of theirs runs
	Unanswerable int
	Refused      float64 // of the unanswerable
	Declined     float64 // of the answerable: refused without need
	Failed       int     // questions without an answer because a model gave none, or time ran out
	ECE, Brier   float64
	Bins         []calibrationBin
	Curve        []calibrationPoint
	Sure         float64 // the most of the answerable that a limit of the confidence answers with 95 % of them right
	Calls        float64 // a question
	Tokens       float64 // a question
	Cost         float64 // a question
	P50, P95     time.Duration
	Stages       []ask.Stage // mean times
	ByDifficulty []Part
	ByDatabase   []Part
	Causes       []Count
}

// Part is the accuracy on a part of the questions.
type Part struct {
	Name            string
	Questions       int
	Perm, Precision float64
	Coverage        float64
}

// Count is how often something was.
type Count struct {
	Name string
	N    int
}

// Pair compares two systems on the questions that both were asked.
type Pair struct {
	Set, A, B         string
	OnlyA, OnlyB      int     // right of one and wrong of the other
	P                 float64 // McNemar's test, exact
	Difference        float64 // accuracy of B less that of A
	DiffLow, DiffHigh float64 // 95 % interval, by bootstrap
}

// Failure is an outcome that was not right.
type Failure struct {
	Outcome
	Text       string   `json:"text"`
	Database   string   `json:"db"`
	Difficulty string   `json:"difficulty"`
	Gold       []string `json:"gold"`
}

func newReport(sets []*Set, tasks []task, j *journal) *Report {
	r := &Report{}
	byKey := map[[2]string][]scored{} // by set and system
	var order [][2]string
	add := func(key [2]string, s scored) {
		if byKey[key] == nil {
			order = append(order, key)
		}
		byKey[key] = append(byKey[key], s)
	}
	for _, t := range tasks {
		for _, system := range t.systems() {
			out := j.get(outcomeKey{t.set.Name, t.question.ID, system})
			if out == nil {
				continue
			}
			s := scored{out, t.question}
			r.outcomes = append(r.outcomes, s)
			add([2]string{t.set.Name, system}, s)
			if out.right(t.question) < 1 {
				r.Failures = append(r.Failures, Failure{*out, t.question.Text, t.question.Database, t.question.Difficulty, t.question.Gold})
			}
		}
	}
	for _, s := range sets {
		r.Sets = append(r.Sets, s.Name)
	}
	if len(sets) > 1 {
		for _, s := range r.outcomes {
			add([2]string{allSets, s.System}, s)
		}
	}
	// The sets are in their order, and all of them together come first.
	slices.SortStableFunc(order, func(a, b [2]string) int { return slices.Index(r.Sets, a[0]) - slices.Index(r.Sets, b[0]) })
	for _, key := range order {
		r.Systems = append(r.Systems, summarise(key[0], key[1], byKey[key]))
	}
	for i, a := range order {
		for _, b := range order[i+1:] {
			if a[0] == b[0] {
				r.Pairs = append(r.Pairs, compareSystems(a[0], a[1], b[1], byKey[a], byKey[b]))
			}
		}
	}
	return r
}

const allSets = "all"

func summarise(set, system string, list []scored) Summary {
	s := Summary{Set: set, System: system}
	var perm, confidence, right []float64
	var latency []int64
	var mean figures
	var given, valid, withGold, rightWithGold, refused, declined, anyRight float64
	causes := map[Cause]int{}
	stages := map[string]time.Duration{}
	var stageNames []string
	for _, o := range list {
		latency = append(latency, int64(o.Elapsed))
		s.Calls += float64(o.Usage.Calls)
		s.Tokens += float64(o.Usage.PromptTokens + o.Usage.CompletionTokens)
		s.Cost += o.Usage.Cost
		for _, stage := range o.Stages {
			if _, ok := stages[stage.Name]; !ok {
				stageNames = append(stageNames, stage.Name)
			}
			stages[stage.Name] += stage.Elapsed
		}
		if o.Cause != "" {
			causes[o.Cause]++
		}
		if o.failed() {
			s.Failed++
		}
		if o.q.Unanswerable {
			s.Unanswerable++
			refused += o.right(o.q)
			continue
		}
		if o.NoGold {
			s.NoGold++
			continue
		}
		perm = append(perm, o.Perm)
		mean.add(&o.figures)
		anyRight += share(o.AnyRight)
		declined += share(o.refused())
		if o.SQL != "" {
			given++
			valid += share(o.Answered)
		}
		if !o.q.GoldEmpty {
			withGold++
			rightWithGold += o.Perm
		}
		if o.Answered {
			confidence = append(confidence, o.Confidence)
			right = append(right, o.Perm)
		}
	}
	s.Questions = len(perm)
	n := float64(max(len(perm), 1))
	mean.divide(n)
	s.Strict, s.Perm, s.Contained, s.BIRD, s.Suite, s.SoftF1, s.RVES = mean.Strict, mean.Perm, mean.Contained, mean.BIRD, mean.Suite, mean.SoftF1, 100*mean.Reward
	s.AnyRight = anyRight / n
	all := float64(max(len(list), 1))
	s.Calls, s.Tokens, s.Cost = s.Calls/all, s.Tokens/all, s.Cost/all
	s.PermLow, s.PermHigh = bootstrap(perm)
	s.StrictGold = ratio(rightWithGold, withGold)
	s.Valid = ratio(valid, given)
	s.Coverage = float64(len(right)) / n
	s.Precision, _ = meanAndDeviation(right)
	s.Declined = declined / n
	s.Refused = ratio(refused, float64(s.Unanswerable))
	s.Bins, s.ECE, s.Brier = Calibration(confidence, right)
	s.Curve = CoverageRisk(confidence, right, max(len(perm), 1))
	s.Sure = CoverageAt(.95, s.Curve)
	s.P50, s.P95 = time.Duration(percentile(latency, .5)), time.Duration(percentile(latency, .95))
	for _, name := range stageNames {
		s.Stages = append(s.Stages, ask.Stage{Name: name, Elapsed: stages[name] / time.Duration(len(list))})
	}
	s.ByDifficulty = parts(list, func(q *Question) string { return q.Difficulty })
	s.ByDatabase = parts(list, func(q *Question) string { return q.Database })
	for cause, n := range causes {
		s.Causes = append(s.Causes, Count{string(cause), n})
	}
	slices.SortFunc(s.Causes, func(a, b Count) int { return cmp.Or(b.N-a.N, strings.Compare(a.Name, b.Name)) })
	return s
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// parts splits the answerable questions by name.
func parts(list []scored, name func(*Question) string) []Part {
	index := map[string]int{}
	var parts []Part
	for _, o := range list {
		if o.q.Unanswerable || o.NoGold {
			continue
		}
		key := cmp.Or(name(o.q), "–")
		i, ok := index[key]
		if !ok {
			i = len(parts)
			index[key] = i
			parts = append(parts, Part{Name: key})
		}
		parts[i].Questions++
		parts[i].Perm += o.Perm
		parts[i].Coverage += share(o.Answered)
	}
	for i := range parts {
		p := &parts[i]
		p.Precision = ratio(p.Perm, p.Coverage)
		p.Perm /= float64(p.Questions)
		p.Coverage /= float64(p.Questions)
	}
	order := []string{"simple", "easy", "medium", "moderate", "hard", "extra", "challenging"}
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(slices.Index(order, a.Name)-slices.Index(order, b.Name), strings.Compare(a.Name, b.Name))
	})
	return parts
}

func compareSystems(set, a, b string, as, bs []scored) Pair {
	p := Pair{Set: set, A: a, B: b}
	ofA := map[outcomeKey]scored{}
	key := func(s scored) outcomeKey { return outcomeKey{s.Set, s.Question, ""} }
	for _, s := range as {
		ofA[key(s)] = s
	}
	var differences []float64
	for _, s := range bs {
		other, ok := ofA[key(s)]
		if !ok || s.NoGold {
			continue
		}
		x, y := other.right(s.q), s.right(s.q)
		differences = append(differences, y-x)
		// A question shared by a tie counts for whoever has the larger part of it.
		switch {
		case x >= .5 && y < .5:
			p.OnlyA++
		case y >= .5 && x < .5:
			p.OnlyB++
		}
	}
	p.Difference, _ = meanAndDeviation(differences)
	p.DiffLow, p.DiffHigh = bootstrap(differences)
	p.P = mcNemar(p.OnlyA, p.OnlyB)
	return p
}
