package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
)

// LogConfig is [log].
type LogConfig struct {
	Level  string `toml:"level"`  // debug, info, warn or error
	Format string `toml:"format"` // text or json
	Redact bool   `toml:"redact"` // leave questions, SQL and what may be data in messages out
}

// newLogger returns a logger whose settings a reload can change.
func newLogger(c LogConfig, w io.Writer) (*slog.Logger, error) {
	h := &logHandler{w: &lockedWriter{w: w}, inForce: &atomic.Pointer[slog.Handler]{}}
	if err := h.use(c); err != nil {
		return nil, err
	}
	return slog.New(h), nil
}

// lockedWriter keeps the lines of a handler and of the one before it apart.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// logHandler is a slog.Handler whose level and format can change, for loggers that were derived from it too.
type logHandler struct {
	w       io.Writer
	inForce *atomic.Pointer[slog.Handler]
	derive  []func(slog.Handler) slog.Handler // what WithAttrs and WithGroup have asked for, in their order
}

// use puts settings into force.
func (h *logHandler) use(c LogConfig) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		return fmt.Errorf("log.level %q is none of debug, info, warn, error", c.Level)
	}
	o := &slog.HandlerOptions{Level: level}
	o.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindDuration { // with its unit in JSON too, where it would be nanoseconds
			return slog.String(a.Key, a.Value.Duration().String())
		}
		if c.Redact {
			return redactAttr(groups, a)
		}
		return a
	}
	var next slog.Handler
	switch c.Format {
	case "text":
		next = slog.NewTextHandler(h.w, o)
	case "json":
		next = slog.NewJSONHandler(h.w, o)
	default:
		return fmt.Errorf("log.format %q is neither text nor json", c.Format)
	}
	h.inForce.Store(&next)
	return nil
}

// asNow returns a logger that keeps the settings of another one as they are.
func asNow(log *slog.Logger) *slog.Logger {
	h, ok := log.Handler().(*logHandler)
	if !ok {
		return log
	}
	now := *h
	now.inForce = &atomic.Pointer[slog.Handler]{}
	now.inForce.Store(h.inForce.Load())
	return slog.New(&now)
}

// Enabled implements slog.Handler.
func (h *logHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return (*h.inForce.Load()).Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	to := *h.inForce.Load()
	for _, d := range h.derive {
		to = d(to)
	}
	return to.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.with(func(to slog.Handler) slog.Handler { return to.WithAttrs(attrs) })
}

// WithGroup implements slog.Handler.
func (h *logHandler) WithGroup(name string) slog.Handler {
	return h.with(func(to slog.Handler) slog.Handler { return to.WithGroup(name) })
}

func (h *logHandler) with(d func(slog.Handler) slog.Handler) slog.Handler {
	derived := *h
	derived.derive = append(slices.Clip(derived.derive), d)
	return &derived
}
