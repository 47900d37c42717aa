package admin

import (
	"bytes"
	"embed"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"askpg/ask"
	"askpg/store"
)

//go:embed templates
var templateFiles embed.FS

//go:embed assets
var assets embed.FS

var templates = map[string]*template.Template{}

func init() {
	for _, name := range []string{"signin", "overview", "list", "translation", "examples", "prompts", "problem"} {
		templates[name] = template.Must(template.New("layout.html").Funcs(functions).ParseFS(templateFiles, "templates/layout.html", "templates/"+name+".html"))
	}
}

// page is what the layout needs, and the data of one page.
type page struct {
	Title     string
	Path      string
	User      string
	CanReview bool
	SignedIn  bool
	CSRF      string
	Data      any
}

// pages registers the review page.
func (s *Server) pages(mux *http.ServeMux) {
	files := http.FileServerFS(assets)
	mux.Handle("GET /assets/{file}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		files.ServeHTTP(w, r)
	}))
	mux.HandleFunc("GET /assets/", http.NotFound) // a folder is not listed
	mux.HandleFunc("GET /signin", func(w http.ResponseWriter, r *http.Request) {
		s.render(w, r, http.StatusOK, "signin", "Sign in", signInPage{To: localPath(r.URL.Query().Get("to"))})
	})
	mux.HandleFunc("POST /signin", s.signIn)
	mux.Handle("POST /signout", s.require(viewer, s.sameOrigin(s.signOut)))
	mux.Handle("GET /{$}", s.require(viewer, s.overview))
	mux.Handle("GET /translations", s.require(viewer, s.list))
	mux.Handle("GET /review", s.require(viewer, s.queue))
	mux.Handle("GET /translations/{id}", s.require(viewer, s.translation))
	mux.Handle("GET /translations/{id}/prompts", s.require(reviewer, s.showPrompts))
	mux.Handle("POST /translations/{id}", s.require(reviewer, s.sameOrigin(s.judge)))
	mux.Handle("GET /export", s.require(viewer, s.export))
	mux.Handle("GET /examples", s.require(viewer, s.examples))
	mux.Handle("GET /examples.jsonl", s.require(viewer, s.exportExamples))
	mux.Handle("POST /examples/{id}", s.require(reviewer, s.sameOrigin(s.judgeExample)))
	mux.Handle("GET /", s.require(viewer, func(w http.ResponseWriter, r *http.Request) {
		s.render(w, r, http.StatusNotFound, "problem", "Not found", "There is no such page.")
	}))
}

type signInPage struct {
	To     string
	Failed bool
}

// render writes a page; it is whole or an error, never half.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name, title string, data any) {
	have, user := s.identify(r)
	p := page{Title: title, Path: r.URL.Path, User: user, CanReview: have >= reviewer, SignedIn: have > noAccess && s.config().ReviewerToken != "", CSRF: s.csrf(r), Data: data}
	var b bytes.Buffer
	if err := templates[name].Execute(&b, p); err != nil {
		s.log.ErrorContext(r.Context(), "a page cannot be rendered", "page", name, "error", err)
		answer(w, http.StatusInternalServerError, "The page cannot be rendered; the log of askpg says why.")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w)
}

// problem shows an error of the store.
func (s *Server) problem(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	if ask.CodeOf(err) == ask.CodeInvalidParameter {
		s.render(w, r, http.StatusBadRequest, "problem", "Problem", err.Error())
		return
	}
	s.log.ErrorContext(r.Context(), "the review page cannot be shown", "path", r.URL.Path, "error", err)
	s.render(w, r, http.StatusInternalServerError, "problem", "Problem", err.Error())
}

type listPage struct {
	Records []line
	Filter  store.Filter
	Facets  *store.Facets
	Query   url.Values
	Next    string // address of the next page
	First   string // address of the first page, empty if this is it
	CSV     string
	JSONL   string
	Queue   bool
	More    bool // one of the rarer filters is set
	Problem string
}

// moreFilters tells whether one of the filters is set that a list folds away.
func moreFilters(f store.Filter) bool {
	return f.Application != "" || f.Code != "" || f.Source != "" || f.MinConfidence > 0 || f.MaxConfidence > 0 || !f.Since.IsZero() || !f.Until.IsZero()
}

func isBlank(values []string) bool { return len(values) == 1 && values[0] == "" }

func (s *Server) list(w http.ResponseWriter, r *http.Request) { s.showList(w, r, store.NewestFirst) }

func (s *Server) queue(w http.ResponseWriter, r *http.Request) {
	s.showList(w, r, store.PriorityFirst)
}

