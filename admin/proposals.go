package admin

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"askpg/store"
)

// Proposal is a definition that SQL in use suggests.
type Proposal struct {
	ID       string
	Name     string   // its kind and its name
	Entry    string   // of the semantics file
	Evidence []string // for it and against it, the first line in short
	// Accepted and Refused return a text of the semantics file with more at its end: the entry, or a note that it is not
	// wanted, and who said so.
	Accepted, Refused func(text, by string) string
}

// proposals are the proposals that were made last. Only this page has them, until the next ones or a restart.
type proposals struct {
	mu             sync.Mutex
	by             string // empty if there are none
	at             time.Time
	database, role string
	summary        []string
	list           []Proposal
}

// find returns a proposal, and which database and role it is for; nil if it is not there any more.
func (l *proposals) find(id string) (p *Proposal, database, role string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.list, func(p Proposal) bool { return p.ID == id }); i >= 0 {
		found := l.list[i]
		p = &found
	}
	return p, l.database, l.role
}

// drop takes a proposal out that was accepted or refused.
func (l *proposals) drop(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(slices.Clone(l.list), func(p Proposal) bool { return p.ID == id })
}

// proposalsPage is the page of the proposals.
type proposalsPage struct {
	Facets         *store.Facets
	SQL            string // that was not taken
	Database, Role string // of the form
	Fixed          string // why the semantics file cannot be changed here
	Problem, Done  string

	// The proposals that were made last; By is empty if there are none.
	By      string
	At      time.Time
	For, As string // database and role
	Summary []string
	List    []Proposal
}

// proposed are what can be done with a proposal, and how it is called afterwards.
var proposed = map[string]string{"accept": "Accepted. It is in the semantics file, and counts from now on.", "refuse": "Refused. It is noted in the semantics file, and is not proposed again."}

func (s *Server) showProposals(w http.ResponseWriter, r *http.Request) {
	s.renderProposals(w, r, http.StatusOK, proposalsPage{Done: proposed[r.URL.Query().Get("done")]})
}

// renderProposals renders the page. The fields of p that are set stay.
func (s *Server) renderProposals(w http.ResponseWriter, r *http.Request, status int, p proposalsPage) {
	file, err := s.semanticsFile()
	if err == nil {
		p.Facets, err = s.store.Facets(r.Context(), nil)
	}
	if err != nil {
		s.problem(w, r, err)
		return
	}
	l := &s.proposals
	l.mu.Lock()
	p.Fixed, p.By, p.At, p.For, p.As, p.Summary, p.List = file.Fixed, l.by, l.at, l.database, l.role, l.summary, l.list
	l.mu.Unlock()
	if p.Database == "" {
		p.Database, p.Role = p.For, p.As
	}
	s.render(w, r, status, "proposals", "Proposals", p)
}

// judgeProposals reads SQL for proposals, or accepts or refuses one.
func (s *Server) judgeProposals(w http.ResponseWriter, r *http.Request) {
	p := proposalsPage{}
	var err error
	action := r.PostFormValue("do")
	if action == "propose" {
		p.SQL, p.Database, p.Role = r.PostFormValue("sql"), r.PostFormValue("database"), r.PostFormValue("role")
		err = s.propose(r, &p)
	} else {
		err = s.judgeProposal(r, action, r.PostFormValue("id"))
	}
	var refused *refusal
	switch {
	case err == nil:
		http.Redirect(w, r, "/proposals?done="+action, http.StatusSeeOther)
	case errors.Is(err, ErrSemanticsChanged):
		p.Problem = "The semantics file has changed meanwhile, so nothing was saved. Try again."
		s.renderProposals(w, r, http.StatusConflict, p)
	case errors.As(err, &refused):
		p.Problem = refused.Error()
		s.renderProposals(w, r, http.StatusUnprocessableEntity, p)
	default:
		s.log.ErrorContext(r.Context(), "a proposal was not taken", "by", sender(r).name, "error", err)
		p.Problem = "Nothing was saved: " + sentence(err)
		s.renderProposals(w, r, http.StatusInternalServerError, p)
	}
}

// propose has SQL read, and keeps what is proposed.
func (s *Server) propose(r *http.Request, p *proposalsPage) error {
	facets, err := s.store.Facets(r.Context(), nil)
	if err != nil {
		return err
	}
	if !slices.Contains(facets.Databases, p.Database) || !slices.Contains(facets.Roles, p.Role) {
		return &refusal{"There is no such database or role."}
	}
	ctx, cancel := context.WithTimeout(r.Context(), planTimeout)
	defer cancel()
	by := sender(r)
	s.log.InfoContext(ctx, "definitions are proposed from SQL", "by", by.name, "how", by.how, "client", r.RemoteAddr, "database", p.Database, "role", p.Role, "bytes", len(p.SQL))
	summary, list, err := s.Semantics.Propose(ctx, p.Database, p.Role, p.SQL, r.PostFormValue("statistics") != "")
	if err != nil {
		return &refusal{"Nothing can be proposed: " + sentence(err)}
	}
	l := &s.proposals
	l.mu.Lock()
	defer l.mu.Unlock()
	l.by, l.at, l.database, l.role, l.summary, l.list = by.name, time.Now(), p.Database, p.Role, summary, list
	return nil
}

// judgeProposal puts a proposal into the semantics file, or a note that it is not wanted. The file's history says who did.
func (s *Server) judgeProposal(r *http.Request, action, id string) error {
	p, database, role := s.proposals.find(id)
	switch {
	case proposed[action] == "":
		return &refusal{"A proposal can be accepted or refused."}
	case p == nil:
		return &refusal{"This proposal is not there any more: somebody has decided on it, or others were made. Propose again."}
	}
	file, err := s.semanticsFile()
	if err != nil {
		return err
	}
	if file.Fixed != "" {
		return &refusal{file.Fixed + " Add the entry to the file by hand."}
	}
	next := p.Accepted
	if action == "refuse" {
		next = p.Refused
	}
	if err := s.saveSemantics(r, database, role, file.Text, next(file.Text, sender(r).name), nil); err != nil {
		return err
	}
	s.proposals.drop(id)
	return nil
}
