package main

import (
	"context"
	"slices"
	"strings"

	"askpg/ask"
)

// permitted refuses the questions of roles that an administrator has taken asking from. It refuses those of sessions
// that have switched it off (ALTER ROLE … SET askpg.mode = 'off').
func (a *app) permitted(next ask.Translator) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		if err := a.denied(&q.Session); err != nil {
			return nil, err
		}
		if mode, ok := q.Setting("mode"); ok && strings.EqualFold(mode, "off") {
			return nil, ask.Errorf(ask.CodeObjectNotReady, "questions are switched off for this session").
				WithHint("SET askpg.mode = 'comment' switches them on. ALTER ROLE or ALTER DATABASE may have set it for new sessions.")
		}
		return next.Translate(ctx, q)
	})
}

// denied returns an *ask.Error with 42501 if an administrator has taken asking from the role or the login of a session.
func (a *app) denied(s *ask.Session) error {
	for _, role := range []string{s.Role, s.SessionUser} {
		if slices.Contains(a.config().Listen.DenyQuestions, role) {
			return ask.Errorf(ask.CodeInsufficientRights, "role %q may not ask questions", role).
				WithHint("SQL goes through as ever. An administrator of askpg decides who may ask (listen.deny_questions).")
		}
	}
	return nil
}
