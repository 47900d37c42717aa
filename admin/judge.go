package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// planTime bounds planning a correction, and making prompts anew.
const planTime = 30 * time.Second

type translationPage struct {
	*store.Record
	Remarks       []store.Remark
	Example       *store.Example // that answers this question now
	Parts         []part         // of the question
	Groups        []group
	WithoutResult []store.Candidate // that have no result
	Votes         []vote
	Next          string // id of the next one in the queue
	Timeline      []span
	Proposed      string // SQL of the correction form
	Asked         string // question of the form, with its marks
	Preview       *preview
	Note          string
	Problem       string // why a correction was not accepted
	Done          string
	Checked       bool // corrections are planned before they are accepted
	Prompts       bool // there is a page of them
}

// group are the candidates with the same result.
type group struct {
	Name        string // A for the chosen one, then by votes
	Class       string // its colour
	Chosen      bool
	Votes       int64
	Share       int // of all votes, in percent
	Rows        int64
	Candidates  []store.Candidate
	Difference  []change // of its SQL from the chosen one's
	Fingerprint string
}

// vote is a candidate in the picture of the votes.
type vote struct {
	X, W  float64 // in percent
	Class string
	Title string
}

func (s *Server) translation(w http.ResponseWriter, r *http.Request) {
	s.showTranslation(w, r, http.StatusOK, translationPage{Done: r.URL.Query().Get("done")})
}

func (s *Server) showTranslation(w http.ResponseWriter, r *http.Request, status int, p translationPage) {
	var err error
	if p.Record, err = s.store.Get(r.Context(), r.PathValue("id")); err != nil {
		if errors.Is(err, store.ErrNotFound) {
			s.render(w, r, http.StatusNotFound, "problem", "Not found", "There is no such translation; it may have been too old to keep.")
			return
		}
		s.problem(w, r, err)
		return
	}
	if p.Remarks, err = s.store.Remarks(r.Context(), p.ID); err != nil {
		s.problem(w, r, err)
		return
	}
	if p.Example, err = s.store.ExampleOf(r.Context(), p.Database, p.Question, p.Hint); err != nil {
		s.problem(w, r, err)
		return
	}
	p.Parts = markLinked(truncate(p.Question, maxShown), p.Linked)
	p.Groups, p.WithoutResult = groupCandidates(p.Record)
	p.Votes = votePicture(p.Groups, p.WithoutResult)
	p.Timeline = timeline(p.Record)
	if p.Next, err = s.nextInQueue(r.Context(), p.Record); err != nil {
		s.problem(w, r, err)
		return
	}
	p.Checked, p.Prompts = s.check != nil, s.prompts != nil || len(p.KeptPrompts) > 0
	switch e := p.Example; {
	case p.Proposed != "":
	case e != nil && e.MarkedQuestion != "" && e.Translation == p.ID:
		p.Asked, p.Proposed = e.MarkedQuestion, e.MarkedSQL
	default:
		p.Proposed = p.SQL
		if p.Proposed == "" && len(p.Candidates) > 0 {
			p.Proposed = p.Candidates[0].SQL
		}
		p.Proposed = layout(p.Proposed)
	}
	if p.Asked == "" && len(p.Question) <= maxAsked && len(p.History) == 0 {
		p.Asked = param.Escape(p.Question)
	}
	if len(p.Proposed) > maxProposed {
		p.Proposed = "" // a part of it must not be sent back as the whole
	}
	s.render(w, r, status, "translation", "Translation", p)
}

// groupCandidates puts candidates with the same result together, the chosen
// group first, then by votes.
func groupCandidates(r *store.Record) (groups []group, withoutResult []store.Candidate) {
	byPrint := map[string]int{}
	chosen := ""
	var votes int64
	for i, c := range r.Candidates {
		if c.Fingerprint == "" {
			withoutResult = append(withoutResult, c)
			continue
		}
		if int64(i) == r.Chosen {
			chosen = c.SQL
		}
		at, ok := byPrint[c.Fingerprint]
		if !ok {
			at = len(groups)
			byPrint[c.Fingerprint] = at
			groups = append(groups, group{Rows: c.Rows, Fingerprint: c.Fingerprint})
		}
		g := &groups[at]
		g.Candidates = append(g.Candidates, c)
		g.Chosen = g.Chosen || int64(i) == r.Chosen
		if c.Votes > g.Votes {
			votes += c.Votes - g.Votes
			g.Votes = c.Votes
		}
	}
	sort.SliceStable(groups, func(i, j int) bool {
		if groups[i].Chosen != groups[j].Chosen {
			return groups[i].Chosen
		}
		return groups[i].Votes > groups[j].Votes
	})
	for i := range groups {
		groups[i].Name, groups[i].Class = letter(i), "other"+strconv.Itoa(min(i, 4))
		if groups[i].Chosen {
			groups[i].Class = "answered"
		}
		if votes > 0 {
			groups[i].Share = int(100 * groups[i].Votes / votes)
		}
		if !groups[i].Chosen && chosen != "" {
			groups[i].Difference = differences(chosen, groups[i].Candidates[0].SQL)
		}
	}
	return groups, withoutResult
}

