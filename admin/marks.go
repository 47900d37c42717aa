package admin

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// maxAsked is how long a question may be for its words to be marked on the
// page, in bytes.
const maxAsked = 8 << 10

// Marks are the parameters that reviewers mark.
type Marks interface {
	// Mark reads the marked texts of a translation as the role that asked sees
	// the database.
	Mark(ctx context.Context, r *store.Record, question, sql string) (*param.Template, error)
	// Try returns the SQL that another question would get.
	Try(ctx context.Context, r *store.Record, t *param.Template, question string) (sql string, err error)
}

// MarksWith lets reviewers mark parameters. Call it before Listen.
func (s *Server) MarksWith(m Marks) { s.marks = m }

// verdict is what a reviewer sent.
type verdict struct {
	id, do, by, note string
	question, sql    string // as typed, maybe with marks
	try              string
}

func readVerdict(r *http.Request, by string) *verdict {
	text := func(name string) string { return strings.ReplaceAll(r.PostFormValue(name), "\r\n", "\n") }
	return &verdict{id: r.PathValue("id"), do: r.PostFormValue("do"), by: by, note: strings.TrimSpace(text("note")),
		question: text("question"), sql: text("sql"), try: strings.TrimSpace(text("try"))}
}

// markedBy returns what a reviewer has marked, nil if he has marked nothing.
func (s *Server) markedBy(r *http.Request, v *verdict) (*param.Template, error) {
	if strings.TrimSpace(v.question) == "" {
		return nil, nil
	}
	rec, err := s.store.Get(r.Context(), v.id)
	if err != nil {
		return nil, err
	}
	if !param.Marked(v.question) {
		if ask.Normalise(v.question) != ask.Normalise(param.Escape(rec.Question)) {
			return nil, &refusal{"The words of the question can be marked, not changed."}
		}
		if _, err := ask.Parse(v.sql); param.Marked(v.sql) && err != nil {
			return nil, &refusal{"The SQL has a mark and the question has none: mark the words there that it stands for."}
		}
		return nil, nil
	}
	return s.mark(r, rec, v)
}

func (s *Server) mark(r *http.Request, rec *store.Record, v *verdict) (*param.Template, error) {
	ctx, cancel := context.WithTimeout(r.Context(), planTime)
	defer cancel()
	var t *param.Template
	var err error
	if sql := strings.TrimRight(strings.TrimSpace(v.sql), "; \n\t"); s.marks != nil {
		t, err = s.marks.Mark(ctx, rec, v.question, sql)
	} else {
		t, err = param.Compile(v.question, sql)
	}
	if err != nil {
		return nil, &refusal{"The marks are not accepted: " + err.Error() + "."}
	}
	v.question, v.sql = t.Marked()
	return t, nil
}

// preview is how marks read.
type preview struct {
	Question   []param.Part
	SQL        []param.Part
	Parameters []param.Parameter
	Try        string
	Filled     string // SQL of the question that is tried
	Refused    string // why it gets none
}

// preview shows how the marks read, of the reviewer or as they are suggested.
func (s *Server) preview(w http.ResponseWriter, r *http.Request, v *verdict) {
	rec, err := s.store.Get(r.Context(), v.id)
	if errors.Is(err, store.ErrNotFound) {
		s.render(w, r, http.StatusNotFound, "problem", "Not found", "There is no such translation.")
		return
	}
	if err != nil {
		s.problem(w, r, err)
		return
	}
	if v.do == "suggest" {
		v.question, v.sql = param.Suggest(rec.Question, param.Plain(v.sql))
	}
	page := translationPage{Proposed: v.sql, Asked: v.question, Note: v.note}
	fail := func(problem string) {
		page.Problem = problem
		s.showTranslation(w, r, http.StatusUnprocessableEntity, page)
	}
	if !param.Marked(v.question) {
		if v.do == "suggest" {
			fail("No words of the question stand for a constant of the SQL in a way that can be told; mark them by hand.")
		} else {
			fail("The question has no mark yet: put braces around what varies and name it, as in {country:Spain}.")
		}
		return
	}
	t, err := s.mark(r, rec, v)
	if err != nil {
		fail(err.Error())
		return
	}
	if open := t.Open(); len(open) > 0 {
		fail("Nothing says what may stand for " + strings.Join(open, ", ") + ": name a column, {" + open[0] + ":…|in table.column}, list it, {" + open[0] + ":…|this|that}, or allow any text, {" + open[0] + ":…|any}.")
		return
	}
	page.Asked, page.Proposed = v.question, v.sql
	if err := s.planned(r, v.id, t.SQL); err != nil {
		fail(explain(err))
		return
	}
	question, sql := t.Parts()
	page.Preview = &preview{Question: question, SQL: sql, Parameters: t.Parameters, Try: v.try}
	if v.try == "" {
		page.Preview.Try = rec.Question
	} else if s.marks != nil {
		if page.Preview.Filled, err = s.marks.Try(r.Context(), rec, t, v.try); err != nil {
			page.Preview.Refused = err.Error()
		}
	}
	s.showTranslation(w, r, http.StatusOK, page)
}

// questionParts cuts an example's question at its parameters.
func questionParts(e store.Example) []param.Part {
	if e.MarkedQuestion != "" {
		if parts := param.PartsOfQuestion(e.MarkedQuestion); parts != nil {
			return parts
		}
	}
	return []param.Part{{Text: strings.Join(strings.Fields(truncate(e.Question, 240)), " ")}}
}
