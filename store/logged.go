package store

import (
	"context"
	"time"

	"askpg/ask"
)

// Logged returns a Translator that logs every outcome of next before it
// returns, also errors and what they carry of candidates and costs. If the log
// is required and cannot be written, the question fails.
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
		if logErr := s.logOutcome(ctx, e); logErr != nil {
			if t != nil {
				t.Result.Release()
			}
			return nil, logErr
		}
		return t, err
	})
}

// logOutcome logs an entry, also of an asker who has left. It returns an error if the question must fail because the
// entry is not logged.
func (s *Store) logOutcome(ctx context.Context, e Entry) error {
	logCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*s.config().WriteTimeout.Duration())
	defer cancel()
	err := s.Append(logCtx, e)
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
