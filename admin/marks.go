package admin

import (
	"context"
	"net/http"
	"strings"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// maxMarkedQuestion is how long a question may be for its words to be marked on the
// page, in bytes.
const maxMarkedQuestion = 8 << 10

// Marks are the parameters that reviewers mark.
type Marks interface {
	// Mark reads the marked texts of a translation as the role that asked sees
	// the database.
	Mark(ctx context.Context, r *store.Record, question, sql string) (*param.Template, error)
	// Try returns the SQL that another question would get.
	Try(ctx context.Context, r *store.Record, t *param.Template, question string) (sql string, err error)
}

// markedBy returns what a reviewer has marked, nil if he has marked nothing.
func (s *Server) markedBy(r *http.Request, rec *store.Record, v *verdict) (*param.Template, error) {
	if strings.TrimSpace(v.question) == "" {
		return nil, nil
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
	ctx, cancel := context.WithTimeout(r.Context(), planTimeout)
	defer cancel()
	t, err := s.Marks.Mark(ctx, rec, v.question, v.statement(nil))
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

// preview shows how marks read: the reviewer's own, or those that are suggested.
func (s *Server) preview(w http.ResponseWriter, r *http.Request, rec *store.Record, v *verdict) {
	if v.action == "suggest" {
		v.question, v.sql = param.Suggest(rec.Question, param.Plain(v.sql))
	}
	p, err := s.previewMarks(r, rec, v)
	page := translationPage{Form: v.form(), Preview: p} // with the marks as they were read
	if err != nil {
		page.Problem = err.Error()
		s.showTranslation(w, r, http.StatusUnprocessableEntity, page)
		return
	}
	s.showTranslation(w, r, http.StatusOK, page)
}

// previewMarks reads the marks of v and plans its SQL. The error says for the reviewer what is wrong with them.
func (s *Server) previewMarks(r *http.Request, rec *store.Record, v *verdict) (*preview, error) {
	switch {
	case param.Marked(v.question):
	case v.action == "suggest":
		return nil, &refusal{"No words of the question stand for a constant of the SQL in a way that can be told; mark them by hand."}
	default:
		return nil, &refusal{"The question has no mark yet: put braces around what varies and name it, as in {country:Spain}."}
	}
	t, err := s.mark(r, rec, v)
	if err != nil {
		return nil, err
	}
	if err := store.UnboundMarks(t); err != nil {
		return nil, &refusal{sentence(err)}
	}
	if err := s.plan(r, rec, t.SQL); err != nil {
		return nil, &refusal{explain(err)}
	}
	question, sql := t.Parts()
	p := &preview{Question: question, SQL: sql, Parameters: t.Parameters, Try: v.try}
	if v.try == "" {
		p.Try = rec.Question
	} else if p.Filled, err = s.Marks.Try(r.Context(), rec, t, v.try); err != nil {
		p.Refused = err.Error()
	}
	return p, nil
}

// questionParts cuts an example's question at its parameters.
func questionParts(e shownExample) []param.Part {
	if e.MarkedQuestion != "" {
		if parts := param.PartsOfQuestion(e.MarkedQuestion); parts != nil {
			return parts
		}
	}
	return []param.Part{{Text: strings.Join(strings.Fields(truncate(e.Question, 240)), " ")}}
}
