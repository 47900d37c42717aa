package store

import "askpg/ask"

// redact takes the literals out of what a record holds of the question, the
// SQL and the data. What the SQL compares with is data in the question too.
func (r *Record) redact() {
	literals := ask.Literals(r.SQL)
	for i := range r.Candidates {
		literals = append(literals, ask.Literals(r.Candidates[i].SQL)...)
	}
	for _, t := range r.History {
		literals = append(literals, ask.Literals(t.SQL)...)
	}
	for _, l := range r.Linked {
		literals = append(literals, l.Value)
	}
	sql := func(s *string) {
		if *s != "" {
			*s = ask.RedactSQL(*s, literals...)
		}
	}
	text := func(list ...*string) {
		for _, s := range list {
			*s = ask.RedactText(*s, literals...)
		}
	}
	sql(&r.SQL)
	text(&r.Question, &r.Normalised, &r.Hint, &r.Message, &r.Detail, &r.ErrorHint, &r.Cause, &r.Understood, &r.Plan)
	for i := range r.History {
		t := &r.History[i]
		text(&t.Question)
		sql(&t.SQL)
	}
	r.Annotations = mapped(r.Annotations, func(s string) string { return ask.RedactText(s, literals...) })
	r.Demos = mapped(r.Demos, func(s string) string { return ask.RedactText(s, literals...) })
	r.Notices = mapped(r.Notices, func(s string) string { return ask.RedactText(s, literals...) })
	for i := range r.Linked {
		text(&r.Linked[i].Words, &r.Linked[i].Value)
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		sql(&c.SQL)
		text(&c.Message, &c.Detail, &c.ErrorHint)
	}
	for i := range r.ResultColumns { // a column's name can be a text of the SQL
		text(&r.ResultColumns[i].Name)
	}
	r.AnswerKey = "" // an answer without literals is not recalled
}

// mapped returns a list of its own: the question's is not the record's to change.
func mapped[T, U any](list []T, f func(T) U) []U {
	var out []U
	for _, s := range list {
		out = append(out, f(s))
	}
	return out
}
