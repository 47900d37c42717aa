// Package translator turns questions into SQL. A strategy is a list of stages,
// which all work on one state. Models write candidates; nothing that they write
// is trusted. Every candidate passes the executor's guard, and results vote.
// docs/path-of-a-question.md says which step is in which file.
package translator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/catalog/lru"
	"askpg/translator/demo"
	"askpg/translator/grammar"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// Executor runs candidates, read-only, as the asker.
type Executor interface {
	Begin(ctx context.Context, s ask.Session) (Snapshot, error)
}

// Snapshot is one state of the data in which all candidates of a question
// run. Try and Run are safe for concurrent use; their errors are *ask.Error.
type Snapshot interface {
	// Try has the guard judge a statement and the server plan it, and then runs it.
	// It returns the plan, the rows up to the caps, and the time of the run. The plan
	// is empty if the statement could not be planned.
	Try(ctx context.Context, sql string) (ask.Plan, *ask.Result, time.Duration, error)
	// Run is Try without the plan.
	Run(ctx context.Context, sql string) (*ask.Result, error)
	// Replica says which server answers.
	Replica() ask.Replica
	Close()
}

// Catalog says what a role may see of a database.
type Catalog interface {
	SnapshotFor(ctx context.Context, session *ask.Session) (*catalog.Snapshot, error)
}

// lookup is what a Catalog may have beside its snapshots.
type lookup interface {
	// Lookup asks columns that are too large for the snapshot for the values that a question names.
	Lookup(ctx context.Context, s *catalog.Snapshot, question string) []catalog.Hit
}

// Model answers prompts. A Model with a method Traits() llm.Traits says what it may be
// used for. One without is a generator and a judge with a window of 128,000 tokens.
type Model interface {
	Name() string
	Complete(ctx context.Context, r llm.Request) (llm.Response, error)
}

// Examples are verified questions with their SQL.
type Examples interface {
	// Similar returns up to k examples for the question, the most similar first.
	Similar(ctx context.Context, q *ask.Question, k int) ([]Example, error)
}

// Example is a verified question with its SQL.
type Example = prompt.Demo

// Translator implements ask.Translator.
type Translator struct {
	cfg       Config
	catalog   Catalog
	exec      Executor
	models    []model
	log       *slog.Logger
	metrics   *metrics
	interpret interpreter
	examples  Examples
	samples   *lru.Cache[sampleKey, prompt.Rows]
	vectors   *lru.Cache[vectorKey, []float32]
	pool      *demo.Pool // demonstrations of the configured file
}

// An Option changes a new Translator.
type Option func(*Translator)

// WithExamples sets where verified examples come from.
func WithExamples(e Examples) Option { return func(t *Translator) { t.examples = e } }

// New returns a translator. Models that privacy.models does not admit are left out; with
// none left the built-in engine answers. reg may be nil.
func New(cfg Config, cat Catalog, exec Executor, models []Model, log *slog.Logger, reg prometheus.Registerer, options ...Option) *Translator {
	t := &Translator{catalog: cat, exec: exec, log: log, metrics: newMetrics(reg), interpret: grammar.Interpret}
	for _, o := range options {
		o(t)
	}
	if err := t.use(cfg, models); err != nil {
		log.Error("demonstrations could not be read", "file", cfg.DemoFile, "error", err)
	}
	return t
}

// With returns a translator with other settings and models, which counts in the metrics of t. An error says that
// the file of demonstrations cannot be read.
func (t *Translator) With(cfg Config, models []Model) (*Translator, error) {
	other := &Translator{catalog: t.catalog, exec: t.exec, log: t.log, metrics: t.metrics, interpret: t.interpret, examples: t.examples}
	if err := other.use(cfg, models); err != nil {
		return nil, fmt.Errorf("translator.demo_file: %w", err)
	}
	return other, nil
}

func (t *Translator) use(cfg Config, models []Model) (err error) {
	t.cfg, t.samples, t.vectors = cfg, lru.New[sampleKey, prompt.Rows](maxCached, nil), lru.New[vectorKey, []float32](maxVectors, nil)
	for _, m := range models {
		if d := describe(m); cfg.Privacy.Models != "local" || d.Local {
			t.models = append(t.models, d)
		}
	}
	if cfg.DemoFile == "" || t.pool != nil {
		return nil
	}
	f, err := os.Open(cfg.DemoFile)
	if err != nil {
		return err
	}
	defer f.Close()
	t.pool, err = demo.Read(f)
	return err
}

// model is a Model with its traits.
type model struct {
	Model
	llm.Traits
}

func describe(m Model) model {
	if d, ok := m.(interface{ Traits() llm.Traits }); ok {
		return model{m, d.Traits()}
	}
	return model{m, DefaultTraits}
}

// DefaultTraits are those of a Model that says nothing of itself.
var DefaultTraits = llm.Traits{Window: 128_000, MaxTokens: 2000, Roles: []string{llm.RoleGenerate, llm.RoleJudge}}

func (t *Translator) withRole(role string) []model {
	return slices.DeleteFunc(slices.Clone(t.models), func(m model) bool { return !m.Has(role) })
}

