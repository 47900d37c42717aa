package admin

import (
	"net/http"
	"slices"

	"askpg/store"
)

type examplesPage struct {
	Examples []shownExample
	Status   string
	Done     string
}

// shownExample is an example for somebody who may end it, or only see it.
type shownExample struct {
	store.Example
	CanReview bool
}

// visibleExamples returns the examples of a request's database and status that its sender may see.
func (s *Server) visibleExamples(r *http.Request, status store.Status) ([]store.Example, error) {
	list, err := s.store.Examples(r.Context(), r.URL.Query().Get("database"), status)
	scope := sender(r).scope(viewer)
	return slices.DeleteFunc(list, func(e store.Example) bool { return !scope.Covers(e.Database, e.Role) }), err
}

func (s *Server) examples(w http.ResponseWriter, r *http.Request) {
	status := r.URL.Query().Get("status")
	list, err := s.visibleExamples(r, store.Status(status))
	if err != nil {
		s.problem(w, r, err)
		return
	}
	p := examplesPage{Status: status, Done: r.URL.Query().Get("done")}
	for _, e := range list {
		p.Examples = append(p.Examples, shownExample{e, sender(r).with(e.Database, e.Role) >= reviewer})
	}
	s.render(w, r, http.StatusOK, "examples", "Examples", p)
}

func (s *Server) judgeExample(w http.ResponseWriter, r *http.Request) {
	if r.PostFormValue("do") != "retire" {
		answer(w, http.StatusBadRequest, "An example can be retired here.")
		return
	}
	if err := s.store.RetireExample(r.Context(), r.PathValue("id"), sender(r).reviewer()); err != nil {
		s.problem(w, r, err)
		return
	}
	by := sender(r).reviewer()
	s.log.InfoContext(r.Context(), "an example was retired", "example", r.PathValue("id"), "by", by.Name, "how", by.How)
	http.Redirect(w, r, "/examples?done=retired", http.StatusSeeOther)
}
