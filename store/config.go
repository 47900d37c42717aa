package store

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"askpg/ask"
)

// Config says where the log is and how long it is kept.
type Config struct {
	// URL is sqlite:PATH for an embedded file, or postgres://… for a database
	// that several instances share.
	URL string `toml:"url"`
	// Schema holds the tables in PostgreSQL; it is created if it is missing.
	Schema string `toml:"schema"`
	// Required refuses a question whose answer cannot be logged, and has repeated
	// answers wait for their entries too. Otherwise the spill file takes it.
	Required bool `toml:"required"`
	// Spill is the file that takes entries in while the store cannot; they
	// go to the store when it is back. Empty is none.
	Spill string `toml:"spill"`
	// MaxSpillBytes bounds the spill file.
	MaxSpillBytes int64 `toml:"max_spill_bytes"`
	// WriteTimeout is how long a question waits for the log.
	WriteTimeout ask.Duration `toml:"write_timeout"`
	// ReadTimeout bounds a query of the review page or the command line.
	ReadTimeout ask.Duration `toml:"read_timeout"`
	// LookupTimeout bounds what a question waits for remembered answers and
	// budgets.
	LookupTimeout ask.Duration `toml:"lookup_timeout"`
	// CancelWait is how long an instance that gets a cancel request for a session of
	// another waits for that one's word, at most listen.cancel_timeout. Then the
	// instance sends the request to the primary.
	CancelWait ask.Duration `toml:"cancel_wait"`
	// Batch is how many entries are written in one transaction.
	Batch int `toml:"batch"`
	// BatchDelay is how long the entries of repeated answers wait for others, so
	// that they are written together; 0 does not wait. No answer waits for them,
	// unless Required.
	BatchDelay ask.Duration `toml:"batch_delay"`
	// Queue is how many entries may wait for the writer.
	Queue int `toml:"queue"`
	// Connections is how many a PostgreSQL store may use, and how many
	// readers a SQLite one has.
	Connections int `toml:"connections"`
	// Retention is how long translations are kept; 0 is for ever. Examples
	// stay.
	Retention ask.Duration `toml:"retention"`
	// MaxBytes bounds the size of the log, whose oldest translations go
	// first; 0 is no bound.
	MaxBytes int64 `toml:"max_bytes"`
	// Redact logs questions, SQL and messages without their literals. What was
	// answered is not recalled from such a log, and its entries teach nothing.
	Redact bool `toml:"redact"`
	// CheckExamples is how often the schema is looked at for verified examples
	// that no longer plan, or plan again; 0 is never.
	CheckExamples ask.Duration `toml:"check_examples"`
	// KeepRows is how many result rows are kept with a translation; 0 keeps
	// none, as nothing of the data should be in the log unasked.
	KeepRows int `toml:"keep_rows"`
	// KeepRowsBytes bounds the kept rows of one translation.
	KeepRowsBytes int `toml:"keep_rows_bytes"`
	// KeepRowsFor is how long kept rows stay.
	KeepRowsFor ask.Duration `toml:"keep_rows_for"`
	// KeepPrompts is how many different prompts are kept with a translation; 0
	// keeps none, as they hold what the privacy settings let out of the data.
	KeepPrompts int `toml:"keep_prompts"`
	// KeepPromptsBytes bounds the kept prompts of one translation; one that
	// does not fit is left out.
	KeepPromptsBytes int `toml:"keep_prompts_bytes"`
	// KeepPromptsFor is how long kept prompts stay.
	KeepPromptsFor ask.Duration `toml:"keep_prompts_for"`
	// Budget bounds what models may cost.
	Budget Budget `toml:"budget"`
}

