package admin

import (
	"context"
	"net/http"

	"askpg/ask"
	"askpg/store"
)

type promptsPage struct {
	*store.Record
	Kept    []ask.Prompt // as they were sent; then none are made anew
	Prompts []ask.Prompt
	Problem string
}

func (s *Server) showPrompts(w http.ResponseWriter, r *http.Request) {
	rec, err := s.store.GetWithin(r.Context(), r.PathValue("id"), sender(r).scope(reviewer))
	if err != nil {
		s.problem(w, r, err)
		return
	}
	if len(rec.KeptPrompts) > 0 {
		s.render(w, r, http.StatusOK, "prompts", "Prompts", promptsPage{Record: rec, Kept: rec.KeptPrompts})
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), planTimeout)
	defer cancel()
	p := promptsPage{Record: rec}
	if p.Prompts, err = s.Prompts(ctx, rec); err != nil {
		p.Problem = explain(err)
	}
	s.render(w, r, http.StatusOK, "prompts", "Prompts", p)
}