// letter names the groups A to Z, then by number.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return strconv.Itoa(i + 1)
}

// votePicture lays all candidates in a row, those with the same result beside each
// other.
func votePicture(groups []group, withoutResult []store.Candidate) []vote {
	var votes []vote
	add := func(class, title string, c *store.Candidate) {
		votes = append(votes, vote{Class: class, Title: fmt.Sprintf("%s: candidate %d, %s %s", title, c.Position+1, ask.Visible(truncate(c.Model, maxName)), ask.Visible(truncate(c.Prompt, maxName)))})
	}
	for i := range groups {
		for j := range groups[i].Candidates {
			add(groups[i].Class, "result "+groups[i].Name, &groups[i].Candidates[j])
		}
	}
	for i := range withoutResult {
		add("track", "no result", &withoutResult[i])
	}
	if len(votes) < 2 {
		return nil
	}
	const gap = 0.05 // of a candidate's place
	step := 100 / (float64(len(votes)) - gap)
	for i := range votes {
		votes[i].X, votes[i].W = round(float64(i)*step), round(step*(1-gap))
	}
	return votes
}

// nextInQueue returns the id of the translation that the queue has after r.
func (s *Server) nextInQueue(ctx context.Context, r *store.Record) (string, error) {
	page, err := s.store.List(ctx, store.Filter{Order: store.PriorityFirst, Before: queuePosition(r), Limit: 1})
	if err != nil || len(page.Records) == 0 {
		return "", err
	}
	return page.Records[0].ID, nil
}

// judge takes a reviewer's verdict on a translation.
func (s *Server) judge(w http.ResponseWriter, r *http.Request) {
	_, who := s.identify(r)
	v := readVerdict(r, who)
	var err error
	switch v.do {
	case "approve":
		err = s.approve(r, v)
	case "reject":
		err = s.store.Reject(r.Context(), v.id, who, v.note)
	case "correct":
		err = s.correct(r, v)
	case "suggest", "preview":
		s.preview(w, r, v)
		return
	default:
		answer(w, http.StatusBadRequest, "A translation can be approved, rejected or corrected.")
		return
	}
	form := translationPage{Proposed: v.sql, Asked: v.question, Note: v.note}
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		form.Problem = refused.Error()
		s.showTranslation(w, r, http.StatusUnprocessableEntity, form)
	case errors.Is(err, store.ErrNothingToApprove):
		s.showTranslation(w, r, http.StatusConflict, translationPage{Problem: store.ErrNothingToApprove.Error(), Note: v.note})
	case errors.Is(err, store.ErrNotFound):
		s.render(w, r, http.StatusNotFound, "problem", "Not found", "There is no such translation.")
	case err != nil:
		s.problem(w, r, err)
	default:
		s.log.InfoContext(r.Context(), "a translation was reviewed", "id", v.id, "verdict", v.do, "by", who)
		http.Redirect(w, r, "/translations/"+url.PathEscape(v.id)+"?done="+v.do, http.StatusSeeOther)
	}
}

// refusal says what is wrong with what a reviewer sent.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func (s *Server) approve(r *http.Request, v *verdict) error {
	t, err := s.markedBy(r, v)
	if err != nil {
		return err
	}
	if t == nil {
		_, err = s.store.Approve(r.Context(), v.id, v.by, v.note)
		return err
	}
	if _, err = s.store.ApproveMarked(r.Context(), v.id, t, v.by, v.note); err != nil && !errors.Is(err, store.ErrNothingToApprove) && !errors.Is(err, store.ErrNotFound) {
		return &refusal{err.Error()}
	}
	return err
}

func (s *Server) correct(r *http.Request, v *verdict) error {
	t, err := s.markedBy(r, v)
	if err != nil {
		return err
	}
	sql := v.sql
	if t != nil {
		sql = t.SQL
	}
	if err := s.planned(r, v.id, sql); err != nil {
		return &refusal{explain(err)}
	}
	if t == nil {
		_, err = s.store.Correct(r.Context(), v.id, v.sql, v.by, v.note)
	} else {
		_, err = s.store.CorrectMarked(r.Context(), v.id, t, v.by, v.note)
	}
	if err != nil {
		return &refusal{err.Error()}
	}
	return nil
}

// planned returns why the guard or the planner does not take sql from the role
// that asked.
func (s *Server) planned(r *http.Request, id, sql string) error {
	if s.check == nil {
		return nil
	}
	rec, err := s.store.Get(r.Context(), id)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), planTime)
	defer cancel()
	return s.check(ctx, rec.Database, rec.Role, rec.Settings, strings.TrimRight(strings.TrimSpace(sql), "; \n\t"))
}

func explain(err error) string {
	e := ask.AsError(err)
	if e == nil {
		return err.Error()
	}
	text := "The SQL is not accepted: " + e.Message + " (SQLSTATE " + e.Code + ")."
	if e.Detail != "" {
		text += " " + e.Detail
	}
	if e.Hint != "" {
		text += " Hint: " + e.Hint
	}
	return text
}

func percent(s string) (float64, error) {
	p, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(s), "%"), 64)
	if err == nil && !(p >= 0 && p <= 100) {
		err = strconv.ErrRange
	}
	return p / 100, err
}
