package admin

import (
	"net/http"
	"time"

	"askpg/store"
)

func (s *Server) export(w http.ResponseWriter, r *http.Request) {
	format := store.Format(r.URL.Query().Get("format"))
	f, problem := readFilter(r)
	if problem != "" || format != store.CSV && format != store.JSONL {
		answer(w, http.StatusBadRequest, "There are the formats csv and jsonl. "+problem)
		return
	}
	f.Scope = sender(r).scope(viewer)
	s.download(w, r, "translations", format, func() error { return s.store.Export(r.Context(), w, format, f) })
}

func (s *Server) exportExamples(w http.ResponseWriter, r *http.Request) {
	list, err := s.visibleExamples(r, "")
	if err != nil {
		s.problem(w, r, err)
		return
	}
	s.download(w, r, "examples", store.JSONL, func() error { return store.WriteExamples(w, list) })
}

// exportVerdicts is the audit: who has decided what, how he had signed in, and the SQL before and after it.
func (s *Server) exportVerdicts(w http.ResponseWriter, r *http.Request) {
	f, problem := readFilter(r)
	if problem != "" {
		answer(w, http.StatusBadRequest, problem)
		return
	}
	f.Scope = sender(r).scope(administrator)
	s.download(w, r, "verdicts", store.JSONL, func() error { return s.store.ExportVerdicts(r.Context(), w, f) })
}

// download answers with a file of what is exported.
func (s *Server) download(w http.ResponseWriter, r *http.Request, what string, format store.Format, write func() error) {
	file := "askpg-" + what + "." + string(format)
	types := map[store.Format]string{store.CSV: "text/csv; charset=utf-8", store.JSONL: "application/jsonl; charset=utf-8"}
	w.Header().Set("Content-Type", types[format])
	w.Header().Set("Content-Disposition", `attachment; filename="`+file+`"`)
	// A long export may take its time; the client's going away ends it.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	if err := write(); err != nil && r.Context().Err() == nil {
		s.log.ErrorContext(r.Context(), "an export broke off", "file", file, "error", err)
		panic(http.ErrAbortHandler) // so that the client sees that it is not whole
	}
}
