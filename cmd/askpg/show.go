package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"askpg/ask"
	"askpg/proxy"
	"askpg/store"
	"askpg/translator/llm"
)

// shows answer SHOW askpg.status, askpg.models and askpg.budget.
func (a *app) shows() map[string]proxy.ShowFunc {
	began := time.Now()
	return map[string]proxy.ShowFunc{
		"status": func(ctx context.Context, s ask.Session) (*ask.Result, error) { return a.showStatus(ctx, s, began) },
		"models": func(context.Context, ask.Session) (*ask.Result, error) { return a.showModels(), nil },
		"budget": a.showBudget,
	}
}

// showStatus says of each part whether it works for the session, a row each:
// what an asker can do something about or tell an administrator.
func (a *app) showStatus(ctx context.Context, s ask.Session, began time.Time) (*ask.Result, error) {
	table := ask.NewTable(ask.TextColumn("component"), ask.TextColumn("state"), ask.TextColumn("detail"))
	part := func(name string, err error, detail string) {
		if err == nil {
			table.Add(name, "ready", detail)
			return
		}
		if e := ask.AsError(err); e != nil {
			detail = e.Message
		} else {
			detail = "the log of askpg says why"
			a.log.WarnContext(ctx, "SHOW askpg.status found a fault", "component", name, "error", err)
		}
		table.Add(name, "not ready", detail)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	part("askpg", nil, fmt.Sprintf("version %s, up %s, %d sessions", versionString(), time.Since(began).Round(time.Second), a.proxy.Sessions()))
	part("primary", a.proxy.Ready(ctx), "")
	_, _, replica, err := a.execute(ctx, s, "SELECT 1", false)
	where := fmt.Sprintf("%s, %s behind", replica.Name, replica.Lag.Round(time.Millisecond))
	if replica.Primary {
		where = replica.Name + ", which is a primary"
	}
	part("replica", err, where)
	snap, err := a.catalog.Snapshot(ctx, s.Database, s.Role)
	detail := ""
	if err == nil {
		detail = fmt.Sprintf("%d tables and views that %s may read", len(snap.Relations), s.Role)
	}
	part("catalog", err, detail)
	ready, faults := 0, ""
	for _, m := range a.current.Load().models {
		if h := m.Health(); h.State != llm.Ready {
			faults += fmt.Sprintf("; %s: %s", m.Name(), h.State)
		} else {
			ready++
		}
	}
	switch {
	case len(a.current.Load().models) == 0:
		part("models", nil, "none: the built-in engine answers")
	case ready == 0:
		table.Add("models", "not ready", "none answers: the built-in engine stands in where it may"+faults)
	default:
		part("models", nil, fmt.Sprintf("%d of %d answer%s", ready, len(a.current.Load().models), faults))
	}
	waiting := ""
	if n := a.store.Spilled(); n > 0 {
		waiting = fmt.Sprintf("%d bytes wait in the spill file", n)
	}
	part("log", a.store.Ping(ctx), waiting)
	return &table.Result, nil
}

// showModels lists what may answer, in the order of the configuration, with the state of
// each, why, and since when.
func (a *app) showModels() *ask.Result {
	table := ask.NewTable(ask.TextColumn("name"), ask.TextColumn("roles"), ask.TextColumn("state"), ask.TextColumn("local"),
		ask.IntColumn("window_tokens"), ask.IntColumn("answer_tokens"), ask.TextColumn("reason"), ask.TextColumn("since"))
	for _, m := range a.current.Load().models {
		t := m.Traits()
		h := m.Health()
		state, local := string(h.State), "no"
		var reason any
		if h.Reason != "" {
			reason = h.Reason
		}
		if t.Local {
			local = "yes"
		}
		if a.config().Privacy.Models == "local" && !t.Local {
			state = "not used: privacy.models is local"
		}
		table.Add(m.Name(), strings.Join(t.Roles, ", "), state, local, t.Window, t.MaxTokens, reason, h.Since.UTC().Format(time.RFC3339))
	}
	table.Add("grammar", "built in", string(llm.Ready), "yes", nil, nil, nil, nil)
	return &table.Result
}

// showBudget lists what the session's role, its team and all together have asked and spent today, and in this minute if
// that is bounded. It lists what they may, and what is left; NULL is no bound.
func (a *app) showBudget(ctx context.Context, s ask.Session) (*ask.Result, error) {
	table := ask.NewTable(ask.TextColumn("whose"), ask.TextColumn("period"), ask.IntColumn("questions"), ask.IntColumn("questions_limit"), ask.IntColumn("calls"), ask.IntColumn("calls_limit"),
		ask.IntColumn("tokens"), ask.IntColumn("tokens_limit"), ask.FloatColumn("cost"), ask.FloatColumn("cost_limit"),
		ask.IntColumn("questions_left"), ask.IntColumn("calls_left"), ask.IntColumn("tokens_left"), ask.FloatColumn("cost_left"))
	list, err := a.store.Spending(ctx, s.Role, time.Now())
	if err != nil {
		return nil, ask.Errorf(ask.CodeObjectNotReady, "the budget cannot be read").WithHint("Ask again later.").Because(err)
	}
	for _, sp := range list {
		rest, most := sp.Left(), sp.Limit
		questions := bounded(most.Questions, sp.Questions) // they are not counted without a limit
		table.Add(sp.Subject, sp.Period, questions, bounded(most.Questions, most.Questions), sp.Calls, bounded(most.Calls, most.Calls),
			sp.Tokens, bounded(most.Tokens, most.Tokens), money(sp.Cost), bounded(most.Cost, most.Cost),
			bounded(most.Questions, rest.Questions), bounded(most.Calls, rest.Calls), bounded(most.Tokens, rest.Tokens), bounded(most.Cost, money(rest.Cost)))
	}
	return &table.Result, nil
}

// money drops what adding up floating point numbers puts behind the ninth digit.
func money(sum float64) float64 { return math.Round(sum*1e9) / 1e9 }

// bounded returns a number of what has a limit, nil without one.
func bounded[T int64 | float64](limit, n T) any {
	if limit == 0 {
		return nil
	}
	return n
}

// logRun logs the candidate that an asker took by ask(run N) as an answer of
// its own. A question that was erased since it was asked must not come into the log again.
func (a *app) logRun(ctx context.Context, q ask.Question, asked time.Time, tr *ask.Translation) error {
	if erased, err := a.store.Erased(ctx, q.Session.SessionUser, asked); err == nil && erased { // a store that is away had its erasures before
		return errErased
	}
	chosen := ask.TranslatorFunc(func(context.Context, ask.Question) (*ask.Translation, error) { return tr, nil })
	_, err := store.Logged(chosen, a.store).Translate(ctx, q)
	return err
}
