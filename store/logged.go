package store

import (
	"context"
	"time"

	"askpg/ask"
)

// Logged returns a Translator that logs every outcome of next before it
// returns, also errors and what they carry of candidates and costs. If the log
// is required and cannot be written, the question fails. An answer whose rows are
// still to be fetched is logged meanwhile if the caller waits for it, see ask.WithLateLog.
func Logged(next ask.Translator, s *Store) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		begin := time.Now()
		if q.Asked.IsZero() {
			q.Asked = begin
		}
		if q.ID == "" {
			q.ID = ask.NewID()
		}
		var prompts *ask.Prompts
		if s.config().KeepPrompts > 0 {
			prompts = &ask.Prompts{Max: s.config().KeepPrompts, MaxBytes: s.config().KeepPromptsBytes}
			ctx = ask.WithPrompts(ctx, prompts)
		}
		t, err := next.Translate(ctx, q)
		if t != nil {
			t.ID = q.ID
		}
		e := Entry{Question: q, Translation: t, Err: err, Elapsed: time.Since(begin)}
		if err != nil {
			e.Translation = ask.TranslationOf(err)
		}
		if prompts != nil {
			e.Prompts = prompts.List()
		}
		logged := s.beginLogging(ctx, e)
		if err == nil && t != nil && t.Result == nil && q.Action == ask.ActionRows && ask.LateLog(ctx) {
			late := *t // a translation that is kept elsewhere waits for nobody
			late.Logged = logged
			return &late, nil
		}
		if logErr := logged(); logErr != nil {
			if t != nil {
				t.Result.Release()
			}
			return nil, logErr
		}
		return t, err
	})
}

// beginLogging begins to log an entry. The function that it returns must be called once. It waits until the entry is
// logged, and returns an error if the question must fail because it is not. An asker who has left is logged as well.
func (s *Store) beginLogging(ctx context.Context, e Entry) func() error {
	logCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*s.config().WriteTimeout.Duration())
	finish := s.beginAppend(logCtx, e)
	return func() error {
		defer cancel()
		err := finish()
		if err == nil {
			return nil
		}
		s.log.ErrorContext(ctx, "a translation is not logged", "id", e.Question.ID, "error", err)
		if !s.config().Required || e.Err != nil {
			return nil
		}
		return ask.Errorf(ask.CodeObjectNotReady, "the answer cannot be logged, and the log is required").
			WithHint("Ask again later. An administrator finds the reason in the log of askpg (store.required).").Because(err)
	}
}
