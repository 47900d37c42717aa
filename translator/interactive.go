package translator

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// explore runs thought–action loops side by side; the SQL that each executed
// last votes (Xiong et al. 2024).
func explore(ctx context.Context, s *state) error {
	models := s.t.up(llm.RoleGenerate)
	if len(models) == 0 {
		return errNoModels()
	}
	s.votesOnly = true
	ask.Progress(ctx, "looking into the database")
	g, gctx := errgroup.WithContext(ctx)
	for i := range s.t.cfg.Interactive.Samples {
		g.Go(caught(func() error { return s.loop(gctx, models[i%len(models)], i+1) }))
	}
	return g.Wait()
}

var (
	actionLine  = regexp.MustCompile(`(?is)Action\s*:\s*\**\s*(SearchColumn|SearchValue|FindShortestPath|ExecuteSQL|Done)\b\s*(?:\((.*))?`)
	observation = regexp.MustCompile(`(?i)\n\s*Observation\s*:`)
)

// action is one step of a loop.
type action struct {
	name string
	args string
}

// actionIn reads the first action of a turn; what a model imagines to observe
// after it is cut off.
func actionIn(text string) (action, string, bool) {
	text = withoutThoughts(text)
	if i := observation.FindStringIndex(text); i != nil {
		text = strings.TrimSpace(text[:i[0]])
	}
	m := actionLine.FindStringSubmatchIndex(text)
	if m == nil {
		return action{}, text, false
	}
	a := action{name: text[m[2]:m[3]]}
	if m[4] >= 0 {
		a.args = text[m[4]:m[5]]
		if next := actionLine.FindStringIndex(a.args); next != nil {
			text = text[:m[4]+next[0]]
			a.args = a.args[:next[0]]
		}
		if i := strings.LastIndexByte(a.args, ')'); i >= 0 {
			a.args = a.args[:i]
		}
	}
	return a, text, true
}

// loop is one conversation of at most the configured turns.
func (s *state) loop(ctx context.Context, m model, number int) error {
	c := s.t.cfg.Interactive
	s.mu.Lock()
	s.asked++
	s.sampled++
	s.mu.Unlock()
	l := &loop{s: s, model: m, origin: ask.Origin{Model: m.Name(), Prompt: "interactive", Sample: number}, turns: c.Turns,
		tools: &tools{s: s, in: s.input(m, variant{style: prompt.Profile}), rows: c.Rows}}
	if number > 1 {
		l.temperature = &c.Temperature
	}
	if err := l.writing(ctx); err != nil {
		return err
	}
	s.keepLastVote(l.origin, l.tools)
	return nil
}

// loop is a conversation with tools.
type loop struct {
	s           *state
	model       model
	origin      ask.Origin
	turns       int
	temperature *float64
	tools       *tools
}

// turn asks for the next message. ok is false if there is none, and the loop
// ends with what it has.
func (l *loop) turn(ctx context.Context, messages []llm.Message) (llm.Response, error, bool) {
	res, by, err, ok := l.s.complete(ctx, l.model, llm.Request{Messages: messages, Temperature: l.temperature, Stage: "interactive"})
	if ok {
		l.model, l.origin.Model = by, by.Name()
	}
	return res, err, ok && err == nil && len(res.Texts) > 0
}

// noteNoAnswer notes that the model gave no answer, if there is nothing else to show
// for the loop.
func (l *loop) noteNoAnswer(err error) {
	if l.tools.last == nil {
		l.s.mu.Lock()
		l.s.silent++
		l.s.mu.Unlock()
		l.s.add(noAnswer(l.origin, err))
	}
}

// writing is the loop of the paper: a thought and an action a turn, as text.
func (l *loop) writing(ctx context.Context) error {
	p, err := prompt.Interactive(l.tools.in)
	if err != nil {
		return err
	}
	messages := opening(p)
	misses := 0
	for range l.turns {
		res, err, ok := l.turn(ctx, messages)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !ok {
			l.noteNoAnswer(err)
			break
		}
		a, said, found := actionIn(res.Texts[0])
		if !found {
			x := extract(res.Texts[0])
			if x.Refuses {
				l.s.refuses(l.origin, x.Missing)
				return nil
			}
			if x.SQL == "" {
				if misses++; misses > 1 {
					break
				}
				messages = append(messages, llm.Message{Role: llm.Assistant, Content: said},
					llm.Message{Role: llm.User, Content: "Observation: no action was found. Write a line that begins with Action:"})
				continue
			}
			a = action{"ExecuteSQL", x.SQL}
		}
		if a.name == "Done" {
			break
		}
		seen, err := l.tools.run(ctx, a, l.origin)
		if err != nil {
			return err
		}
		messages = append(messages, llm.Message{Role: llm.Assistant, Content: said}, llm.Message{Role: llm.User, Content: "Observation: " + seen})
	}
	return nil
}

// keepLastVote keeps the vote of the last SQL that a loop executed; those before it
// were steps on the way.
func (s *state) keepLastVote(origin ask.Origin, t *tools) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range t.executed {
		if c != t.last {
			c.weight = 0
		}
	}
	if t.last == nil && len(t.executed) == 0 && !slices.ContainsFunc(s.candidates, func(c *candidate) bool { return c.Origin == origin }) {
		c := &candidate{Candidate: ask.Candidate{Origin: origin, Fate: ask.FateInvalid, Rows: -1,
			Err: ask.Errorf(ask.CodeNoCandidate, "the loop ended without SQL")}}
		s.candidates = append(s.candidates, c)
	}
}
