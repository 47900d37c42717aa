package translator

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/prompt"
	"askpg/translator/vote"
)

// variant is a kind of prompt.
type variant struct {
	name  string
	style prompt.Style
	frame prompt.Frame
	order prompt.Order
}

// autoVariants differ in rendering, order and task, so that what they agree
// on owes little to either.
var autoVariants = []variant{
	{"ddl", prompt.DDL, prompt.Direct, prompt.Order{}},
	{"profile-plan", prompt.Profile, prompt.Plan, prompt.Order{Reverse: true}},
	{"reference-divide", prompt.Reference, prompt.Divide, prompt.Order{Shuffle: 1}},
}

// sampleSpec says how a candidate was asked for.
type sampleSpec struct {
	model       model
	prompt      string // the variant's name
	messages    []llm.Message
	sample      int // number of the first sample of this prompt
	n           int
	temperature *float64
	stage       string
	once        bool // not sent back if it fails
}

// readAndAsk has the grammar read the question and asks each variant for one
// sample, side by side, over the models in turn. Prompts are made while the grammar reads,
// and go out once it has: a question that it refuses is put to no model. Its reading is tried
// while models think.
func readAndAsk(ctx context.Context, s *state) (bool, error) {
	began := time.Now()
	models := s.t.withRole(llm.RoleGenerate)
	var specs []*sampleSpec
	var early errgroup.Group
	_, embeds := s.t.embedder()
	if !embeds { // whose vectors are a model's
		early.Go(func() (err error) { specs, err = s.firstSpecs(ctx, models); return err })
	}
	refused := s.interpret()
	err := early.Wait()
	if refused != nil {
		return false, refused
	}
	if embeds && err == nil {
		specs, err = s.firstSpecs(ctx, models)
	}
	s.stage("interpret", began)
	if err != nil {
		return false, err
	}
	began = time.Now()
	if len(specs) > 0 {
		ask.Progress(ctx, fmt.Sprintf("asking %s with %d prompts", modelNames(models), len(specs)))
	}
	g, gctx := errgroup.WithContext(ctx)
	s.tryReadings(gctx, g)
	g.Go(func() error { return s.wave(gctx, specs) })
	err = g.Wait()
	if len(models) > 0 {
		s.stage("generate", began)
	}
	return false, err
}