// DefaultConfig keeps everything in askpg.db of the working directory for a
// year.
func DefaultConfig() Config {
	return Config{
		URL:           "sqlite:askpg.db",
		Schema:        "askpg",
		Spill:         "askpg.spill",
		MaxSpillBytes: 1 << 30,
		WriteTimeout:  ask.Duration(5 * time.Second),
		ReadTimeout:   ask.Duration(10 * time.Second),
		LookupTimeout: ask.Duration(time.Second),
		CancelWait:    ask.Duration(time.Second),
		Batch:         256,
		BatchDelay:    ask.Duration(50 * time.Millisecond),
		Queue:         4096,
		Connections:   4,
		Retention:     ask.Duration(365 * 24 * time.Hour),
		CheckExamples: ask.Duration(time.Minute),
		KeepRowsBytes: 64 << 10,
		KeepRowsFor:   ask.Duration(7 * 24 * time.Hour),

		KeepPromptsBytes: 256 << 10,
		KeepPromptsFor:   ask.Duration(7 * 24 * time.Hour),
	}
}

// Validate returns an error that names the first field that is wrong.
func (c *Config) Validate() error {
	if _, err := dialectOf(c.URL); err != nil {
		return err
	}
	if c.Schema == "" || strings.ContainsAny(c.Schema, "\"\x00") {
		return fmt.Errorf("store.schema is %q; it must be the name of a schema", c.Schema)
	}
	err := cmp.Or(
		ask.Positive("store.write_timeout", c.WriteTimeout), ask.Positive("store.read_timeout", c.ReadTimeout),
		ask.Positive("store.lookup_timeout", c.LookupTimeout), ask.Positive("store.cancel_wait", c.CancelWait),
		ask.AtLeast("store.batch", c.Batch, 1), ask.AtLeast("store.queue", c.Queue, 1), ask.AtLeast("store.connections", c.Connections, 1),
		ask.AtLeast("store.retention", c.Retention, 0), ask.AtLeast("store.max_bytes", c.MaxBytes, 0), ask.AtLeast("store.max_spill_bytes", c.MaxSpillBytes, 0),
		ask.AtLeast("store.keep_rows", c.KeepRows, 0), ask.AtLeast("store.keep_rows_bytes", c.KeepRowsBytes, 0), ask.AtLeast("store.keep_rows_for", c.KeepRowsFor, 0),
		ask.AtLeast("store.keep_prompts", c.KeepPrompts, 0), ask.AtLeast("store.keep_prompts_bytes", c.KeepPromptsBytes, 0), ask.AtLeast("store.keep_prompts_for", c.KeepPromptsFor, 0),
		ask.AtLeast("store.batch_delay", c.BatchDelay, 0), ask.AtLeast("store.check_examples", c.CheckExamples, 0),
	)
	if err != nil {
		return err
	}
	if c.Redact && c.KeepRows > 0 {
		return fmt.Errorf("store.redact is set, so store.keep_rows must be 0, not %d: rows are nothing but literals", c.KeepRows)
	}
	if c.Redact && c.KeepPrompts > 0 {
		return fmt.Errorf("store.redact is set, so store.keep_prompts must be 0, not %d: prompts hold values of the database", c.KeepPrompts)
	}
	return c.Budget.validate()
}

func dialectOf(rawURL string) (dialect, error) {
	switch scheme, rest, _ := strings.Cut(rawURL, ":"); {
	case scheme == "sqlite" && strings.Trim(rest, "/") != "":
		if strings.ContainsAny(rest, "?\x00") {
			return "", errors.New("store.url is a path with a question mark, which it must not hold")
		}
		return sqlite, nil
	case scheme == "postgres" || scheme == "postgresql":
		if _, err := url.Parse(rawURL); err != nil {
			return "", ask.URLError("store.url", err)
		}
		return postgres, nil
	}
	return "", errors.New("store.url must be sqlite:PATH or postgres://…")
}

// Redacted returns a store URL without its password, for messages.
func Redacted(rawURL string) string {
	if strings.HasPrefix(rawURL, "sqlite:") {
		return rawURL
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		scheme, _, _ := strings.Cut(rawURL, ":")
		return scheme + ":…"
	}
	if q := u.Query(); q.Has("password") {
		q.Set("password", "xxxxx")
		u.RawQuery = q.Encode()
	}
	return u.Redacted()
}
