package translator

import (
	"context"
	"errors"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/prompt"
	"askpg/translator/token"
)

// isUp says whether a request to the model may go out now.
func (m model) isUp() bool {
	u, ok := m.Model.(interface{ Up() bool })
	return !ok || u.Up()
}

// up returns the models of a role that are up. Where none is, it returns all of them:
// their calls fail at once, and the failures say why.
func (t *Translator) up(role string) []model {
	all := t.withRole(role)
	if up := slices.DeleteFunc(slices.Clone(all), func(m model) bool { return !m.isUp() }); len(up) > 0 {
		return up
	}
	return all
}

// complete asks a model, and where it fails the other models of the role in turn
// that are up and whose window holds the prompt. by is the model that answered, or was
// asked last. ok is false if the question's budget has no room for the first call.
func (s *state) complete(ctx context.Context, m model, r llm.Request) (res llm.Response, by model, err error, ok bool) {
	var tried []string
	if next, found := s.standIn(m, []string{m.Name()}, r); found && !m.isUp() {
		tried, m = append(tried, m.Name()), next
	}
	for {
		tried = append(tried, m.Name())
		again, e, called := s.call(ctx, m, r)
		if !called {
			return res, by, err, ok
		}
		res, by, err, ok = again, m, e, true
		var failure *llm.Error // another error is not of the model
		if !errors.As(err, &failure) || s.outOfTime(ctx) {
			return res, by, err, true
		}
		next, found := s.standIn(m, tried, r)
		if !found {
			return res, by, err, true
		}
		m = next
	}
}

// completeOwn asks a model, for which no other can stand in.
func (s *state) completeOwn(ctx context.Context, m model, r llm.Request) (res llm.Response, by model, err error, ok bool) {
	res, err, ok = s.call(ctx, m, r)
	return res, m, err, ok
}

// holds reports whether the model's window has room for a request and its longest answer. A server would cut off the beginning
// of a longer one, where the rules are, and say nothing.
func (m model) holds(r llm.Request) bool {
	n := llm.PromptTokens(r) + max(r.MaxTokens, m.MaxTokens)
	if r.Form != nil {
		n += token.Count(r.Form.Note)
	}
	return m.Window == 0 || n <= m.Window
}

// standIn returns the model after m that may take over a request of it. Each model is
// the next of another, so that the requests of one that is away are spread.
func (s *state) standIn(m model, tried []string, r llm.Request) (model, bool) {
	role := llm.RoleGenerate
	if r.Stage == string(prompt.Choose) {
		role = llm.RoleJudge
	}
	models := s.t.withRole(role)
	at := slices.IndexFunc(models, func(o model) bool { return o.Name() == m.Name() })
	for i := range models {
		o := models[(at+1+i)%len(models)]
		if !slices.Contains(tried, o.Name()) && o.isUp() && o.holds(r) {
			return o, true
		}
	}
	return model{}, false
}

// noteFailedCall keeps the last failure of each model. A call that was not sent
// is not counted.
func (s *state) noteFailedCall(m model, err error) {
	var e *llm.Error
	if !errors.As(err, &e) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Unsent() {
		s.calls--
	}
	if s.failed == nil {
		s.failed = map[string]*llm.Error{}
	}
	s.failed[m.Name()] = e
}

// voters counts the samples that were answered, the grammar's reading included.
func (s *state) voters() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked - s.silent
}

// answeredSamples counts the samples of models that were answered.
func (s *state) answeredSamples() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sampled - s.silent
}

// whyNoModel says why no model answered, and what to do about it.
func (s *state) whyNoModel() (what, hint string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var refused []string
	for name, e := range s.failed {
		if e.KeyRefused() {
			refused = append(refused, name)
		}
	}
	if len(refused) == 0 {
		return noAnswerInTime, "Check that the models of the configuration are up (askpg check), or ask again later."
	}
	slices.Sort(refused)
	what = "the server of model " + refused[0] + " does not accept askpg's key"
	if len(refused) > 1 {
		what = "the servers of models " + strings.Join(refused, ", ") + " do not accept askpg's keys"
	}
	if len(refused) < len(s.failed) {
		what = noAnswerInTime + ", and " + what
	}
	return what, "An admin can put a valid key into api_key_file of the [[model]], where it counts at once. Or he puts it into the variable of api_key_env and restarts askpg. SHOW askpg.models shows the state of each model."
}

const noAnswerInTime = "no model answered in time"

// noAnswer is the candidate of a sample that did not come.
func noAnswer(origin ask.Origin, err error) candidate {
	e := ask.Errorf(ask.CodeNoModel, "the model sent fewer samples than it was asked for")
	if err != nil {
		e = ask.Errorf(ask.CodeNoModel, "%s", err).Because(err)
	}
	return candidate{Candidate: ask.Candidate{Origin: origin, Fate: ask.FateNoAnswer, Err: e}}
}
