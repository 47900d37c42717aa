package admin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// planTimeout bounds planning what a reviewer has sent, and rendering prompts anew.
const planTimeout = 30 * time.Second

// verdict is the form of a translation as a reviewer has sent it.
type verdict struct {
	action, note  string
	by            store.Reviewer
	question, sql string // as typed, perhaps with marks
	hasSQL        bool   // it had a box for SQL; a program may leave that out
	try           string // another question to preview the marks with
	assignee      string // of an assignment; empty for nobody
}

func readVerdict(r *http.Request, by store.Reviewer) *verdict {
	text := func(name string) string { return strings.ReplaceAll(r.PostFormValue(name), "\r\n", "\n") }
	v := &verdict{action: r.PostFormValue("do"), by: by, note: strings.TrimSpace(text("note")),
		question: text("question"), sql: text("sql"), try: strings.TrimSpace(text("try"))}
	v.hasSQL = r.PostForm.Has("sql")
	v.assignee = truncate(strings.TrimSpace(text("assignee")), maxPerson)
	return v
}

// form is what the form holds when the page is shown again.
func (v *verdict) form() verdictForm {
	return verdictForm{Question: v.question, SQL: v.sql, Note: v.note}
}

// statement returns the SQL of the box, without marks and without a semicolon at its end.
func (v *verdict) statement(t *param.Template) string {
	if t != nil {
		return t.SQL
	}
	return strings.TrimRight(strings.TrimSpace(v.sql), "; \n\t")
}

// refusal says why what a reviewer has sent was not taken. Nothing has changed then.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

// judge takes a reviewer's verdict on a translation, or shows the form again with what he has asked for.
func (s *Server) judge(w http.ResponseWriter, r *http.Request) {
	by := sender(r).reviewer()
	v := readVerdict(r, by)
	rec, err := s.store.GetWithin(r.Context(), r.PathValue("id"), by.Scope)
	if err == nil {
		reading, isReading := strings.CutPrefix(v.action, "use ")
		switch {
		case v.action == "approve":
			err = s.approve(r, rec, v)
		case v.action == "reject":
			err = s.store.Reject(r.Context(), rec.ID, by, v.note)
		case v.action == "correct":
			err = s.correct(r, rec, v)
		case v.action == "suggest" || v.action == "preview":
			s.preview(w, r, rec, v)
			return
		case v.action == "run" || strings.HasPrefix(v.action, "run ") || strings.HasPrefix(v.action, "compare "):
			s.see(w, r, rec, v)
			return
		case isReading:
			s.useReading(w, r, rec, v, reading)
			return
		default:
			answer(w, http.StatusBadRequest, "A translation can be approved, rejected or corrected.")
			return
		}
	}
	switch status, why := notTaken(err); {
	case why != "":
		s.showTranslation(w, r, status, translationPage{Problem: why, Form: v.form()})
	case err != nil:
		s.problem(w, r, err)
	default:
		s.logVerdict(r.Context(), rec, v)
		http.Redirect(w, r, "/translations/"+url.PathEscape(rec.ID)+"?done="+v.action, http.StatusSeeOther)
	}
}

// notTaken says for a reviewer why his verdict was not taken, with the HTTP status; nothing for an error that is not about it.
func notTaken(err error) (status int, why string) {
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		return http.StatusUnprocessableEntity, refused.Error()
	case errors.Is(err, store.ErrNothingToApprove):
		return http.StatusConflict, "This question was not answered, so there is nothing to approve. Press “Save corrected SQL” to verify what stands in the box."
	}
	return 0, ""
}

func (s *Server) logVerdict(ctx context.Context, rec *store.Record, v *verdict) {
	s.log.InfoContext(ctx, "a translation was reviewed", "id", rec.ID, "verdict", v.action, "by", v.by.Name, "how", v.by.How)
}

