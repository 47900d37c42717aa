package translator

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/grammar"
	"askpg/translator/llm"
	"askpg/translator/prompt"
	"askpg/translator/vote"
)

// state is what the stages of a strategy work on.
type state struct {
	t       *Translator
	q       ask.Question
	set     settings
	snap    *catalog.Snapshot
	hits    []catalog.Hit
	ordered bool // the question asks for an order of the rows

	base     context.Context // of the whole question; the executor's snapshot ends with it
	begin    sync.Once
	exec     Snapshot
	beginErr error         // why no executor's snapshot could be opened
	slots    chan struct{} // candidates that run side by side

	mu          sync.Mutex
	candidates  []*candidate
	byKey       map[string]*candidate // the first with the same SQL
	asked       int                   // samples asked for, the grammar's reading included
	sampled     int                   // of them those of models
	silent      int                   // of those the ones that were not answered: they are no votes
	failed      map[string]*llm.Error // the last failure of each model
	calls       int                   // model requests
	repairs     int
	usage       ask.Usage
	spending    map[string]ask.Usage // usage by model
	reserved    reservation          // what calls under way may spend
	exhausted   string               // the budget that had no room for a call; "" if all had
	refusedCall reservation          // what that call might have spent
	unanswered  bool                 // the data can't answer
	stages      []ask.Stage
	notices     []string
	missing     []string                   // what models said the data lacks, one a vote
	doubted     []string                   // what they said of a part of the schema only: no votes
	narrowed    bool                       // a prompt did not even name some relations
	vague       bool                       // the question touches nothing that the search finds: one prompt goes out first
	described   map[*catalog.Relation]bool // by a prompt
	listed      map[*catalog.Relation]bool // by a prompt, in full or in a line of its columns
	demos       []Example
	demosShown  []string       // questions of the demonstrations that prompts had
	rows        prompt.Samples // sample rows, where privacy lets them go

	modelDeadline time.Time

	votesOnly     bool // the confidence is the share of the votes, as the published systems have it
	preferFastest bool // the fastest of a group stands for it, not the cheapest plan

	tables            []*catalog.Relation // linked ones; nil for all
	columns           map[*catalog.Column]bool
	preSQL            string
	selected          string // fingerprint of the group that a judge chose
	judged, judgedFor int    // the judge's answers, and those for it

	readings []grammar.Interpretation // best first
	refusal  error                    // the grammar's, if it understood nothing

	ranked        []vote.Group // of rankedBallots, see rank
	rankedBallots []vote.Ballot

	chosen     *candidate
	confidence float64
	won        ask.Won
	source     ask.Source
	understood string
	linked     []ask.Link
}

// candidate is an ask.Candidate in the making.
type candidate struct {
	ask.Candidate
	key    string // deparsed SQL
	plan   ask.Plan
	result *ask.Result
	weight float64
	first  *candidate    // the candidate with the same SQL that runs for this one
	repair *candidate    // what its model made of the server's error
	done   chan struct{} // closed when its fate before the vote is known
	spec   *sampleSpec   // how it was asked for, for a repair

	reading *grammar.Interpretation // that it comes from, if it is the grammar's

	literals bool // its literals were compared with the values of the database
	volatile bool
}

func newState(t *Translator, q ask.Question, set settings, snap *catalog.Snapshot) *state {
	s := &state{t: t, q: q, set: set, snap: snap, byKey: map[string]*candidate{}, described: map[*catalog.Relation]bool{}, listed: map[*catalog.Relation]bool{}, spending: map[string]ask.Usage{},
		slots: make(chan struct{}, t.cfg.Parallel), ordered: asksForOrder(q.Text),
		modelDeadline: time.Now().Add(set.modelTime)}
	if snap.Values != nil {
		s.hits = mentionedValues(snap.Values, &q)
	}
	return s
}

// run runs the strategy's stages, and decides unless a stage has answered.
func (s *state) run(ctx context.Context) error {
	s.base = ctx
	for _, st := range strategies[s.set.strategy] {
		began := time.Now()
		err := st.run(ctx, s)
		if st.name != "" {
			s.stage(st.name, began)
		}
		if err != nil || s.chosen != nil {
			return err
		}
	}
	return s.withBudget(s.decide())
}

// stage notes the time that a stage took.
func (s *state) stage(name string, began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stages = append(s.stages, ask.Stage{Name: name, Elapsed: time.Since(began)})
}

// snapshot opens the executor's snapshot when the first candidate needs it. An open
// snapshot delays replay on the standby, and a model may take long.
func (s *state) snapshot() (Snapshot, error) {
	s.begin.Do(func() { s.exec, s.beginErr = s.t.exec.Begin(s.base, s.q.Session) })
	return s.exec, s.beginErr
}

// close ends the executor's snapshot.
func (s *state) close() {
	s.begin.Do(func() {})
	if s.exec != nil {
		s.exec.Close()
	}
}

// release frees the memory of all results but the answer's, whose reader frees it.
func (s *state) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.candidates {
		if s.chosen == nil || c.result != s.chosen.result {
			c.result.Release()
		}
	}
}

// notice adds a notice for the asker, once.
func (s *state) notice(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.notices, text) {
		return
	}
	s.notices = append(s.notices, text)
}

// noteDemos notes the demonstrations of a prompt.
func (s *state) noteDemos(demos []prompt.Demo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range demos {
		if !slices.Contains(s.demosShown, d.Question) {
			s.demosShown = append(s.demosShown, d.Question)
		}
	}
}

func (s *state) callsLeft() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set.maxCalls - s.calls
}

// spendingByModel is called with mu held.
func (s *state) spendingByModel() (list []ask.Spending) {
	for _, model := range slices.Sorted(maps.Keys(s.spending)) {
		list = append(list, ask.Spending{Model: model, Usage: s.spending[model]})
	}
	return list
}

// translation returns what was found so far. Candidates that were never run get their fate.
func (s *state) translation() *ask.Translation {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &ask.Translation{
		ID: s.q.ID, Strategy: s.set.strategy, Source: s.source, Confidence: s.confidence, Chosen: -1,
		Understood: s.understood, Linked: s.linked, Demos: s.demosShown, Notices: s.notices, Usage: s.usage, Spending: s.spendingByModel(), Stages: s.stages, Schema: s.snap.Version,
	}
	if s.exec != nil {
		t.Replica = s.exec.Replica()
	}
	told := map[string]bool{}
	for i, c := range s.candidates {
		c.Fate = cmp.Or(c.Fate, ask.FateUnrun)
		if f := c.Fingerprint; f != "" && !told[f] {
			told[f], c.Understood = true, s.sentence(c.SQL)
		}
		t.Candidates = append(t.Candidates, c.Candidate)
		s.t.metrics.candidates.WithLabelValues(string(c.Fate)).Inc()
		if c == s.chosen {
			t.Chosen = i
		}
	}
	if s.grammarAlone() {
		t.Whole = s.readings[0].Question
	}
	if c := s.chosen; c != nil {
		t.Won = s.won
		t.SQL, t.Plan, t.Result, t.Columns = c.SQL, c.plan.Text, c.result, c.result.Columns
		s.t.metrics.confidence.Observe(s.confidence)
	}
	return t
}
