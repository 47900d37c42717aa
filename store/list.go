package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"askpg/ask"
)

// Order is the order of a list.
type Order string

// The orders of a list.
const (
	NewestFirst   Order = ""
	PriorityFirst Order = "priority" // what is worth a reviewer's time; only what nobody has reviewed
)

// Filter says which translations a list holds; zero fields do not filter.
type Filter struct {
	Database      string
	Role          string
	Application   string
	Outcome       Outcome
	Code          string // SQLSTATE
	Source        string
	Review        string // a Review, or "none" for those that nobody has reviewed
	Feedback      string // "good" or "bad"
	Assigned      string // to whom
	Unassigned    bool   // to nobody
	Since         time.Time
	Until         time.Time
	MinConfidence float64 // confidence at least
	MaxConfidence float64 // confidence below, of answered ones
	MinElapsed    float64 // ms that it took at least
	MaxElapsed    float64 // ms that it took less than
	Text          string  // words that question, hint, SQL or message hold; "…" is a phrase, * at a word's end any ending
	Scope         Scope
	Order         Order
	Before        string // Page.Next of the page before
	Limit         int    // 50 if 0, at most MaxPage
}

// MaxPage is how many translations a page has at most.
const MaxPage = 1000

// Page is a part of a list.
type Page struct {
	Records []Record // without candidates, plan, settings and kept rows
	Next    string   // Filter.Before of the next page, empty if this is the last
}

// listFields are the columns that a list shows; the long ones are left out.
var listFields = fieldsNamed("id", "asked", "database", "role", "login", "application", "question", "hint", "action", "outcome", "code", "message",
	"strategy", "source", "sql", "confidence", "calls", "cost", "elapsed_ms", "rows_returned", "review", "feedback", "priority", "fallback", "assigned")

func fieldsNamed(wanted ...string) []field[Record] {
	return slices.DeleteFunc(slices.Clone(recordFields), func(f field[Record]) bool { return !slices.Contains(wanted, f.name) })
}

// withSeq returns what Scan needs to read a record's seq and fields.
func withSeq(fields []field[Record]) func(*Record) []any {
	targets := scanTargets(fields)
	return func(r *Record) []any { return append([]any{&r.Seq}, targets(r)...) }
}

// clause collects the conditions of a query and their arguments.
type clause struct {
	where []string
	args  []any
}

func (c *clause) add(condition string, args ...any) {
	c.where = append(c.where, condition)
	c.args = append(c.args, args...)
}

// equals adds the condition that a column has a value; empty is any.
func (c *clause) equals(column, value string) {
	if value != "" {
		c.add(column+" = ?", value)
	}
}

// and returns a copy of a clause with one more condition.
func (c *clause) and(condition string, args ...any) *clause {
	return &clause{where: append(slices.Clone(c.where), condition), args: append(slices.Clone(c.args), args...)}
}

func (c *clause) String() string {
	if len(c.where) == 0 {
		return ""
	}
	return " where " + strings.Join(c.where, " and ")
}

// List returns the translations that f selects, a page at a time.
func (s *Store) List(ctx context.Context, f Filter) (*Page, error) {
	s.flush(ctx)
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	limit := f.Limit
	if limit <= 0 {
		limit = 50
	}
	limit = min(limit, MaxPage)
	order := "seq desc"
	if f.Order == PriorityFirst {
		order = "priority desc, seq desc"
	}
	if s.byTime(&f) {
		order = "asked desc, seq desc"
	}
	search, args, err := s.search(ctx, &f, order, limit+1)
	if err != nil {
		return nil, err
	}
	// The rows are found in an index first and read then.
	query := fmt.Sprintf(`select t.seq, %s from (%s) f cross join translations t where t.seq = f.found order by %s`,
		columns("t.", listFields), search, strings.NewReplacer("priority", "t.priority", "asked", "t.asked", "seq", "t.seq").Replace(order))
	page := &Page{}
	if page.Records, err = collect(ctx, s, s.read, query, args, withSeq(listFields)); err != nil {
		return nil, fmt.Errorf("listing translations: %w", err)
	}
	if len(page.Records) > limit {
		page.Records = page.Records[:limit]
		last := &page.Records[limit-1]
		page.Next = fmt.Sprint(last.Seq)
		if f.Order == PriorityFirst {
			page.Next = fmt.Sprintf("%v_%d", last.Priority, last.Seq)
		} else if s.byTime(&f) {
			page.Next = fmt.Sprintf("%d_%d", last.Asked.UnixMicro(), last.Seq)
		}
	}
	// How often a question was asked tells of all roles of its database.
	if f.Order == PriorityFirst && !slices.ContainsFunc(f.Scope, func(p Part) bool { return len(p.Roles) > 0 }) {
		return page, s.readQuestionCounts(ctx, page.Records)
	}
	return page, nil
}

