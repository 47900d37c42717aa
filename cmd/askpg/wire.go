package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"askpg/admin"
	"askpg/ask"
	"askpg/cache"
	"askpg/catalog"
	"askpg/proxy"
	"askpg/replica"
	"askpg/store"
	"askpg/translator"
	"askpg/translator/fault"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// app is askpg put together.
type app struct {
	log      *slog.Logger
	registry *prometheus.Registry
	replica  *replica.Replica
	catalog  *catalog.Catalog
	cache    *cache.Cache
	store    *store.Store
	// translator is answer behind the whole chain of decorators.
	translator ask.Translator
	proxy      *proxy.Server
	admin      *admin.Server

	current    atomic.Pointer[current]
	embeddedBy [3]string              // embedderSettings at the start
	load       func() (Config, error) // reads the configuration file; nil if there is none
	reloads    *reloads
	replayed   *prometheus.GaugeVec // newReplayed
}

// newApp opens everything but the listeners. The replica need not be up.
func newApp(ctx context.Context, cfg Config, log *slog.Logger) (*app, error) {
	registry := prometheus.NewRegistry()
	clients, err := openModels(nil, cfg.Models, log, registry)
	if err != nil {
		return nil, err
	}
	a, err := openApp(ctx, cfg, notingPrompts(clients), log, registry)
	if err != nil {
		return nil, err
	}
	now := *a.current.Load()
	now.models = clients
	a.current.Store(&now)
	return a, nil
}

func openApp(ctx context.Context, cfg Config, models []translator.Model, log *slog.Logger, registry *prometheus.Registry) (_ *app, err error) {
	a := &app{log: log, registry: registry, reloads: newReloads(registry, &cfg), replayed: newReplayed()}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	a.registry.MustRegister(a.replayed, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if a.store, err = store.Open(ctx, cfg.Store, log, a.registry); err != nil {
		return nil, err
	}
	if a.replica, err = replica.New(cfg.Replica, log, a.registry); err != nil {
		return nil, err
	}
	a.catalog = catalog.New(cfg.Catalog, a.replica, log, a.registry)
	if e := embedder(&cfg, models); e != nil {
		a.embeddedBy = embedderSettings(&cfg)
		a.catalog.UseEmbedder(spending{followed{a}, a.store, log})
	}
	a.catalog.Admit(admitted(&cfg.Replica))
	cfg.Translator.Privacy = cfg.Privacy
	core := translator.New(cfg.Translator, a.catalog, executor{a.replica}, models, log, a.registry, translator.WithExamples(examples{a}))
	a.current.Store(&current{cfg: cfg, core: core, embedder: embedder(&cfg, models)})
	// From the inside: a budget for what is really asked of models, the cache and the log's memory, verified examples,
	// and a bound on questions. The log is outermost.
	if a.cache, err = cache.New(cfg.Cache, a.version, store.Budgeted(ask.TranslatorFunc(a.answer), a.store), a.registry); err != nil {
		return nil, err
	}
	a.cache.Memory = a.store
	a.cache.Accepts = func(q *ask.Question, t *ask.Translation) bool { return a.current.Load().core.Accepts(q, t) }
	a.translator = a.bounded(store.Logged(a.permitted(store.Counted(a.inWords(store.VerifiedFirst(a.cache, a.store, a.execute, a.reading, a.sameTables)), a.store)), a.store))
	if a.proxy, err = proxy.New(cfg.Config, a.translator, streamer{a.replica}, log, a.registry); err != nil {
		return nil, err
	}
	a.proxy.Hooks = proxy.Hooks{
		Feedback: a.feedback, Run: a.logRun, ForeignCancel: a.store.CancelElsewhere,
		Shows: a.shows(), KeepLogins: cfg.Replica.Login == replica.LoginUser, Roles: a.replica, TrustedOwners: cfg.Replica.TrustedOwners,
		CheckSetting: func(name, value string) string { return a.current.Load().core.CheckSetting(name, value) },
	}
	a.store.OnCancel(a.proxy.CancelMatching)
	a.admin = admin.New(cfg.Admin, a.store, a.ready, a.registry, log)
	a.admin.Parts = admin.Parts{Check: a.checkForReview, Prompts: a.prompts, Marks: marker{a}, Rows: a.rows, Semantics: definitions{a}, Differences: a.differences}
	a.store.RecheckExamples(a.schemaVersion, a.checkForReview)
	return a, nil
}

func (a *app) listen() error {
	if err := a.proxy.Listen(); err != nil {
		return err
	}
	return a.admin.Listen()
}

// serve runs until ctx ends, then drains, and closes everything.
func (a *app) serve(ctx context.Context) error {
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := a.proxy.Serve(); !errors.Is(err, proxy.ErrServerClosed) {
			return err
		}
		return nil
	})
	g.Go(a.admin.Serve)
	g.Go(func() error { a.watch(gctx, watchEvery); return nil })
	g.Go(func() error {
		a.replica.WatchPrimary(gctx, func() string { return a.config().Primary.Address }, a.proxy.DialPrimary)
		return nil
	})
	g.Go(func() error {
		<-gctx.Done()
		// The review page stays up while sessions drain, so that readiness
		// can say that this instance takes no more.
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.config().Shutdown.DrainTimeout.Duration())
		defer cancel()
		err := a.proxy.Shutdown(drain)
		if errors.Is(err, context.DeadlineExceeded) {
			a.log.Warn("sessions were ended that had not reached an idle point", "drain_timeout", a.config().Shutdown.DrainTimeout)
			err = a.proxy.Close()
		}
		return errors.Join(err, a.admin.Close())
	})
	return errors.Join(g.Wait(), a.close())
}

