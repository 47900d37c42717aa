package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/ask/param"
)

// setTemplate makes e an example with t's parameters.
func (e *Example) setTemplate(t *param.Template) {
	e.Question, e.SQL, e.Parameters = t.Question, t.SQL, t.Parameters
	e.MarkedQuestion, e.MarkedSQL = t.Marked()
}

// checkMarks returns why t is not what a reviewer may mark in r.
func (r *Record) checkMarks(verdict Review, t *param.Template) error {
	if err := UnboundMarks(t); err != nil {
		return err
	}
	switch {
	case len(r.History) > 0:
		return errors.New("a question that follows up on others makes no example, so nothing in it can be marked")
	case ask.Normalise(t.Question) != ask.Normalise(r.Question):
		return errors.New("the words of the question can be marked, not changed")
	case verdict == Approved && !param.Same(t.SQL, r.SQL):
		return errors.New("the SQL is another than the one that answered; correct the translation instead")
	}
	return nil
}

// UnboundMarks returns an error that names the marks of t of which nothing says what may stand for them, nil if there are none.
func UnboundMarks(t *param.Template) error {
	names := t.Open()
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("nothing says what may stand for %s: name a column, {%[2]s:…|in table.column}, list it, {%[2]s:…|this|that}, or allow any text, {%[2]s:…|any}",
		strings.Join(names, ", "), names[0])
}

// key is the question_key of an example that is not stored yet.
func (e *Example) key() (string, error) {
	if e.MarkedQuestion == "" {
		return questionKey(e.Question, e.Hint), nil
	}
	t, err := param.Compile(e.MarkedQuestion, e.MarkedSQL)
	if err != nil {
		return "", err
	}
	return templateKey(t, e.Hint), nil
}

// exampleReplacedBy returns the verified example that e would replace.
func (s *Store) exampleReplacedBy(ctx context.Context, e *Example) (*Example, error) {
	key, err := e.key()
	if err != nil {
		return nil, err
	}
	list, err := s.examples(ctx, `where database = ? and question_key = ? and only_for = ? and status = 'verified'`, e.Database, key, e.OnlyFor)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// template is an example with parameters, compiled.
type template struct {
	example *Example
	hint    string // normalised
	*param.Template
}

// Filled is an example with the values of a question in it.
type Filled struct {
	*Example
	SQL    string            // with the values
	Values map[string]string // by the parameters' names; nil of an example without parameters
}

// Fill returns the verified example that answers a role's question. That is the one whose question
// and hint are the same but for blanks, case and closing punctuation. Otherwise it is the one with
// parameters that the question is an instance of, with its values; of several it is the most
// specific one. Two that are equally so, or words that can be read in two ways, are none: nil
// without an error. One that answers this role alone goes before its like that answers all.
func (s *Store) Fill(ctx context.Context, database, role, question, hint string, reader func() *param.Reader) (*Filled, error) {
	have := s.remembered.have.Load()
	if have == nil {
		return nil, errNothingRemembered
	}
	key := questionKey(question, hint)
	for _, onlyFor := range []string{role, ""} {
		if e := have.exact[exampleKey{database, onlyFor, key}]; e != nil {
			return &Filled{Example: e, SQL: e.SQL}, nil
		}
	}
	list := slices.DeleteFunc(slices.Clone(have.templates[database]), func(t template) bool { return t.example.OnlyFor != "" && t.example.OnlyFor != role })
	if len(list) == 0 {
		return nil, nil
	}
	return s.match(ctx, list, question, hint, reader())
}

// match returns the example with parameters that Fill chooses, with its values and the SQL that holds them.
func (s *Store) match(ctx context.Context, list []template, question, hint string, r *param.Reader) (*Filled, error) {
	var best *template
	var values map[string]string
	unique, outcome := false, param.None
	h := ask.Normalise(hint)
	for i := range list {
		t := &list[i]
		if t.hint != h {
			continue
		}
		v, match, err := t.Match(ctx, question, r)
		if err != nil {
			return nil, fmt.Errorf("example %s: %w", t.example.ID, err)
		}
		outcome = max(outcome, match)
		if match != param.Matched && match != param.Ambiguous {
			continue
		}
		d := -1
		if best != nil {
			d = cmp.Or(t.Specific(best.Template), len(best.example.OnlyFor)-len(t.example.OnlyFor)) // OnlyFor is the asker's role or empty
		}
		switch {
		case d < 0:
			best, values, unique = t, v, match == param.Matched
		case d == 0:
			unique = false
		}
	}
	if best == nil || !unique {
		if outcome != param.None {
			label := "unread"
			if best != nil {
				label = "ambiguous"
			}
			s.metrics.examples.WithLabelValues(label).Inc()
		}
		return nil, nil
	}
	sql, err := best.Fill(values)
	if err != nil {
		s.metrics.examples.WithLabelValues("unread").Inc()
		s.log.InfoContext(ctx, "the words of a question do not fit a verified example", "example", best.example.ID, "error", err)
		return nil, nil
	}
	return &Filled{best.example, sql, values}, nil
}
