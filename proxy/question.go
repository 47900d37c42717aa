package proxy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"askpg/ask"
)

// answered is a question of this session and what became of it.
type answered struct {
	question    ask.Question
	translation *ask.Translation
	table       *ask.Result    // what to return in place of rows, may be nil
	annotation  *ask.Result    // a row whose values every row of the answer has as its last ones; nil for none
	sql         string         // what to run
	statement   *ask.Statement // of the client's own around chosen SQL, which is what to run; nil for a question
	reading     ask.Reading    // what it names
	rows        *voteRows      // its rows if they are at hand, for one use; may be nil
	info        *sessionInfo
	err         error    // what the asker was told if there was no answer
	show        ShowFunc // of SHOW askpg.…, makes table anew each time; nil for a question
	showLast    bool     // SHOW askpg.last
	forgets     string   // the statement that it deallocates in place of an answer; empty if it is none of that
}

// translate answers a form up to the point where rows are fetched. It tells
// the client about the progress.
func (t *turn) translate(form ask.Form, info *sessionInfo) (a *answered, err error) {
	q := ask.Question{
		ID: ask.NewID(), Text: form.Text, Hint: form.Hint, Action: form.Action, Run: form.Run, Fresh: form.Fresh,
		Options: form.Options, Session: info.session, Asked: time.Now(),
		Client: ask.Client{Address: t.address, ApplicationName: t.startup.ApplicationName, Annotations: form.Annotations},
	}
	if form.More {
		q.History = append(q.History, t.turns...)
		if n := len(t.turns); n > 0 {
			q.Hint = t.turns[n-1].HintFor(q.Hint)
		}
	}
	switch {
	case form.Err != nil:
		return nil, form.Err
	case form.Parameters > 0:
		return nil, ask.ErrUnbound()
	case form.Feedback != nil:
		return t.giveFeedback(q, *form.Feedback, info)
	}
	if err := t.checkChoices(&q); err != nil {
		return nil, err
	}
	annotates := t.annotates(&q)
	switch {
	case form.Action == ask.ActionRun:
		return t.rerun(q, info, annotates)
	case form.Text == "" && form.Action != ask.ActionRows && !form.More && !form.Fresh && len(form.Options) == 0:
		return t.showLastAs(q, info)
	case form.Text == "":
		return nil, ask.Errorf(ask.CodeSyntax, "the question is empty").
			WithHint("Write it after the colon, as in: -- ask: how many customers are there?")
	case form.More && len(t.turns) == 0:
		return nil, ask.Errorf(ask.CodeObjectNotReady, "there is no earlier question in this session to follow up on").WithHint("Ask the whole question, without more.")
	}
	ctx, stop := t.deadline(info)
	defer stop()
	if info.notices {
		var done func()
		ctx, done = t.reportProgress(ctx, info)
		defer done()
	}
	t.lastRows.drop() // those of the last question
	tr, err := t.callTranslator(ctx, q)
	if err != nil {
		return t.unanswered(ctx, q, info, err)
	}
	if tr == nil {
		return nil, errors.New("the translator returned neither a translation nor an error")
	}
	a = &answered{question: q, translation: tr, table: tr.Table(form.Action), sql: tr.SQL, info: info}
	if tr.Result != nil && tr.Result.Complete && info.encoding.plain && a.table == nil {
		a.rows = newVoteRows(tr.Result)
		t.lastRows = a.rows
	} else {
		tr.Result.Release()
	}
	if annotates && a.table == nil {
		a.annotate()
	}
	t.noteLast(a)
	t.noteTurn(ask.Turn{Question: cmp.Or(tr.Whole, q.Text), SQL: tr.SQL, Hint: q.Hint})
	if b := notices(tr, info); info.notices && len(b) > 0 {
		t.currentDriver().notify(b) // the standby begins meanwhile
	}
	return a, nil
}

// noteTurn keeps a question for ask(more).
func (t *turn) noteTurn(turn ask.Turn) {
	t.turns = append(t.turns, turn)
	if extra := len(t.turns) - t.inForce().Listen.History; extra > 0 {
		t.turns = slices.Clone(t.turns[extra:])
	}
}