// CountQueue returns how many translations of a scope wait for a reviewer, at most so many.
func (s *Store) CountQueue(ctx context.Context, scope Scope, atMost int) (n int, err error) {
	ctx, cancel := s.lookUpContext(ctx)
	defer cancel()
	if err := s.ready(ctx); err != nil {
		return 0, err
	}
	return s.count(ctx, s.conditions(&Filter{Order: PriorityFirst, Scope: scope}), atMost)
}

// count returns how many translations meet conditions, at most so many.
func (s *Store) count(ctx context.Context, c *clause, atMost int) (n int, err error) {
	err = s.read.QueryRowContext(ctx, s.bind(fmt.Sprintf(`select count(*) from (select 1 from translations%s limit %d) found`, c, atMost)), c.args...).Scan(&n)
	return n, err
}

func (s *Store) conditions(f *Filter) *clause {
	c := &clause{}
	// SQLite takes a filter's own index where one that has the order would do
	// without sorting. A plus keeps it from that (SQLite documentation, "The
	// SQLite Query Optimizer Overview", section 2). The index by priority and
	// those by role, database and application hold what is filtered by.
	plus, outcomePlus := "", ""
	if s.dialect == sqlite && f.Order == PriorityFirst {
		plus, outcomePlus = "+", "+"
	} else if s.dialect == sqlite && f.Role+f.Database+f.Application != "" {
		outcomePlus = "+"
	}
	c.within(f.Scope, plus)
	c.equals(plus+"database", f.Database)
	c.equals(plus+"role", f.Role)
	c.equals(plus+"application", f.Application)
	c.equals(plus+"outcome", string(f.Outcome))
	c.equals(plus+"source", f.Source)
	if f.Code != "" {
		c.add("code = ? and code <> ''", f.Code)
	}
	switch f.Review {
	case "":
	case "none":
		c.add("review = ''")
	default:
		c.add("review = ? and review <> ''", f.Review)
	}
	switch f.Feedback {
	case "good":
		c.add("feedback > 0 and feedback <> 0")
	case "bad":
		c.add("feedback < 0 and feedback <> 0")
	}
	if f.Assigned != "" {
		c.add("assigned = ? and assigned <> ''", f.Assigned)
	} else if f.Unassigned {
		c.add(plus + "assigned = ''")
	}
	if !f.Since.IsZero() {
		c.add("asked >= ?", s.time(f.Since))
	}
	if !f.Until.IsZero() {
		c.add("asked < ?", s.time(f.Until))
	}
	if f.MinConfidence > 0 {
		c.add("confidence >= ?", f.MinConfidence)
	}
	if f.MaxConfidence > 0 {
		c.add("confidence < ? and "+outcomePlus+"outcome = 'answered'", f.MaxConfidence)
	}
	if f.MinElapsed > 0 {
		c.add("elapsed_ms >= ?", f.MinElapsed)
	}
	if f.MaxElapsed > 0 {
		c.add("elapsed_ms < ?", f.MaxElapsed)
	}
	if f.Order == PriorityFirst {
		c.add("review = '' and priority > 0")
	}
	return c
}

// ErrNotFound says that no such translation or example is there.
var ErrNotFound = errors.New("not found")

// Get returns a translation with its candidates. The beginning of its id will do, such as ShortID's. An *ask.Error says
// that several translations begin so.
func (s *Store) Get(ctx context.Context, id string) (*Record, error) {
	return s.GetWithin(ctx, id, nil)
}

// GetWithin is Get for somebody for whom there are the translations of a scope and no others.
func (s *Store) GetWithin(ctx context.Context, id string, scope Scope) (*Record, error) {
	s.flush(ctx)
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	id = strings.ToLower(storable(id))
	c := &clause{}
	if len(id) >= 6 && len(id) < 36 {
		c.add(idBegins, id, id+afterID)
	} else {
		c.add("id = ?", id)
	}
	c.within(scope, "")
	found, err := collect(ctx, s, s.read, `select seq, `+columns("", recordFields)+` from translations`+c.String()+` order by id limit 2`, c.args, withSeq(recordFields))
	if err != nil {
		return nil, fmt.Errorf("translation %s: %w", id, err)
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("translation %s: %w", id, ErrNotFound)
	case 2:
		return nil, ask.Errorf(ask.CodeInvalidParameter, "several translations begin with %s, such as %s and %s; give more of the id", id, found[0].ID, found[1].ID)
	}
	return &found[0], s.addCandidates(ctx, &found[0])
}

func (s *Store) addCandidates(ctx context.Context, r *Record) (err error) {
	if s.dialect == postgres {
		r.Candidates, err = collect(ctx, s, s.read, `select `+columns("", candidateFields)+` from candidates where translation = ? order by position`, []any{r.Seq}, scanTargets(candidateFields))
	} else {
		var lists []string // one, or none
		if lists, err = s.texts(ctx, s.read, `select list from candidates where translation = ?`, r.Seq); err == nil && len(lists) > 0 {
			r.Candidates, err = parseCandidates(lists[0])
		}
	}
	if err != nil {
		return fmt.Errorf("candidates of %s: %w", r.ID, err)
	}
	for i := range r.Candidates {
		r.Candidates[i].Translation = r.ID
	}
	return nil
}