// firstSpecs renders the prompts of the first wave.
func (s *state) firstSpecs(ctx context.Context, models []model) ([]*sampleSpec, error) {
	if len(models) == 0 {
		return nil, nil
	}
	if err := s.loadDemos(ctx); err != nil {
		return nil, err
	}
	if err := s.loadSamples(ctx); err != nil {
		return nil, err
	}
	n := min(len(autoVariants), s.set.maxSamples)
	made := make([]*sampleSpec, n)
	failed := make([]error, n)
	var g errgroup.Group
	for i, v := range autoVariants[:n] {
		g.Go(func() error {
			made[i], failed[i] = s.spec(models[i%len(models)], v, 1)
			return nil
		})
	}
	_ = g.Wait() // none fails the others
	var specs []*sampleSpec
	for i, spec := range made {
		if failed[i] != nil {
			s.notice(failed[i].Error())
			continue
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// moreWaves asks for further samples while they can change the outcome.
func moreWaves(ctx context.Context, s *state) (bool, error) {
	models := s.t.withRole(llm.RoleGenerate)
	if len(models) == 0 {
		return false, nil
	}
	for round := 1; ; round++ {
		left := min(s.set.maxSamples-s.modelSamples(), s.callsLeft())
		groups := s.rank(s.ballots())
		if s.overBudget() || vote.Stop(groups, left, s.t.cfg.StopProbability) || s.silent() || s.outOfTime(ctx) || s.enoughRefusals() {
			return false, nil
		}
		n := min(s.t.cfg.WaveSize, left)
		ask.Progress(ctx, fmt.Sprintf("%s; asking for %d more", agreement(groups, s.asked), n))
		var specs []*sampleSpec
		for range n {
			i := s.modelSamples() + len(specs)
			v := autoVariants[i%len(autoVariants)]
			v.order.Shuffle = uint64(i + 1)
			// Another model than the one that had this prompt before.
			m := models[(i+i/len(autoVariants))%len(models)]
			spec, err := s.spec(m, v, 1+i/len(autoVariants))
			if err != nil {
				continue
			}
			t := s.t.cfg.Temperature
			spec.temperature = &t
			specs = append(specs, spec)
		}
		if len(specs) == 0 {
			return false, nil
		}
		if err := s.wave(ctx, specs); err != nil {
			return false, err
		}
	}
}

func modelNames(models []model) string {
	if len(models) == 1 {
		return models[0].Name()
	}
	return fmt.Sprintf("%d models", len(models))
}

func agreement(groups []vote.Group, asked int) string {
	if len(groups) == 0 {
		return "no candidate ran yet"
	}
	return fmt.Sprintf("%.0f of %d candidates agree", groups[0].Votes, asked)
}

// spec renders a variant's prompt for a model.
func (s *state) spec(m model, v variant, sample int) (*sampleSpec, error) {
	in := s.input(m, v)
	in.Near, in.NarrowFrom = s.around(), s.t.cfg.NarrowFrom
	s.showed(in.Demos)
	p, err := prompt.Render(in)
	if err != nil {
		return nil, err
	}
	if p.Left > 0 {
		s.notice(fmt.Sprintf("the schema is larger than the window of model %s: %d of %d relations were left out of its prompt",
			m.Name(), p.Left, p.Left+len(p.Shown)))
	}
	return &sampleSpec{model: m, prompt: v.name, sample: sample, n: 1, stage: "generate",
		messages: []llm.Message{{Role: llm.System, Content: p.System}, {Role: llm.User, Content: p.User}}}, nil
}

func (s *state) input(m model, v variant) prompt.Input {
	in := prompt.Input{
		Snapshot: s.snap, Question: s.q.Text, Hint: s.q.Hint, History: s.q.History, Hits: s.hits, Privacy: s.t.cfg.Privacy,
		SearchPath: s.set.searchPath, Now: s.q.Asked.In(s.set.location), TimeZone: s.set.zone,
		Style: v.style, Frame: v.frame, Order: v.order, Budget: m.Window - m.MaxTokens,
		Samples: s.rows,
	}
	if s.snap.Values.Len() > 0 && s.t.cfg.Privacy.Values != prompt.ValuesNone {
		in.Notes = unheld(s.q.Text, s.hits)
	}
	for _, d := range s.demos {
		in.Demos = append(in.Demos, prompt.Demo{Question: d.Question, SQL: d.SQL})
	}
	return in
}

// wave samples from several prompts side by side; each answer is checked and
// run as soon as it comes.
func (s *state) wave(ctx context.Context, specs []*sampleSpec) error {
	g, gctx := errgroup.WithContext(ctx)
	for _, spec := range specs {
		g.Go(func() error { return s.sample(gctx, spec) })
	}
	return g.Wait()
}

// sample asks for one prompt's samples. Its error ends the question.
func (s *state) sample(ctx context.Context, spec *sampleSpec) error {
	call, cancel := context.WithDeadline(ctx, s.modelDeadline)
	defer cancel()
	s.mu.Lock()
	s.asked += spec.n
	s.sampled += spec.n
	s.mu.Unlock()
	res, err, ok := s.complete(call, spec.model, llm.Request{Messages: spec.messages, N: spec.n, Temperature: spec.temperature, Stage: spec.stage, Form: sqlForm})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !ok {
		s.mu.Lock()
		s.asked -= spec.n
		s.sampled -= spec.n
		s.mu.Unlock()
		return nil
	}
	g, gctx := errgroup.WithContext(ctx)
	for i := range spec.n {
		origin := ask.Origin{Model: spec.model.Name(), Prompt: spec.prompt, Sample: spec.sample + i}
		if i >= len(res.Texts) {
			s.add(candidate{Candidate: ask.Candidate{Origin: origin, Fate: ask.FateNoAnswer, Elapsed: res.Elapsed,
				Err: ask.Errorf(ask.CodeNoModel, "%s", reason(err)).Because(err)}})
			continue
		}
		g.Go(func() error { return s.answered(gctx, spec, origin, res.Texts[i]) })
	}
	return g.Wait()
}

// reason is what a person is told of a failed call.
func reason(err error) string {
	if err == nil {
		return "the model sent fewer samples than it was asked for"
	}
	return err.Error()
}

// answered makes a candidate of a model's text, tries it, and sends it back
// once if that may mend it.
func (s *state) answered(ctx context.Context, spec *sampleSpec, origin ask.Origin, text string) error {
	a := extract(text)
	switch {
	case a.Refuses:
		s.mu.Lock()
		s.missing = append(s.missing, a.Missing)
		s.mu.Unlock()
		s.add(candidate{Candidate: ask.Candidate{Origin: origin, Fate: ask.FateInvalid,
			Err: ask.Errorf(ask.CodeNoCandidate, "the model says that the data can't answer: %s", oneLine(a.Missing, 300))}})
		return nil
	case a.SQL == "":
		s.add(candidate{Candidate: ask.Candidate{Origin: origin, Fate: ask.FateInvalid,
			Err: ask.Errorf(ask.CodeSyntax, "no SQL in the model's answer").WithDetail("%s", oneLine(text, 200))}})
		return nil
	}
	c := s.add(candidate{Candidate: ask.Candidate{SQL: a.SQL, Origin: origin}, spec: spec})
	if err := s.try(ctx, c); err != nil {
		return err
	}
	return s.mend(ctx, c)
}

// loadDemos looks for verified examples of similar questions. Where a model
// embeds and there are more than a prompt has room for, it ranks those that are lexically near.
func (s *state) loadDemos(ctx context.Context) error {
	if s.t.examples == nil || s.t.cfg.Demos == 0 {
		return nil
	}
	k := s.t.cfg.Demos
	e, embeds := s.t.embedder()
	n := k
	if embeds {
		n = max(k, embedded)
	}
	demos, err := s.t.examples.Similar(ctx, &s.q, n)
	if err != nil {
		s.t.log.Warn("similar examples could not be read", "id", s.q.ID, "error", err)
		return ctx.Err()
	}
	if embeds && len(demos) > k {
		texts := []string{s.q.Text}
		for _, d := range demos {
			texts = append(texts, d.Question)
		}
		if v, ok := s.embed(ctx, e, texts); ok {
			demos = ranked(demos, v[0], v[1:])
		}
	}
	s.demos = demos[:min(k, len(demos))]
	return ctx.Err()
}

// silent says that no model answers: asking again would only cost time.
func (s *state) silent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.candidates {
		if c.Origin.Model != grammarName && c.Fate != ask.FateNoAnswer {
			return false
		}
	}
	return true
}

// enoughRefusals says that the models agree that the data can't answer.
func (s *state) enoughRefusals() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.missing) >= 2 && 2*len(s.missing) > s.sampled
}

func (s *state) outOfTime(ctx context.Context) bool {
	return ctx.Err() != nil || !time.Now().Before(s.modelDeadline)
}

// modelSamples counts the samples that models were asked for.
func (s *state) modelSamples() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sampled
}