func (s *Server) showList(w http.ResponseWriter, r *http.Request, order store.Order) {
	if slices.ContainsFunc(slices.Collect(maps.Values(r.URL.Query())), isBlank) {
		// A form sends its empty fields as well; the address to share has none.
		http.Redirect(w, r, with(r.URL, r.URL.Path, "", ""), http.StatusSeeOther)
		return
	}
	f, problem := readFilter(r.URL.Query())
	f.Order = order
	facets, err := s.store.Facets(r.Context())
	if err != nil {
		s.problem(w, r, err)
		return
	}
	p := listPage{Filter: f, Facets: facets, Query: r.URL.Query(), Queue: order == store.PriorityFirst, Problem: problem}
	if p.Queue {
		f.Limit = queueRead
	}
	found, err := s.store.List(r.Context(), f)
	if err != nil {
		s.problem(w, r, err)
		return
	}
	p.Records = lines(found.Records)
	if p.Queue {
		var stop *store.Record
		if p.Records, stop = mergeRepetitions(found.Records); stop != nil {
			found.Next = queuePosition(stop)
		}
		if err := s.markStale(r.Context(), p.Records); err != nil {
			s.problem(w, r, err)
			return
		}
	}
	if found.Next != "" {
		p.Next = with(r.URL, r.URL.Path, "before", found.Next)
	}
	if f.Before != "" {
		p.First = with(r.URL, r.URL.Path, "before", "")
	}
	p.More = moreFilters(f)
	p.CSV = with(r.URL, "/export", "format", "csv")
	p.JSONL = with(r.URL, "/export", "format", "jsonl")
	title := "Translations"
	if p.Queue {
		title = "To review"
	}
	s.render(w, r, http.StatusOK, "list", title, p)
}

// with returns an address with the same filters and one parameter changed;
// then it begins at the first page.
func with(u *url.URL, path, name, value string) string {
	q := u.Query()
	if name != "" {
		q.Del("before")
	}
	if value == "" {
		q.Del(name)
	} else {
		q.Set(name, value)
	}
	for k, v := range q {
		if isBlank(v) {
			q.Del(k)
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

func (s *Server) export(w http.ResponseWriter, r *http.Request) {
	format := store.Format(r.URL.Query().Get("format"))
	f, problem := readFilter(r.URL.Query())
	if problem != "" || format != store.CSV && format != store.JSONL {
		answer(w, http.StatusBadRequest, "There are the formats csv and jsonl. "+problem)
		return
	}
	types := map[store.Format]string{store.CSV: "text/csv; charset=utf-8", store.JSONL: "application/jsonl; charset=utf-8"}
	w.Header().Set("Content-Type", types[format])
	w.Header().Set("Content-Disposition", `attachment; filename="askpg-translations.`+string(format)+`"`)
	// A long export may take its time; the client's going away ends it.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	if err := s.store.Export(r.Context(), w, format, f); err != nil && r.Context().Err() == nil {
		s.log.ErrorContext(r.Context(), "an export broke off", "error", err)
		panic(http.ErrAbortHandler) // so that the client sees that it is not whole
	}
}

type examplesPage struct {
	Examples []store.Example
	Status   string
	Done     string
}

func (s *Server) examples(w http.ResponseWriter, r *http.Request) {
	status := r.URL.Query().Get("status")
	list, err := s.store.Examples(r.Context(), r.URL.Query().Get("database"), store.Status(status))
	if err != nil {
		s.problem(w, r, err)
		return
	}
	s.render(w, r, http.StatusOK, "examples", "Examples", examplesPage{Examples: list, Status: status, Done: r.URL.Query().Get("done")})
}

func (s *Server) exportExamples(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/jsonl; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="askpg-examples.jsonl"`)
	if err := s.store.ExportExamples(r.Context(), w, r.URL.Query().Get("database")); err != nil && r.Context().Err() == nil {
		s.log.ErrorContext(r.Context(), "an export of the examples broke off", "error", err)
		panic(http.ErrAbortHandler)
	}
}

func (s *Server) judgeExample(w http.ResponseWriter, r *http.Request) {
	_, who := s.identify(r)
	if r.PostFormValue("do") != "retire" {
		answer(w, http.StatusBadRequest, "An example can be retired here.")
		return
	}
	if err := s.store.RetireExample(r.Context(), r.PathValue("id"), who); err != nil {
		s.problem(w, r, err)
		return
	}
	http.Redirect(w, r, "/examples?done=retired", http.StatusSeeOther)
}

// readFilter reads a list's filters out of its address, and says which one
// cannot be read.
func readFilter(q url.Values) (f store.Filter, problem string) {
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	f = store.Filter{
		Database: q.Get("database"), Role: q.Get("role"), Application: q.Get("application"), Outcome: store.Outcome(get("outcome")), Code: get("code"), Source: get("source"),
		Review: get("review"), Feedback: get("feedback"), Text: get("q"), Before: get("before"),
	}
	for name, to := range map[string]*time.Time{"since": &f.Since, "until": &f.Until} {
		if v := get(name); v != "" {
			t, err := time.Parse(time.DateOnly, v)
			if err != nil {
				problem = name + " must be a day, such as 2026-01-31"
				continue
			}
			if name == "until" {
				t = t.AddDate(0, 0, 1) // the day itself is meant as well
			}
			*to = t
		}
	}
	for name, to := range map[string]*float64{"min": &f.MinConfidence, "max": &f.MaxConfidence} {
		if v := get(name); v != "" {
			p, err := percent(v)
			if err != nil {
				problem = "confidence must be a number from 0 to 100"
				continue
			}
			*to = p
		}
	}
	return f, problem
}
