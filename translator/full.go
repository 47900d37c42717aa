package translator

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/prompt"
	"askpg/translator/vote"
)

// chains runs the stages of strategy full as chains side by side: augment,
// generate, correct. Their results vote, so that self-consistency spans every stage (Maamari et
// al. 2024, section 4.3). The whole schema is shown where it fits, else the columns that
// matter most fill the window (section 4.4), which is how every prompt is rendered.
func chains(ctx context.Context, s *state) error {
	s.votesOnly = true
	c := s.t.cfg.Full
	models, err := s.generators(ctx)
	if err != nil {
		return err
	}
	notes := make([]string, c.Samples)
	if c.Augment {
		ask.Progress(ctx, "noting what the columns mean and what the answer looks like")
		texts, err := s.task(ctx, models[0], prompt.Augment, s.input(models[0], variant{style: prompt.Profile}), nil, c.Samples, &c.Temperature)
		if err != nil {
			return err
		}
		for i, t := range texts[:min(len(texts), len(notes))] {
			notes[i] = notesIn(t)
		}
	}
	ask.Progress(ctx, fmt.Sprintf("asking for %d candidates", c.Samples))
	g, gctx := errgroup.WithContext(ctx)
	for i := range c.Samples {
		g.Go(caught(func() error { return s.chain(gctx, models[i%len(models)], notes[i], i+1) }))
	}
	return g.Wait()
}

// notesIn bounds and marks notes that a model wrote for a later prompt.
func notesIn(text string) string {
	text = withoutThoughts(text)
	if len(text) > 4000 {
		text = strings.ToValidUTF8(text[:4000], "")
	}
	return text
}

// noted heads such notes: what an earlier step guessed is no fact for the next.
const noted = "Notes on the question by a first reading. They may be wrong; check them against the tables, which count:"

// chain is one sample of every stage.
func (s *state) chain(ctx context.Context, m model, notes string, number int) error {
	c := s.t.cfg.Full
	in := s.input(m, variant{style: prompt.Profile, frame: prompt.Direct})
	if notes != "" {
		in.Notes = append(in.Notes, noted+"\n"+notes)
	}
	spec, err := s.specOf(m, "full", in)
	if err != nil {
		s.notice(err.Error())
		return nil
	}
	spec.sample = number
	if number > 1 {
		spec.temperature = &c.Temperature
	}
	if err := s.sample(ctx, spec); err != nil {
		return err
	}
	last := s.lastOf(spec)
	for range c.Reflections {
		if last == nil || last.result != nil || last.Fate == ask.FateRefused {
			break
		}
		if last, err = s.reflect(ctx, spec, last); err != nil {
			return err
		}
	}
	if c.Review && last != nil && last.result != nil && last.first == nil {
		return s.review(ctx, spec, last)
	}
	return nil
}

// lastOf returns the last candidate that came of a prompt, its repair
// included.
func (s *state) lastOf(spec *sampleSpec) *candidate {
	s.mu.Lock()
	defer s.mu.Unlock()
	var last *candidate
	for _, c := range s.candidates {
		if c.spec == spec {
			last = c
		}
	}
	if last != nil && last.repair != nil {
		last = last.repair
	}
	return last
}

// reflect asks for another attempt, with what failed in view.
func (s *state) reflect(ctx context.Context, spec *sampleSpec, failed *candidate) (*candidate, error) {
	if failed.Err == nil {
		return failed, nil
	}
	text, err := prompt.Reflect(failed.SQL, failed.Err.Message)
	if err != nil {
		return nil, err
	}
	return s.continueFrom(ctx, spec, failed, text, "reflect", true)
}

// review has SQL that ran checked against instructions; another one takes its
// place if it runs and says something.
func (s *state) review(ctx context.Context, spec *sampleSpec, c *candidate) error {
	text, err := prompt.Review(c.SQL, s.describeResult(c, chosenRows))
	if err != nil {
		return err
	}
	r, err := s.continueFrom(ctx, spec, c, text, "review", false)
	if err != nil || r == nil || r == c {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.result != nil && (!vote.Blank(r.result) || vote.Blank(c.result)) {
		c.Fate, c.weight, c.repair = ask.FateRepaired, 0, r
	} else {
		r.weight = 0
	}
	return nil
}

// continueFrom continues a candidate's conversation and tries what comes of it. It
// returns the old candidate if nothing new came.
func (s *state) continueFrom(ctx context.Context, spec *sampleSpec, c *candidate, text, stage string, failed bool) (*candidate, error) {
	origin := c.Origin
	origin.Prompt, origin.Repair = spec.prompt+"-"+stage, c.Origin.Repair+1
	n, _, err := s.resume(ctx, spec, c, origin, llm.Request{Messages: []llm.Message{{Role: llm.User, Content: text}}, Stage: stage, Form: sqlForm})
	if err != nil {
		return nil, err
	}
	if n == nil {
		return c, nil
	}
	if failed {
		s.mu.Lock()
		c.Fate, c.repair = ask.FateRepaired, n
		s.mu.Unlock()
	}
	return n, nil
}
