package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"

	"askpg/ask"
	"askpg/ask/param"
)

// setTemplate makes e an example with t's parameters.
func (e *Example) setTemplate(t *param.Template) {
	e.Question, e.SQL, e.Parameters = t.Question, t.SQL, t.Parameters
	e.MarkedQuestion, e.MarkedSQL = t.Marked()
}

// templateKey is the question_key of an example with parameters: examples that
// match the same questions have the same.
func templateKey(t *param.Template, hint string) string {
	k, h := t.Key(), ask.Normalise(hint)
	sum := sha256.Sum256(fmt.Appendf(nil, "parameters %d:%s%s", len(k), k, h))
	return hex.EncodeToString(sum[:16])
}

// checkMarks returns why t is not what a reviewer may mark in r.
func (r *Record) checkMarks(verdict Review, t *param.Template) error {
	if open := t.Open(); len(open) > 0 {
		return unboundMarksError(open)
	}
	switch {
	case len(r.History) > 0:
		return errors.New("a question that follows up on others makes no example, so that nothing in it can be marked")
	case ask.Normalise(t.Question) != ask.Normalise(r.Question):
		return errors.New("the words of the question can be marked, not changed")
	case verdict == Approved && !param.Same(t.SQL, r.SQL):
		return errors.New("the SQL is another than the one that answered; correct the translation instead")
	}
	return nil
}

func unboundMarksError(names []string) error {
	n := names[0]
	return fmt.Errorf("nothing says what may stand for %s: name a column, {%s:…|in table.column}, list it, {%s:…|this|that}, or allow any text, {%s:…|any}",
		strings.Join(names, ", "), n, n, n)
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
	list, err := s.examples(ctx, `database = ? and question_key = ? and status = 'verified'`, e.Database, key)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// templates are the compiled examples with parameters, by database.
type templates struct {
	mu  sync.Mutex
	set map[string]*templateSet
}

// templateSet are the examples of a database as of a digest of their rows.
type templateSet struct {
	digest string
	list   []template
}

type template struct {
	id   string
	hint string // normalised
	*param.Template
}

// Filled is an example with the values of a question in it.
type Filled struct {
	*Example
	SQL    string            // with the values
	Values map[string]string // by the parameters' names
}

// Fill returns the verified example with parameters that a question is an
// instance of, with its values: of several the most specific one. Two that are
// equally so, or words that can be read in two ways, are none: nil without an
// error.
func (s *Store) Fill(ctx context.Context, database, question, hint string, r *param.Reader) (*Filled, error) {
	set, err := s.templatesOf(ctx, database)
	if err != nil {
		return nil, err
	}
	id, values, sql, err := s.match(ctx, set, question, hint, r)
	if err != nil || id == "" {
		return nil, err
	}
	list, err := s.examples(ctx, `id = ? and status = 'verified'`, id)
	if err != nil || len(list) == 0 {
		return nil, err // retired since
	}
	return &Filled{&list[0], sql, values}, nil
}

// match returns the id of the example of a set that Fill chooses, "" if there is none, with its values and the SQL that
// holds them.
func (s *Store) match(ctx context.Context, set *templateSet, question, hint string, r *param.Reader) (id string, values map[string]string, sql string, err error) {
	var best *template
	unique, outcome := false, param.None
	h := ask.Normalise(hint)
	for i := range set.list {
		t := &set.list[i]
		if t.hint != h {
			continue
		}
		v, match, err := t.Match(ctx, question, r)
		if err != nil {
			return "", nil, "", fmt.Errorf("example %s: %w", t.id, err)
		}
		outcome = max(outcome, match)
		if match != param.Matched && match != param.Ambiguous {
			continue
		}
		d := -1
		if best != nil {
			d = t.Specific(best.Template)
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
		return "", nil, "", nil
	}
	if sql, err = best.Fill(values); err != nil {
		s.metrics.examples.WithLabelValues("unread").Inc()
		s.log.InfoContext(ctx, "the words of a question do not fit a verified example", "example", best.id, "error", err)
		return "", nil, "", nil
	}
	return best.id, values, sql, nil
}

// templatesOf returns the examples with parameters of a database. They are
// compiled anew when one of their rows was changed, by any instance.
func (s *Store) templatesOf(ctx context.Context, database string) (*templateSet, error) {
	digest, err := s.examplesDigest(ctx, `database = ? and marked_question <> ''`, database)
	if err != nil {
		return nil, err
	}
	s.templates.mu.Lock()
	have := s.templates.set[database]
	s.templates.mu.Unlock()
	if have != nil && have.digest == digest {
		return have, nil
	}
	list, err := s.examples(ctx, `database = ? and marked_question <> '' and status = 'verified'`, database)
	if err != nil {
		return nil, err
	}
	set := &templateSet{digest: digest}
	for i := range list {
		e := &list[i]
		t, err := param.Compile(e.MarkedQuestion, e.MarkedSQL)
		if err != nil {
			s.log.WarnContext(ctx, "a verified example with parameters cannot be read", "example", e.ID, "error", err)
			continue
		}
		set.list = append(set.list, template{e.ID, ask.Normalise(e.Hint), t})
	}
	s.templates.mu.Lock()
	defer s.templates.mu.Unlock()
	if s.templates.set == nil || len(s.templates.set) >= maxTemplateSets {
		s.templates.set = map[string]*templateSet{}
	}
	s.templates.set[database] = set
	return set, nil
}

// maxTemplateSets bounds the databases whose examples are kept compiled.
const maxTemplateSets = 256
