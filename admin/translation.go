package admin

import (
	"context"
	"net/http"

	"askpg/ask/param"
	"askpg/store"
)

// translationPage is the page of one translation: what was logged of it, and the form of the verdict.
type translationPage struct {
	*store.Record
	Remarks       []store.Remark
	Example       *store.Example // that answers this question now
	Parts         []part         // of the question
	Groups        []group
	WithoutVote   []store.Candidate
	WithoutResult []store.Candidate
	Votes         []vote
	Next          string // id of the next one in the queue
	Timeline      []span
	Form          verdictForm
	Preview       *preview
	Seen          *shownRows // that the reviewer has asked for
	Problem       string     // why what the form holds was not taken
	Done          string     // verdict that was taken a moment ago
	ShowsRows     bool       // reviewers may see rows
	Teach         *teachPart // nil for who may not
}

// verdictForm is what stands in the boxes of the form. What stands in the box of the SQL is what a verdict verifies.
type verdictForm struct {
	Question   string // with its marks; empty if its words cannot be marked
	SQL        string
	Note       string
	Reading    string   // name of the group that the reviewer has put into the box, empty if none
	Difference []change // of the SQL from the answer's; nil if they are the same, or if there is no answer
}

func (s *Server) translation(w http.ResponseWriter, r *http.Request) {
	s.showTranslation(w, r, http.StatusOK, translationPage{Done: r.URL.Query().Get("done")})
}

// showTranslation renders the page of the translation that the path names. The fields of p that are set stay.
func (s *Server) showTranslation(w http.ResponseWriter, r *http.Request, status int, p translationPage) {
	if err := s.fillTranslation(r.Context(), sender(r).scope(viewer), r.PathValue("id"), &p); err != nil {
		s.problem(w, r, err)
	} else {
		if sender(r).teaches() {
			if p.Teach == nil {
				p.Teach = &teachPart{Done: r.URL.Query().Get("taught") != ""}
			}
			s.fillTeach(r.Context(), &p)
		}
		s.render(w, r, status, "translation", "Translation", p)
	}
}

// fillTranslation reads a translation for somebody who sees a part of the log.
func (s *Server) fillTranslation(ctx context.Context, scope store.Scope, id string, p *translationPage) (err error) {
	if p.Record, err = s.store.GetWithin(ctx, id, scope); err != nil {
		return err
	}
	if p.Remarks, err = s.store.Remarks(ctx, p.ID); err != nil {
		return err
	}
	if p.Example, err = s.store.ExampleOf(ctx, p.Database, p.Role, p.Question, p.Hint); err != nil {
		return err
	}
	if p.Example != nil && !scope.Covers(p.Example.Database, p.Example.Role) {
		p.Example = nil
	}
	if p.Next, err = s.nextInQueue(ctx, scope, p.Record); err != nil {
		return err
	}
	p.Parts = markLinked(truncate(p.Question, maxShown), p.Linked)
	p.Groups, p.WithoutVote, p.WithoutResult = groupCandidates(p.Record)
	p.Votes = votePicture(p.Groups, p.WithoutVote, p.WithoutResult)
	p.Timeline = timeline(p.Record)
	p.ShowsRows = s.config().ShowRows > 0
	p.fillForm()
	return nil
}

// fillForm puts into the boxes what the reviewer has not filled himself: what is verified now, if that came from this
// translation; else the answer; else the reading with the most votes.
func (p *translationPage) fillForm() {
	f, e := &p.Form, p.Example
	switch {
	case f.SQL != "":
	case e != nil && e.Translation == p.ID && e.MarkedQuestion != "":
		f.Question, f.SQL = e.MarkedQuestion, e.MarkedSQL
	case e != nil && e.Translation == p.ID:
		f.SQL = layout(e.SQL)
	case p.SQL != "":
		f.SQL = layout(p.SQL)
	case len(p.Groups) > 0:
		f.SQL, f.Reading = layout(p.Groups[0].Candidates[0].SQL), p.Groups[0].Name
	}
	if f.Question == "" && len(p.Question) <= maxMarkedQuestion && len(p.History) == 0 {
		f.Question = param.Escape(p.Question)
	}
	if len(f.SQL) > maxFormSQL {
		f.SQL = "" // a part of it must not be sent back as the whole
	}
	if plain := param.Plain(f.SQL); p.SQL != "" && f.SQL != "" && !sameStatement(plain, p.SQL) {
		f.Difference = differences(p.SQL, plain)
	}
}

// nextInQueue returns the id of the translation that the queue has after r.
func (s *Server) nextInQueue(ctx context.Context, scope store.Scope, r *store.Record) (string, error) {
	page, err := s.store.List(ctx, store.Filter{Scope: scope, Order: store.PriorityFirst, Before: queuePosition(r), Limit: 1})
	if err != nil || len(page.Records) == 0 {
		return "", err
	}
	return page.Records[0].ID, nil
}