// Translate answers a question. A failure after candidates were made carries
// them, see ask.TranslationOf.
func (t *Translator) Translate(ctx context.Context, q ask.Question) (*ask.Translation, error) {
	start := time.Now()
	ctx = llm.WithAsker(ctx, q.Session.Role)
	s, err := t.begin(ctx, q)
	if err != nil {
		t.metrics.done("", "refused", time.Since(start))
		return nil, t.finalError(ctx, err)
	}
	defer s.close()
	defer s.release()
	run, cancel := context.WithTimeout(ctx, s.set.timeout)
	defer cancel()
	err = s.run(run)
	tr := s.translation()
	tr.Elapsed = time.Since(start)
	if err != nil {
		err = sayWhoseRights(s.snap, t.finalError(ctx, err))
		t.metrics.done(s.set.strategy, outcome(err), tr.Elapsed)
		why := []any{"id", q.ID, "role", q.Session.Role, "login", q.Session.SessionUser, "database", q.Session.Database, "client", q.Client.Address, "strategy", s.set.strategy, "error", err}
		if cause := errors.Unwrap(ask.AsError(err)); cause != nil {
			why = append(why, "cause", cause)
		}
		t.log.Info("question not answered", append(why,
			"candidates", len(tr.Candidates), "calls", tr.Usage.Calls, "elapsed", tr.Elapsed)...)
		return nil, ask.WithTranslation(err, tr)
	}
	t.metrics.done(s.set.strategy, string(tr.Source), tr.Elapsed)
	t.log.Info("question answered", "id", q.ID, "role", q.Session.Role, "login", q.Session.SessionUser,
		"database", q.Session.Database, "client", q.Client.Address, "strategy", s.set.strategy, "source", tr.Source, "confidence", tr.Confidence,
		"candidates", len(tr.Candidates), "calls", tr.Usage.Calls, "elapsed", tr.Elapsed)
	return tr, nil
}

// begin checks the question, reads its settings and the catalog.
func (t *Translator) begin(ctx context.Context, q ask.Question) (*state, error) {
	size := len(q.Text) + len(q.Hint)
	for _, h := range q.History {
		size += len(h.Question) + len(h.SQL)
	}
	switch {
	case !utf8.ValidString(q.Text) || !utf8.ValidString(q.Hint):
		return nil, ask.Errorf(ask.CodeInvalidEncoding, "the question is not valid UTF-8")
	case blank(q.Text):
		return nil, ask.Errorf(ask.CodeSyntax, "the question is empty").WithHint("Write it after the colon, such as: ask: how many customers are there?")
	case size > t.cfg.MaxQuestion:
		return nil, ask.Errorf(ask.CodeProgramLimit, "the question is longer than %d bytes", t.cfg.MaxQuestion).
			WithHint("Ask it in fewer words; translator.max_question sets the limit.")
	case q.Action == ask.ActionRun:
		return nil, ask.Errorf(ask.CodeFeatureNotSupported, "a candidate can be run only in the session that asked for it")
	}
	set, err := t.settings(&q)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	snap, err := t.catalog.SnapshotFor(ctx, &q.Session)
	if err != nil {
		return nil, err
	}
	if len(snap.Relations) == 0 {
		return nil, sayWhoseRights(snap, nothingToRead(snap, &q.Session))
	}
	set.searchPath = slices.DeleteFunc(set.searchPath, func(schema string) bool { return slices.Contains(snap.Exposed, schema) })
	s := newState(t, q, set, snap)
	s.prepare(ctx, q.Text+" "+q.Hint)
	if l, ok := t.catalog.(lookup); ok && t.cfg.Privacy.Values != prompt.ValuesNone && len(t.models) > 0 {
		s.hits = append(s.hits, l.Lookup(ctx, snap, q.Text)...)
	}
	s.stage("catalog", began)
	return s, nil
}

// nothingToRead is the error of a question for which there is no table.
func nothingToRead(snap *catalog.Snapshot, s *ask.Session) *ask.Error {
	e := ask.Errorf(ask.CodeNoCandidate, "role %q can read no table of database %q", s.Role, s.Database)
	if n := len(snap.Untrusted); n > 0 {
		return e.WithDetail("Tables and views were left out, since their owners are not trusted: %d.", n).
			WithHint("An admin can name an owner in replica.trusted_owners. `askpg check` says who owns what, and what that means.")
	}
	return e.WithHint("Create tables, or grant SELECT on them to the role.")
}

// sayWhoseRights adds to an error about what can't be read that other rights than the role's own apply.
func sayWhoseRights(snap *catalog.Snapshot, err error) error {
	e := ask.AsError(err)
	if e == nil || snap.As == "" || e.Code != ask.CodeNoCandidate && e.Code != ask.CodeInsufficientRights {
		return err
	}
	e = e.Copied()
	e.Detail = strings.TrimSpace(e.Detail + fmt.Sprintf("\nRole %q is a superuser or a member of a privileged role: its questions run with the rights of %q.", snap.Role, snap.As))
	if e.Code == ask.CodeInsufficientRights || len(snap.Relations) == 0 {
		e.Hint = "Ask as a role that may read and no more, or have an admin name such a role in replica.superuser_role: the questions of superusers run with its rights."
	}
	return e
}

// finalError makes an *ask.Error of any error.
func (t *Translator) finalError(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ask.Errorf(ask.CodeQueryCanceled, "canceling statement due to user request").Because(err)
	}
	if e := ask.AsError(err); e != nil {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return ask.Errorf(ask.CodeQueryCanceled, "the question was not answered in time").
			WithHint("Ask for less, or ask again later. An admin can raise translator.timeout and replica.statement_timeout.").Because(err)
	}
	return ask.Errorf(ask.CodeInternal, "the question could not be translated").
		WithHint("The log of askpg says why.").Because(err)
}