// approve verifies the answer, if that is what stands in the box.
func (s *Server) approve(r *http.Request, rec *store.Record, v *verdict) error {
	t, err := s.markedBy(r, rec, v)
	if err != nil {
		return err
	}
	tooLong := strings.TrimSpace(v.sql) == "" && len(rec.SQL) > maxFormSQL // the page has left the box empty
	if v.hasSQL && rec.SQL != "" && !tooLong && !sameStatement(v.statement(t), rec.SQL) {
		return &refusal{"The SQL in the box is not the answer's, so it was not approved. Press “Save corrected SQL” to verify what stands in the box."}
	}
	if _, err = s.store.Approve(r.Context(), rec.ID, t, v.by, v.note); err != nil && t != nil {
		err = orRefused(err)
	}
	return err
}

// correct verifies the SQL in the box in the answer's place.
func (s *Server) correct(r *http.Request, rec *store.Record, v *verdict) error {
	t, err := s.markedBy(r, rec, v)
	if err != nil {
		return err
	}
	sql := v.statement(t)
	if rec.SQL != "" && sameStatement(sql, rec.SQL) {
		return &refusal{"The SQL in the box is the answer's own, so there is nothing to correct. Press “Approve” to verify it."}
	}
	if err := s.plan(r, rec, sql); err != nil {
		return &refusal{explain(err)}
	}
	if _, err = s.store.Correct(r.Context(), rec.ID, v.sql, t, v.by, v.note); err != nil {
		err = orRefused(err)
	}
	return err
}

// orRefused is an error that the page has words for, or else a refusal.
func orRefused(err error) error {
	for _, known := range []error{store.ErrNothingToApprove, store.ErrNotFound} {
		if errors.Is(err, known) {
			return err
		}
	}
	return &refusal{err.Error()}
}

// useReading puts the SQL of a candidate into the box. Nothing is stored.
func (s *Server) useReading(w http.ResponseWriter, r *http.Request, rec *store.Record, v *verdict, position string) {
	n, err := strconv.Atoi(position)
	if err != nil || n < 0 || n >= len(rec.Candidates) || rec.Candidates[n].SQL == "" {
		answer(w, http.StatusBadRequest, "There is no such candidate.")
		return
	}
	form := verdictForm{SQL: layout(rec.Candidates[n].SQL), Note: v.note, Reading: strconv.Itoa(n + 1)}
	groups, _, _ := groupCandidates(rec)
	for _, g := range groups {
		if slices.ContainsFunc(g.Candidates, func(c store.Candidate) bool { return c.Position == int64(n) }) {
			form.Reading = g.Name
		}
	}
	s.showTranslation(w, r, http.StatusOK, translationPage{Form: form})
}

// plan returns why the guard or the planner does not take SQL from the role that asked.
func (s *Server) plan(r *http.Request, rec *store.Record, sql string) error {
	ctx, cancel := context.WithTimeout(r.Context(), planTimeout)
	defer cancel()
	err := s.Check(ctx, rec.Database, rec.Role, rec.Settings, sql)
	by := sender(r).reviewer()
	said := []any{"id", rec.ID, "by", by.Name, "how", by.How, "client", r.RemoteAddr, "role", rec.Role, "database", rec.Database, "sql", sql}
	if err != nil {
		said = append(said, "error", err)
	}
	s.log.InfoContext(ctx, "a reviewer had SQL planned", said...)
	return err
}

// sameStatement says whether two texts are the same statement but for blanks and for what the parser does not keep,
// such as comments. What cannot be parsed is compared token by token.
func sameStatement(a, b string) bool {
	trim := func(s string) string { return strings.TrimRight(strings.TrimSpace(s), "; \r\n\t") }
	a, b = trim(a), trim(b)
	if a == b || param.Same(a, b) {
		return true
	}
	return slices.EqualFunc(spacedTokens(a), spacedTokens(b), func(x, y spaced) bool { return x.text == y.text })
}

// explain says for a reviewer why SQL is not accepted.
func explain(err error) string { return because("The SQL is not accepted: ", err) }

// because says for a reviewer what was not done, and why.
func because(what string, err error) string {
	e := ask.AsError(err)
	if e == nil {
		return err.Error()
	}
	text := what + e.Message + " (SQLSTATE " + e.Code + ")."
	if e.Detail != "" {
		text += " " + e.Detail
	}
	if e.Hint != "" {
		text += " Hint: " + e.Hint
	}
	return text
}
