package llm

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// State says whether a model is asked.
type State string

// The states of a model; a metric has them as a label.
const (
	Ready      State = "ready"       // it is asked
	Away       State = "away"        // it failed too often in a row
	KeyRefused State = "key refused" // its server does not accept the API key
)

var states = []State{Ready, Away, KeyRefused}

// Health is a model's state, why, and since when. Its reason is in askpg's own
// words: what a server says of a key may hold a part of it.
type Health struct {
	State  State
	Reason string // "" for Ready
	Since  time.Time
}

// Health returns the state of the model. One that was not asked yet is Ready.
func (c *Client) Health() Health { return c.breaker.now() }

// Up says whether a request may go out now: the model is ready, or its cooldown
// is over and no other request tries it.
func (c *Client) Up() bool { return c.breaker.up() }

// ShowState has the metrics show the state of the model.
func (c *Client) ShowState() { c.metrics.setState(c.cfg.Name, c.Health().State) }

// noteHealth tells the breaker, the metrics, and where the state changes the log
// what came of a request.
func (c *Client) noteHealth(ctx context.Context, e *Error) {
	before, after := c.breaker.done(e)
	if before.State == after.State || c.closed.Load() {
		return
	}
	c.metrics.setState(c.cfg.Name, after.State)
	if after.State == Ready {
		c.log.InfoContext(ctx, "model answers again", "model", c.cfg.Name, "was", before.State, "after", after.Since.Sub(before.Since).Round(time.Millisecond))
		return
	}
	do := "see that its server is up and that base_url and model are right"
	if after.State == KeyRefused {
		do = "set a valid key in " + c.keyPlace()
	}
	c.log.LogAttrs(ctx, slog.LevelError, "model is not asked any more", slog.String("model", c.cfg.Name), slog.String("state", string(after.State)),
		slog.String("reason", after.Reason), slog.Duration("tried_again_every", c.cfg.BreakerCooldown.Duration()), slog.String("action", do))
}

// keyPlace names where the key of the model is set.
func (c *Client) keyPlace() string {
	switch {
	case c.cfg.APIKeyEnv != "":
		return "the environment variable " + c.cfg.APIKeyEnv + " and restart askpg"
	case c.cfg.APIKeyFile != "":
		return "the file " + c.cfg.APIKeyFile + ", which is read when it changes"
	}
	return "api_key_file and reload askpg, or api_key_env and restart it"
}

// summary is what went wrong, without a word of the server's.
func (e *Error) summary() string {
	if e.status != 0 {
		return fmt.Sprintf("%s (HTTP %d)", e.kind, e.status)
	}
	return string(e.kind)
}
