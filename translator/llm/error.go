package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode"

	openai "github.com/sashabaranov/go-openai"
)

// kind says what went wrong with a model's call.
type kind string

// The kinds of errors; metrics carry them as a label.
const (
	kindTimeout     kind = "timeout"      // no answer within the deadline
	kindRateLimited kind = "rate limited" // 429
	kindUnavailable kind = "unavailable"  // 5xx, or no connection
	kindKeyRefused  kind = "key refused"  // 401 or 403
	kindRejected    kind = "rejected"     // another 4xx: model name, prompt too long
	kindMalformed   kind = "malformed"    // half a response, no JSON, no choices, too long
	kindCircuitOpen kind = "circuit open" // it failed too often just now
	kindCanceled    kind = "canceled"     // the asker went away
)

// Error is a failed call. It never holds the key.
type Error struct {
	model   string
	kind    kind
	status  int // HTTP status, 0 without a response
	message string
	err     error

	keyRefused bool          // the call was not made, as the key was refused before
	retryAfter time.Duration // as the server wishes, 0 if it does not
}

func (e *Error) Error() string {
	if e.status != 0 {
		return fmt.Sprintf("model %s: %s (HTTP %d): %s", e.model, e.kind, e.status, e.message)
	}
	return fmt.Sprintf("model %s: %s: %s", e.model, e.kind, e.message)
}

func (e *Error) Unwrap() error { return e.err }

// KeyRefused says whether the server did not accept the API key, now or when it was
// last asked.
func (e *Error) KeyRefused() bool { return e.kind == kindKeyRefused || e.keyRefused }

// Unsent says that no request was made, as the model is left alone after failures.
func (e *Error) Unsent() bool { return e.kind == kindCircuitOpen }

// billed says whether servers bill the prompt of such a request: one that was called off or timed out was being
// worked on, and one whose answer is unreadable was answered.
func (e *Error) billed() bool {
	return e.kind == kindCanceled || e.kind == kindTimeout || e.kind == kindMalformed
}

// retryable says whether the same request may succeed a little later.
func (e *Error) retryable() bool {
	switch e.kind {
	case kindTimeout, kindRateLimited, kindUnavailable, kindMalformed:
		return true
	}
	return false
}

// kindOf returns the kind of a failed call, "" for other errors.
func kindOf(err error) kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.kind
	}
	return ""
}

// classify makes an Error of what go-openai and the transport return. parent
// is the caller's context, which tells its deadline from the request's own.
func (c *Client) classify(parent context.Context, err error, retryAfter time.Duration) *Error {
	e := &Error{model: c.cfg.Name, kind: kindUnavailable, err: err, retryAfter: retryAfter}
	var api *openai.APIError
	var req *openai.RequestError
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	var network net.Error
	var long *http.MaxBytesError
	switch {
	case errors.Is(parent.Err(), context.Canceled):
		e.kind, e.message = kindCanceled, "the call was canceled"
	case errors.As(err, &api) && api.HTTPStatusCode != 0:
		e.status, e.message = api.HTTPStatusCode, api.Message
		e.kind = kindOfStatus(e.status)
	case errors.As(err, &req):
		e.status, e.message = req.HTTPStatusCode, string(req.Body)
		e.kind = kindOfStatus(e.status)
	case errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated), errors.Is(err, openai.ErrReasoningModelLimitationsOther),
		errors.Is(err, openai.ErrReasoningSamplingUnsupported), errors.Is(err, openai.ErrChatCompletionInvalidModel):
		e.kind, e.message = kindRejected, err.Error() // by go-openai, before it is sent
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		e.kind, e.message = kindTimeout, "no answer in time"
	case errors.As(err, &long):
		e.kind, e.message = kindMalformed, fmt.Sprintf("the response is longer than %d bytes", long.Limit)
	case errors.Is(err, errRedirect):
		e.kind, e.message = kindRejected, errRedirect.Error()
	case errors.As(err, &syntax), errors.As(err, &typ), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		e.kind, e.message = kindMalformed, "the response is no complete chat completion"
	case errors.Is(err, errNoChoice), errors.Is(err, errVectors):
		e.kind, e.message = kindMalformed, err.Error()
	default:
		e.message = err.Error()
	}
	if e.kind == kindKeyRefused { // servers quote a part of the key
		e.message, e.err = "its server does not accept the API key", nil
	}
	e.message = c.clean(e.message)
	if c.key != "" && strings.Contains(err.Error(), c.key) {
		e.err = nil
	}
	return e
}

func kindOfStatus(status int) kind {
	switch {
	case status == 429:
		return kindRateLimited
	case status == 401 || status == 403:
		return kindKeyRefused
	case status == 408 || status >= 500:
		return kindUnavailable
	default:
		return kindRejected
	}
}

// clean makes a server's text fit for one line of a log: without the key,
// without control characters, not too long.
func (c *Client) clean(s string) string {
	if c.key != "" {
		s = strings.ReplaceAll(s, c.key, "[key]")
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return strings.TrimSpace(s)
}
