package main

import (
	"context"
	"slices"
	"strings"

	"askpg/ask"
)

// permitted refuses the questions of roles that an administrator has taken
// asking from, and of sessions that have switched it off (ALTER ROLE … SET
// askpg.mode = 'off').
func (a *app) permitted(next ask.Translator) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		denied := a.config().Listen.DenyQuestions
		for _, role := range []string{q.Session.Role, q.Session.SessionUser} {
			if slices.Contains(denied, role) {
				return nil, ask.Errorf(ask.CodeInsufficientRights, "role %q may not ask questions", role).
					WithHint("SQL goes through as ever. An administrator of askpg decides who may ask (listen.deny_questions).")
			}
		}
		if mode, ok := q.Setting("mode"); ok && strings.EqualFold(mode, "off") {
			return nil, ask.Errorf(ask.CodeObjectNotReady, "questions are switched off for this session").
				WithHint("SET askpg.mode = 'comment' switches them on. ALTER ROLE or ALTER DATABASE may have set it for new sessions.")
		}
		return next.Translate(ctx, q)
	})
}