// close frees everything that newApp opened.
func (a *app) close() error {
	if a.cache != nil {
		a.cache.Close()
	}
	if a.catalog != nil {
		a.catalog.Close()
	}
	if a.replica != nil {
		a.replica.Close()
	}
	if a.store != nil {
		return a.store.Close()
	}
	return nil
}

// version is the cache's: rights and schema of the asking role.
func (a *app) version(ctx context.Context, q *ask.Question) (string, error) {
	snap, err := a.catalog.SnapshotFor(ctx, &q.Session)
	if err != nil {
		return "", err
	}
	return snap.Version, nil
}

// schemaVersion is that of the schema which a role sees.
func (a *app) schemaVersion(ctx context.Context, database, role string) (string, error) {
	snap, err := a.catalog.Snapshot(ctx, database, role)
	if err != nil {
		return "", err
	}
	return snap.Version, nil
}

// ready says whether questions can be answered and sessions relayed.
func (a *app) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	switch err := a.proxy.Ready(ctx); {
	case errors.Is(err, proxy.ErrDraining):
		return &admin.NotReady{State: "draining", Err: err}
	case err != nil:
		return &admin.NotReady{State: "the primary is not reached", Err: err}
	}
	return a.modelsReady()
}

// modelsReady says whether as many models are up as admin.ready_models wants. One whose
// cooldown is over counts as up, as only a question can find out.
func (a *app) modelsReady() error {
	used, up := 0, 0
	var missing []string
	now := a.current.Load()
	for _, m := range now.models {
		if now.cfg.Privacy.Models == prompt.ModelsLocal && !m.Traits().Local {
			continue
		}
		used++
		if m.Up() || m.Health().State == llm.Ready {
			up++
			continue
		}
		h := m.Health()
		missing = append(missing, fmt.Sprintf("model %s is %s since %s: %s", m.Name(), h.State, h.Since.UTC().Format(time.RFC3339), h.Reason))
	}
	switch need := now.cfg.Admin.ReadyModels; {
	case need == admin.ReadyWithAllModels && up < used, need == admin.ReadyWithOneModel && used > 0 && up == 0:
		return &admin.NotReady{State: "too few models are up", Err: errors.New(strings.Join(missing, "; "))}
	}
	return nil
}

// checkForReview plans a statement for reviewers. Those who may not see rows do not hear of the limits of cost and
// rows either: the planner's figures are made of the values of columns, also private ones.
func (a *app) checkForReview(ctx context.Context, database, role string, settings map[string]string, sql string) error {
	if a.current.Load().cfg.Admin.ShowRows > 0 {
		return a.check(ctx, database, role, settings, sql)
	}
	snap, err := a.replica.Begin(ctx, ask.Session{Database: database, Role: role, SessionUser: role, Settings: settings})
	if err != nil {
		return err
	}
	defer snap.Close()
	_, err = snap.Plan(ctx, sql)
	if e := ask.AsError(err); e != nil {
		err = fault.Of(e, sql, nil)
	}
	return err
}

// check plans a statement as a role at a database: the guard, then the
// planner and its limits.
func (a *app) check(ctx context.Context, database, role string, settings map[string]string, sql string) error {
	_, _, _, err := a.execute(ctx, ask.Session{Database: database, Role: role, SessionUser: role, Settings: settings}, sql, false)
	return err
}

// execute plans a statement as the asker on a replica, and runs it if rows are
// wanted. Its errors are for the log and the review page, and tell no values.
func (a *app) execute(ctx context.Context, s ask.Session, sql string, rows bool) (ask.Plan, *ask.Result, ask.Replica, error) {
	snap, err := a.replica.Begin(ctx, s)
	if err != nil {
		return ask.Plan{}, nil, ask.Replica{}, err
	}
	defer snap.Close()
	var result *ask.Result
	plan, err := snap.Check(ctx, sql)
	if err == nil && rows {
		result, err = snap.Run(ctx, sql)
	}
	if e := ask.AsError(err); e != nil {
		err = fault.Of(e, sql, nil)
	}
	return plan, result, snap.Replica(), err
}

// feedback keeps an asker's word on an answer.
func (a *app) feedback(ctx context.Context, id string, q ask.Question, f ask.Feedback) error {
	err := a.store.Feedback(ctx, id, f.Good, q.Session.SessionUser, f.Reason)
	if errors.Is(err, store.ErrNotFound) {
		return errErased
	}
	return err
}

// errErased is said of the session's last question if the log has it no longer.
var errErased = ask.Errorf(ask.CodeObjectNotReady, "the last question is not in the log: it was erased, or is too old, or was never written").WithHint("Ask it again.")

// admitted returns which functions of users the guard lets a query call: those
// that are named, and in schemas that are named those without side effects or
// their owner's rights.
func admitted(cfg *replica.Config) func(*catalog.Function) bool {
	return func(f *catalog.Function) bool {
		return slices.Contains(cfg.AllowFunctions, f.Schema+"."+f.Name.Name) ||
			slices.Contains(cfg.AllowSchemas, f.Schema) && f.Volatile != 'v' && !f.Definer
	}
}
