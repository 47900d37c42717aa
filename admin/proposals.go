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

// proposals are those that were made at one time.
type proposals struct {
	By      string // empty if there are none
	At      time.Time
	For, As string // database and role
	Summary []string
	List    []Proposal
}

// lastProposals are the proposals that were made last. Only this page has them, until the next ones or a restart.
type lastProposals struct {
	mu   sync.Mutex
	made proposals
}

func (l *lastProposals) get() proposals {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.made
}

// drop takes a proposal out that was accepted or refused.
func (l *lastProposals) drop(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made.List = slices.DeleteFunc(slices.Clone(l.made.List), func(p Proposal) bool { return p.ID == id })
}

// proposalsPage is the page of the proposals.
type proposalsPage struct {
	Facets         *store.Facets
	SQL            string // that was not taken
	Database, Role string // of the form
	Fixed          string // why the semantics file cannot be changed here
	Problem, Done  string
	proposals
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
	p.Fixed, p.proposals = file.Fixed, s.proposals.get()
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
	l.made = proposals{By: by.name, At: time.Now(), For: p.Database, As: p.Role, Summary: summary, List: list}
	return nil
}

// judgeProposal puts a proposal into the semantics file, or a note that it is not wanted. The file's history says who did.
func (s *Server) judgeProposal(r *http.Request, action, id string) error {
	made := s.proposals.get()
	i := slices.IndexFunc(made.List, func(p Proposal) bool { return p.ID == id })
	switch {
	case proposed[action] == "":
		return &refusal{"A proposal can be accepted or refused."}
	case i < 0:
		return &refusal{"This proposal is not there any more: somebody has decided on it, or others were made. Propose again."}
	}
	file, err := s.semanticsFile()
	if err != nil {
		return err
	}
	if file.Fixed != "" {
		return &refusal{file.Fixed + " Add the entry to the file by hand."}
	}
	next := made.List[i].Accepted
	if action == "refuse" {
		next = made.List[i].Refused
	}
	if err := s.saveSemantics(r, made.For, made.As, file.Text, next(file.Text, sender(r).name), nil); err != nil {
		return err
	}
	s.proposals.drop(id)
	return nil
}
