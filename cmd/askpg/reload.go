package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm"
)

// current is what a reload replaces as a whole: the settings in force, the models, and the translator made of both.
type current struct {
	cfg      Config
	models   []*llm.Client
	embedder embeds // nil if no model embeds
	core     *translator.Translator
}

// config returns the settings in force.
func (a *app) config() *Config { return &a.current.Load().cfg }

// answer has the translator in force answer a question. One under way keeps the models that it began with.
func (a *app) answer(ctx context.Context, q ask.Question) (*ask.Translation, error) {
	return a.current.Load().core.Translate(ctx, q)
}

// reloads is what is known of taking settings over.
type reloads struct {
	ok      prometheus.Gauge
	pending prometheus.Gauge

	mu       sync.Mutex // held by a reload
	files    contents   // of the files that the settings in force name, as they were read last
	looked   contents   // of the same files at the last look
	settings []string   // that need a restart, at the last reload
	urls     []string   // the settings that name a file which has changed and needs a restart
}

func newReloads(reg prometheus.Registerer, cfg *Config) *reloads {
	with := promauto.With(reg)
	r := &reloads{
		ok: with.NewGauge(prometheus.GaugeOpts{
			Name: "askpg_config_reload_ok", Help: "0 if the last reload has failed, so that the settings and certificates before it stay; else 1.",
		}),
		pending: with.NewGauge(prometheus.GaugeOpts{
			Name: "askpg_config_restart_pending", Help: "Settings that were changed and need a restart, at the last reload.",
		}),
		files: readContents(cfg),
	}
	r.ok.Set(1)
	return r
}

// reload takes over the settings of a configuration, except those that need a restart, without ending a session. It
// returns the names of the settings that it took over and of those that need a restart. With an error everything is as
// it was before.
func (a *app) reload(cfg Config) (taken, restart []string, err error) {
	a.reloads.mu.Lock()
	defer a.reloads.mu.Unlock()
	before := a.config()
	taken, restart = a.differing(&cfg)
	if err := a.apply(withoutRestart(*before, cfg)); err != nil {
		return nil, nil, err
	}
	a.reloads.settings = restart
	restart = a.countPending()
	return taken, restart, nil
}

// differing is differingSettings with the model that embeds for the catalog.
func (a *app) differing(cfg *Config) (reload, restart []string) {
	reload, restart = differingSettings(a.config(), cfg)
	if embedderSettings(cfg) != a.embeddedBy {
		restart = append(restart, embeddingModel)
	}
	return reload, restart
}

func (a *app) countPending() []string {
	all := append(slices.Clone(a.reloads.settings), a.reloads.urls...)
	a.reloads.pending.Set(float64(len(all)))
	return all
}

// apply puts a configuration and the files that it names into force, or nothing of it. Its caller holds reloads.mu.
func (a *app) apply(cfg Config) (err error) {
	a.reloads.files = readContents(&cfg)
	defer func() {
		a.reloads.ok.Set(1)
		if err != nil {
			a.reloads.ok.Set(0)
		}
	}()
	if err := cfg.validate(); err != nil {
		return err
	}
	admin, err := a.admin.Prepare(cfg.Admin)
	if err != nil {
		return err
	}
	before := a.current.Load()
	now := &current{cfg: cfg}
	if now.models, err = openModels(before.models, cfg.Models, a.log, a.registry); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			closeReplaced(now.models, before.models)
			for _, m := range before.models {
				m.ShowState()
			}
		}
	}()
	models := notingPrompts(now.models)
	now.embedder = embedder(&cfg, models)
	if now.core, err = before.core.With(cfg.Translator, models); err != nil {
		return err
	}
	if err := a.proxy.Reload(cfg.Config); err != nil {
		return err
	}
	// From here on nothing fails: these have only what was validated.
	admin()
	a.current.Store(now)
	closeReplaced(before.models, now.models)
	if h, ok := a.log.Handler().(*logHandler); ok {
		h.use(cfg.Log)
	}
	return errors.Join(a.store.Reload(cfg.Store), a.cache.Reload(cfg.Cache))
}

// differences compares the configuration file with the settings in force.
func (a *app) differences(context.Context) (reload, restart []string, err error) {
	if a.load == nil {
		return nil, nil, errors.New("there is none")
	}
	cfg, err := a.load()
	if err != nil {
		return nil, nil, err
	}
	a.reloads.mu.Lock()
	defer a.reloads.mu.Unlock()
	reload, restart = a.differing(&cfg)
	return reload, append(restart, a.reloads.urls...), nil
}

// reloadFile reads the configuration file again and tells the log what came of it.
func (a *app) reloadFile() {
	cfg, err := a.load()
	if err != nil {
		a.reloads.ok.Set(0)
		a.log.Error("reload failed, the old settings stay", "error", err)
		return
	}
	log := asNow(a.log)
	taken, restart, err := a.reload(cfg)
	if err != nil {
		a.log.Error("reload failed, the old settings stay", "error", err)
		return
	}
	if a.log.Enabled(context.Background(), slog.LevelInfo) {
		log = a.log // else the level that the reload has set would swallow its own line
	}
	log.Info("reloaded", "changed", strings.Join(taken, ", "))
	if len(restart) > 0 {
		a.log.Warn("changed settings need a restart", slog.String("settings", strings.Join(restart, ", ")))
	}
}
