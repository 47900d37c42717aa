package llm

import (
	"context"
	"math/rand/v2"
	"time"
)

// The wait before retry i is drawn from [0, firstBackoff·2^i]: full jitter,
// so that clients that failed together do not come back together.
const (
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 8 * time.Second
)

// request repeats an attempt while that can help and the caller's deadline
// leaves room for it.
func (c *Client) request(ctx context.Context, r Request, n int) (Response, error) {
	var used Response // usage of the attempts that failed
	level := c.level(r)
	for i := 0; ; i++ {
		res, made, err := c.attempt(ctx, r, n, level)
		res.Usage.Add(used.Usage)
		if err == nil {
			if r.Form != nil {
				c.keepForm(level)
			}
			return res, nil
		}
		used.Usage = res.Usage
		if c.adapt(err, made) {
			i--
			continue
		}
		if level > formOff && (err.status == 400 || err.status == 422) && !(n > 1 && c.oneSample.Load()) {
			level-- // it may be the form that the server does not take
			i--
			continue
		}
		if n > 1 && c.oneSample.Load() {
			return used, err
		}
		if err := c.waitAgain(ctx, r.Stage, i, err); err != nil {
			return used, err
		}
	}
}

// waitAgain waits before retry i of a call that failed. It returns why there is none: the call's own error, or that the
// context ended first.
func (c *Client) waitAgain(ctx context.Context, stage string, i int, err *Error) *Error {
	if i >= c.cfg.Retries || !err.retryable() || !c.Up() {
		return err
	}
	wait := max(err.retryAfter, backoff(i))
	if end, ok := ctx.Deadline(); wait > c.cfg.MaxRetryAfter.Duration() || ok && time.Until(end) <= wait {
		return err
	}
	c.metrics.retries.WithLabelValues(c.cfg.Name).Inc()
	c.log.Debug("model call is repeated", "model", c.cfg.Name, "stage", stage, "after", wait, "error", err)
	if !sleep(ctx, wait) {
		return c.classify(ctx, ctx.Err(), 0)
	}
	return nil
}

func backoff(i int) time.Duration {
	return time.Duration(rand.Int64N(int64(min(firstBackoff<<i, maxBackoff)) + 1))
}

// sleep waits, and says false if the context ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