// unanswered deals with a question that was not answered. Its candidates, if
// it had any, can still be shown, and one of them be run.
//
// The next ask(more) follows up on the question that was not answered, and not on the one before it: the asker has gone on. If
// the question was a follow-up itself, it changes nothing for the next one.
func (t *turn) unanswered(ctx context.Context, q ask.Question, info *sessionInfo, err error) (*answered, error) {
	if len(q.History) == 0 {
		t.noteTurn(ask.Turn{Question: q.Text, Hint: q.Hint})
	}
	if ctx.Err() != nil {
		err = causeOf(ctx, err)
		if ask.AsError(err) != nil { // else somebody has left
			t.noteLast(&answered{question: q, translation: &ask.Translation{ID: q.ID}, info: info, err: err})
		}
		return nil, err
	}
	tr := ask.TranslationOf(err)
	if tr == nil {
		tr = &ask.Translation{ID: q.ID}
	}
	if e := ask.AsError(err); e != nil {
		err = e.Copied().WithHint("%s", strings.TrimSpace(e.Hint+" SHOW askpg.last has the id of the question, for an admin."))
	}
	a := &answered{question: q, translation: tr, info: info, err: err}
	t.noteLast(a)
	if err := t.noticesBeside(err, tr, info); err != nil {
		return nil, err
	}
	if len(tr.Candidates) == 0 || q.Action != ask.ActionCandidates && q.Action != ask.ActionExplain {
		return nil, err
	}
	a.table = tr.Table(q.Action)
	if e := ask.AsError(err); e != nil && info.notices {
		message, detail := shown(e)
		if err := t.writeClient(notice(info, message, detail)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// deadline bounds a question by the session's statement_timeout and by the
// configuration.
func (t *turn) deadline(info *sessionInfo) (context.Context, context.CancelFunc) {
	limit := t.inForce().Listen.QuestionTimeout.Duration()
	if info.timeout > 0 {
		limit = min(limit, info.timeout)
	}
	return context.WithDeadlineCause(t.ctx, t.began.Add(limit), errTimeout)
}

// callTranslator returns when the translator has or when ctx has ended: a
// client that cancels does not wait for a translator that is slow to notice.
// The session keeps at most one such, and does not end before it.
func (t *turn) callTranslator(ctx context.Context, q ask.Question) (*ask.Translation, error) {
	return detached(ctx, &t.answering, func() (*ask.Translation, error) {
		return t.srv.translator.Translate(ctx, q)
	}, func(tr *ask.Translation) {
		if tr != nil {
			tr.Result.Release()
		}
	})
}

// timed runs f, which ends in the time of a question.
func timed[T any](t *turn, info *sessionInfo, f func(context.Context) (T, error)) (T, error) {
	ctx, stop := t.deadline(info)
	defer stop()
	v, err := detached(ctx, &t.answering, func() (T, error) { return f(ctx) }, nil)
	return v, causeOf(ctx, err)
}

// detached runs f and returns what it returns, or earlier if ctx ends; drop,
// which may be nil, is then given what f returns too late.
func detached[T any](ctx context.Context, owner *sync.WaitGroup, f func() (T, error), drop func(T)) (v T, err error) {
	type outcome struct {
		value T
		err   error
	}
	c, left := make(chan outcome), make(chan struct{})
	owner.Go(func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
			select {
			case c <- o:
			case <-left:
				if o.err == nil && drop != nil {
					drop(o.value)
				}
			}
		}()
		o.value, o.err = f()
	})
	select {
	case o := <-c:
		return o.value, o.err
	case <-ctx.Done():
		close(left)
		return v, context.Cause(ctx)
	}
}

// rerun makes an answer of another candidate of the last question.
func (t *turn) rerun(q ask.Question, info *sessionInfo, annotates bool) (*answered, error) {
	if t.last == nil {
		return nil, ask.Errorf(ask.CodeObjectNotReady, "there is no earlier question in this session whose candidate could be run").
			WithHint("Ask the question first; ask(candidates) then lists its candidates.")
	}
	ranked := t.last.translation.Ranked()
	if q.Run < 1 || q.Run > len(ranked) {
		return nil, ask.Errorf(ask.CodeInvalidParameter, "there is no candidate %d: the last question had %d", q.Run, len(ranked)).
			WithHint("ask(candidates) lists them.")
	}
	c := t.last.translation.Candidates[ranked[q.Run-1]]
	if c.SQL == "" {
		return nil, ask.Errorf(ask.CodeInvalidParameter, "candidate %d of the last question has no SQL", q.Run).WithHint("ask(candidates) lists those that have.")
	}
	// The logged question is the one that the candidate was made for, so that a
	// reviewer finds the choice beside it and can approve it.
	last := t.last.question
	q.Text, q.Hint, q.History, q.Options = last.Text, last.Hint, last.History, last.Options
	tr := t.last.translation.Choose(ranked[q.Run-1])
	tr.ID = q.ID
	if t.srv.Run != nil {
		if _, err := timed(t, info, func(ctx context.Context) (struct{}, error) { return struct{}{}, t.srv.Run(ctx, q, last.Asked, tr) }); err != nil {
			return nil, err
		}
	}
	t.judged = q.ID
	a := &answered{question: q, translation: tr, sql: c.SQL, info: info}
	if annotates {
		a.annotate()
	}
	if info.notices {
		message := ask.VisibleSQL(c.SQL)
		if tr.Understood != "" {
			message += "\n-- " + strings.Join(strings.Fields(tr.Understood), " ")
		}
		if err := t.writeClient(notice(info, message, "")); err != nil {
			return nil, err
		}
	}
	t.choose(ask.Turn{Question: cmp.Or(tr.Whole, last.Text), SQL: c.SQL, Hint: last.Hint})
	return a, nil
}

// choose has ask(more) follow up on the candidate that the asker has chosen.
func (t *turn) choose(turn ask.Turn) {
	if n := len(t.turns); n > 0 && t.turns[n-1].Question == turn.Question {
		t.turns = t.turns[: n-1 : n-1]
	}
	t.noteTurn(turn)
}

// showLastAs shows the last question as ask(sql), ask(candidates) or ask(explain) would have.
func (t *turn) showLastAs(q ask.Question, info *sessionInfo) (*answered, error) {
	if t.last == nil {
		return nil, ask.Errorf(ask.CodeObjectNotReady, "there is no earlier question in this session to show").
			WithHint("Write the question behind it, as in ASK(%s) how many customers are there;", q.Action)
	}
	tr := t.last.translation
	if t.last.err != nil && t.last.sql == "" && (q.Action == ask.ActionSQL || len(tr.Candidates) == 0) {
		return nil, t.last.err
	}
	return &answered{question: q, translation: tr, info: info, table: tr.Table(q.Action)}, nil
}

// giveFeedback passes the asker's word on the last answer on.
func (t *turn) giveFeedback(q ask.Question, f ask.Feedback, info *sessionInfo) (*answered, error) {
	if t.last == nil {
		return nil, ask.Errorf(ask.CodeObjectNotReady, "there is no earlier answer in this session to judge").WithHint("Ask a question first.")
	}
	if t.srv.Feedback == nil {
		return nil, ask.Errorf(ask.CodeFeatureNotSupported, "feedback is not kept: there is no store")
	}
	judged := t.judged
	if _, err := timed(t, info, func(ctx context.Context) (struct{}, error) { return struct{}{}, t.srv.Feedback(ctx, judged, q, f) }); err != nil {
		return nil, err
	}
	word := "good"
	if !f.Good {
		word = "bad"
	}
	table := ask.NewTable(ask.TextColumn("feedback"))
	table.Add(word)
	return &answered{question: q, translation: t.last.translation, info: info, table: &table.Result}, nil
}

// measured counts a question and the time that it takes.
func (t *turn) measured(f func() error) error {
	m := t.srv.metrics
	m.thinking.Inc()
	began := time.Now()
	err := f()
	m.thinking.Dec()
	m.questionTime.Observe(time.Since(began).Seconds())
	code := "00000"
	switch err := causeOf(t.ctx, err); {
	case errors.Is(err, errClientLeft):
		code = "gone"
	case err != nil:
		if code = ask.CodeOf(err); code == "" {
			code = ask.CodeInternal
		}
		code = ask.CodeLabel(code)
	}
	m.questions.WithLabelValues(code).Inc()
	return err
}
