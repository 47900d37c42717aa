package translator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/vote"
)

// readAndAsk has the grammar read the question, and asks models for one sample of each
// variant, side by side. Prompts are rendered while the grammar reads. They go out when it is
// done: a question that it refuses reaches no model. Its reading runs while models answer.
func readAndAsk(ctx context.Context, s *state) error {
	began := time.Now()
	models := s.t.up(llm.RoleGenerate)
	var specs []*sampleSpec
	var early errgroup.Group
	_, embeds := s.t.embedder()
	if !embeds { // else demonstrations need a call, which a refused question must not make
		early.Go(caught(func() (err error) { specs, err = s.firstSpecs(ctx, models); return err }))
	}
	refused := s.interpret(ctx)
	err := early.Wait()
	if refused != nil {
		return refused
	}
	if embeds && err == nil {
		specs, err = s.firstSpecs(ctx, models)
	}
	s.stage("interpret", began)
	if err != nil {
		return err
	}
	began = time.Now()
	if len(specs) > 0 {
		ask.Progress(ctx, fmt.Sprintf("asking %s with %d prompts", modelNames(models), len(specs)))
	}
	g, gctx := errgroup.WithContext(ctx)
	s.tryReadings(gctx, g)
	g.Go(caught(func() error { return s.wave(gctx, specs) }))
	err = g.Wait()
	if len(models) > 0 {
		s.stage("generate", began)
	}
	return err
}

// moreWaves asks for further samples while they can change the outcome.
func moreWaves(ctx context.Context, s *state) error {
	for answered := -1; ; {
		models := s.t.up(llm.RoleGenerate)
		if len(models) == 0 || s.answeredSamples() == answered {
			return nil // no model, or none that answered the last round
		}
		answered = s.answeredSamples()
		left := min(s.set.maxSamples-answered-len(s.doubted), s.callsLeft())
		groups := s.rankedGroups(s.ballots())
		if s.overBudget() || vote.Stop(groups, left, s.t.cfg.StopProbability) || s.noModelAnswers() || s.outOfTime(ctx) || s.enoughRefusals() {
			return nil
		}
		n := min(s.t.cfg.WaveSize, left)
		ask.Progress(ctx, fmt.Sprintf("%s; asking for %d more", agreement(groups, s.voters()), n))
		var specs []*sampleSpec
		for range n {
			i := s.modelSamples() + len(specs)
			// Another model than the one that had this prompt before.
			m := models[(i+i/len(autoVariants))%len(models)]
			if spec, err := s.autoSample(m, i, true); err == nil {
				specs = append(specs, spec)
			}
		}
		if len(specs) == 0 {
			return nil
		}
		if err := s.wave(ctx, specs); err != nil {
			return err
		}
	}
}

func modelNames(models []model) string {
	if len(models) == 1 {
		return models[0].Name()
	}
	return fmt.Sprintf("%d models", len(models))
}

func agreement(groups []vote.Group, voters int) string {
	if len(groups) == 0 {
		return "no candidate ran yet"
	}
	return fmt.Sprintf("%.0f of %d candidates agree", groups[0].Votes, voters)
}

// wave asks for the samples of several prompts side by side. Each answer is judged and
// run as soon as it comes.
func (s *state) wave(ctx context.Context, specs []*sampleSpec) error {
	g, gctx := errgroup.WithContext(ctx)
	for _, spec := range specs {
		g.Go(caught(func() error { return s.sample(gctx, spec) }))
	}
	return g.Wait()
}

// sample asks for one prompt's samples. Its error ends the question.
func (s *state) sample(ctx context.Context, spec *sampleSpec) error {
	s.mu.Lock()
	s.asked += spec.n
	s.sampled += spec.n
	s.mu.Unlock()
	r := llm.Request{Messages: spec.messages, N: spec.n, Temperature: spec.temperature, Stage: "generate", Form: spec.form}
	complete := s.complete
	if spec.own {
		complete = s.completeOwn
	}
	res, by, err, ok := complete(ctx, spec.model, r)
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
	spec.model = by
	s.mu.Lock()
	s.silent += max(0, spec.n-len(res.Texts))
	s.mu.Unlock()
	g, gctx := errgroup.WithContext(ctx)
	for i := range spec.n {
		origin := ask.Origin{Model: spec.model.Name(), Prompt: spec.prompt, Sample: spec.sample + i}
		if i >= len(res.Texts) {
			c := noAnswer(origin, err)
			c.Elapsed = res.Elapsed
			s.add(c)
			continue
		}
		g.Go(caught(func() error { return s.answered(gctx, spec, origin, res.Texts[i]) }))
	}
	return g.Wait()
}

// answered makes a candidate of a model's text and runs it. SQL that fails goes back to
// the model once.
func (s *state) answered(ctx context.Context, spec *sampleSpec, origin ask.Origin, text string) error {
	a := extract(text)
	switch {
	case a.Refuses:
		s.refuses(origin, a.Missing)
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
	return s.repairOnce(ctx, c)
}

// refuses notes that a model says that the data can't answer, and what they lack.
func (s *state) refuses(origin ask.Origin, missing string) {
	s.mu.Lock()
	s.missing = append(s.missing, missing)
	s.mu.Unlock()
	s.add(candidate{Candidate: ask.Candidate{Origin: origin, Fate: ask.FateInvalid,
		Err: ask.Errorf(ask.CodeNoCandidate, "the model says that the data can't answer: %s", oneLine(missing, 300))}})
}

// noModelAnswers says whether every sample of a model is missing so far.
func (s *state) noModelAnswers() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !slices.ContainsFunc(s.candidates, (*candidate).ofAnsweringModel)
}

// ofAnsweringModel says whether a candidate is a sample that a model has sent.
func (c *candidate) ofAnsweringModel() bool {
	return c.Origin.Model != grammarName && c.Fate != ask.FateNoAnswer
}

// enoughRefusals says whether most samples, and at least two, say that the data can't answer. One is enough for a question that touches
// nothing, of which the model was shown the whole schema.
func (s *state) enoughRefusals() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	least := 2
	if s.vague && !s.narrowed {
		least = 1
	}
	return len(s.missing) >= least && 2*len(s.missing) > s.sampled-s.silent
}

// outOfTime says whether the time for models is over.
func (s *state) outOfTime(ctx context.Context) bool {
	return ctx.Err() != nil || !time.Now().Before(s.modelDeadline)
}

// modelSamples counts the samples that models were asked for.
func (s *state) modelSamples() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sampled
}
