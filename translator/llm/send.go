package llm

import (
	"context"
	"time"
)

// send makes one request: call has its own timeout, and fails as well if the
// answer holds too little. It keeps to the model's concurrency limit and circuit
// breaker, and counts what comes of it for the stage. asked says whether the
// request was made.
func (c *Client) send(ctx context.Context, stage string, call func(ctx context.Context) error) (asked bool, _ *Error) {
	waiting := c.metrics.waiting.WithLabelValues(c.cfg.Name)
	waiting.Inc()
	leave, err := c.places.enter(ctx)
	waiting.Dec()
	if err != nil {
		return false, c.classify(ctx, err, 0)
	}
	defer leave()
	if wait, ok := c.breaker.allow(); !ok {
		c.count(stage, string(kindCircuitOpen))
		e := &Error{model: c.cfg.Name, kind: kindCircuitOpen, message: "it failed too often"}
		if c.Health().State == KeyRefused {
			e.message, e.keyRefused = "its server did not accept the API key", true
		}
		e.message += " and is tried again in " + wait.Round(time.Second).String()
		return false, e
	}
	c.metrics.inFlight.WithLabelValues(c.cfg.Name).Inc()
	start := time.Now()
	attempt, cancel := context.WithTimeout(ctx, c.cfg.Timeout.Duration())
	var retryAfter time.Duration
	err = call(context.WithValue(attempt, retryAfterKey{}, &retryAfter))
	cancel()
	c.metrics.inFlight.WithLabelValues(c.cfg.Name).Dec()
	c.metrics.seconds.WithLabelValues(c.cfg.Name, stage).Observe(time.Since(start).Seconds())
	if err == nil {
		c.noteHealth(ctx, nil)
		c.count(stage, "ok")
		return true, nil
	}
	e := c.classify(ctx, err, retryAfter)
	c.noteHealth(ctx, e)
	c.count(stage, string(e.kind))
	return true, e
}

func (c *Client) count(stage, outcome string) {
	c.metrics.requests.WithLabelValues(c.cfg.Name, stage, outcome).Inc()
}

func boolFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
