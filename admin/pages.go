package admin

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"askpg/ask"
	"askpg/store"
)

//go:embed templates
var templateFiles embed.FS

//go:embed assets
var assets embed.FS

var templates = map[string]*template.Template{}

func init() {
	for _, name := range []string{"signin", "overview", "list", "translation", "examples", "prompts", "definitions", "proposals", "replay", "problem"} {
		templates[name] = template.Must(template.New("layout.html").Funcs(functions).ParseFS(templateFiles, "templates/layout.html", "templates/"+name+".html"))
	}
}

// page is what the layout needs, and the data of one page.
type page struct {
	Title     string
	Path      string
	User      string
	CanReview bool // something of what the page shows
	CanExport bool // the audit of the verdicts
	CanTeach  bool // what words mean
	CanReplay bool // the verified examples
	SignedIn  bool
	Waiting   string // how many translations wait for his verdict, empty if none do or he gives none
	CSRF      string
	Data      any
}

// pages are the routes of the review page.
func (s *Server) pages() []route {
	files := http.FileServerFS(assets)
	return []route{
		{"GET /assets/{file}", noAccess, false, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "max-age=3600")
			files.ServeHTTP(w, r)
		}},
		{"GET /assets/", noAccess, false, http.NotFound}, // a folder is not listed
		{"GET /signin", noAccess, false, s.showSignIn},
		{"POST /signin", noAccess, false, s.signIn},
		{"GET /signin/oidc", noAccess, false, s.startOIDC},
		{"GET " + callbackPath, noAccess, false, s.endOIDC},
		{"POST /signout", viewer, false, s.signOut},
		{"GET /{$}", viewer, false, s.overview},
		{"GET /translations", viewer, false, s.list(store.NewestFirst)},
		{"GET /review", viewer, false, s.list(store.PriorityFirst)},
		{"POST /review", reviewer, false, s.judgeChosen},
		{"GET /translations/{id}", viewer, false, s.translation},
		{"GET /translations/{id}/prompts", reviewer, false, s.showPrompts},
		{"POST /translations/{id}", reviewer, false, s.judge},
		{"GET /export", viewer, false, s.export},
		{"GET /examples", viewer, false, s.examples},
		{"GET /examples.jsonl", viewer, false, s.exportExamples},
		{"POST /examples/{id}", reviewer, false, s.judgeExample},
		{"GET /verdicts.jsonl", administrator, false, s.exportVerdicts},
		{"GET /", viewer, false, func(w http.ResponseWriter, r *http.Request) {
			s.render(w, r, http.StatusNotFound, "problem", "Not found", "There is no such page.")
		}},
		{"POST /translations/{id}/teach", administrator, true, s.teach},
		{"GET /definitions", administrator, true, s.showDefinitions},
		{"POST /definitions", administrator, true, s.editDefinitions},
		{"GET /proposals", administrator, true, s.showProposals},
		{"POST /proposals", administrator, true, s.judgeProposals},
		{"GET /definitions.toml", administrator, true, s.exportDefinitions},
		{"GET /definitions.jsonl", administrator, true, s.exportSemanticsEdits},
		{"GET /replay", administrator, true, s.ifReplayed(s.showReplay)},
		{"POST /replay", administrator, true, s.ifReplayed(s.judgeReplay)},
	}
}

// render writes a page; it is whole or an error, never half.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name, title string, data any) {
	by := sender(r)
	may := by.most()
	if t, ok := data.(translationPage); ok { // who may judge this one is shown how
		may = by.with(t.Database, t.Role)
	}
	p := page{Title: title, Path: r.URL.Path, User: by.name, CanReview: may >= reviewer, CanExport: by.most() >= administrator, CanTeach: by.teaches(), CanReplay: by.teaches() && s.Replays != nil, SignedIn: by.cookie != "", CSRF: s.csrf(r), Data: data}
	if by.most() >= reviewer {
		p.Waiting = s.waiting(r.Context(), by)
	}
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
	if errors.Is(err, store.ErrNotFound) {
		s.render(w, r, http.StatusNotFound, "problem", "Not found", "There is no such translation or example. It may have been deleted because of its age.")
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

	// Of the queue for who may judge some of its rows.
	Judges  bool
	Here    string // address of the page
	Note    string
	Untaken []untaken
	Chosen  map[string]bool // by id
	Done    string          // what was done with the chosen rows a moment ago
	Rows    int             // with how many
}

func isBlank(values []string) bool { return len(values) == 1 && values[0] == "" }

func (s *Server) list(order store.Order) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if slices.ContainsFunc(slices.Collect(maps.Values(r.URL.Query())), isBlank) {
			// A form sends its empty fields as well; the address to share has none.
			http.Redirect(w, r, with(r.URL, r.URL.Path, "", ""), http.StatusSeeOther)
			return
		}
		s.renderList(w, r, http.StatusOK, order, listPage{})
	}
}

// renderList renders the page of a list. The fields of p that are set stay.
func (s *Server) renderList(w http.ResponseWriter, r *http.Request, status int, order store.Order, p listPage) {
	by := sender(r)
	f, problem := readFilter(r)
	f.Order, f.Scope = order, by.scope(viewer)
	facets, err := s.store.Facets(r.Context(), f.Scope)
	if err != nil {
		s.problem(w, r, err)
		return
	}
	p.Filter, p.Facets, p.Query, p.Queue, p.Problem = f, facets, r.URL.Query(), order == store.PriorityFirst, cmp.Or(p.Problem, problem)
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
		for i := range p.Records {
			l := &p.Records[i]
			l.Judged = by.with(l.Database, l.Role) >= reviewer
			p.Judges = p.Judges || l.Judged
		}
		p.Here, p.Done = with(r.URL, r.URL.Path, "", ""), chosenDone[r.URL.Query().Get("done")]
		p.Rows, _ = strconv.Atoi(r.URL.Query().Get("rows"))
	}
	if found.Next != "" {
		p.Next = with(r.URL, r.URL.Path, "before", found.Next)
	}
	if f.Before != "" {
		p.First = with(r.URL, r.URL.Path, "before", "")
	}
	p.More = f.Application != "" || f.Code != "" || f.Source != "" || f.MinConfidence > 0 || f.MaxConfidence > 0 || f.MinElapsed > 0 || f.MaxElapsed > 0 || !f.Since.IsZero() || !f.Until.IsZero()
	p.CSV = with(r.URL, "/export", "format", "csv")
	p.JSONL = with(r.URL, "/export", "format", "jsonl")
	title := "Translations"
	if p.Queue {
		title = "To review"
	}
	s.render(w, r, status, "list", title, p)
}

// with returns an address with the same filters and one parameter changed;
// then it begins at the first page.
func with(u *url.URL, path, name, value string) string {
	q := u.Query()
	q.Del("done")
	q.Del("rows")
	if name != "" {
		q.Del("before")
	}
	q.Set(name, value)
	maps.DeleteFunc(q, func(_ string, values []string) bool { return isBlank(values) })
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}
