package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
	"unicode"

	openai "github.com/sashabaranov/go-openai"
)

// Kind says what went wrong with a model's call.
type Kind string

// The kinds of errors; metrics carry them as a label.
const (
	kindTimeout     Kind = "timeout"      // no answer within the deadline
	kindRateLimited Kind = "rate limited" // 429
	kindUnavailable Kind = "unavailable"  // 5xx, or no connection
	kindKeyRefused  Kind = "key refused"  // 401 or 403
	kindRejected    Kind = "rejected"     // another 4xx: model name, prompt too long
	kindMalformed   Kind = "malformed"    // half a response, no JSON, no choices, too long
	kindCircuitOpen Kind = "circuit open" // it failed too often just now
	kindCanceled    Kind = "canceled"     // the asker went away
)

// Error is a failed call. It never holds the key.
type Error struct {
	Model   string
	Kind    Kind
	Status  int // HTTP status, 0 without a response
	Message string
	Err     error

	keyRefused bool          // the call was not made, as the key was refused before
	retryAfter time.Duration // as the server wishes, 0 if it does not
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("model %s: %s (HTTP %d): %s", e.Model, e.Kind, e.Status, e.Message)
	}
	return fmt.Sprintf("model %s: %s: %s", e.Model, e.Kind, e.Message)
}

func (e *Error) Unwrap() error { return e.Err }

// KeyRefused says whether the server did not accept the API key, now or when it was
// last asked.
func (e *Error) KeyRefused() bool { return e.Kind == kindKeyRefused || e.keyRefused }

// Unsent says that no request was made, as the model is left alone after failures.
func (e *Error) Unsent() bool { return e.Kind == kindCircuitOpen }

// billed says whether servers bill the prompt of such a request: one that was called off or timed out was being
// worked on, and one whose answer is unreadable was answered.
func (e *Error) billed() bool {
	return e.Kind == kindCanceled || e.Kind == kindTimeout || e.Kind == kindMalformed
}

// retryable says whether the same request may succeed a little later.
func (e *Error) retryable() bool {
	switch e.Kind {
	case kindTimeout, kindRateLimited, kindUnavailable, kindMalformed:
		return true
	}
	return false
}

// kindOf returns the kind of a failed call, "" for other errors.
func kindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// classify makes an Error of what go-openai and the transport return. parent
// is the caller's context, which tells its deadline from the request's own.
func (c *Client) classify(parent context.Context, err error, retryAfter time.Duration) *Error {
	e := &Error{Model: c.cfg.Name, Kind: kindUnavailable, Err: err, retryAfter: retryAfter}
	var api *openai.APIError
	var req *openai.RequestError
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	var network net.Error
	switch {
	case errors.Is(parent.Err(), context.Canceled):
		e.Kind, e.Message = kindCanceled, "the call was canceled"
	case errors.As(err, &api) && api.HTTPStatusCode != 0:
		e.Status, e.Message = api.HTTPStatusCode, api.Message
		e.Kind = kindOfStatus(e.Status)
	case errors.As(err, &req):
		e.Status, e.Message = req.HTTPStatusCode, string(req.Body)
		e.Kind = kindOfStatus(e.Status)
	case errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated), errors.Is(err, openai.ErrReasoningModelLimitationsOther),
		errors.Is(err, openai.ErrReasoningSamplingUnsupported), errors.Is(err, openai.ErrChatCompletionInvalidModel):
		e.Kind, e.Message = kindRejected, err.Error() // by go-openai, before it is sent
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		e.Kind, e.Message = kindTimeout, "no answer in time"
	case errors.Is(err, errTooLong):
		e.Kind, e.Message = kindMalformed, fmt.Sprintf("the response is longer than %d bytes", c.cfg.MaxResponse)
	case errors.Is(err, errRedirect):
		e.Kind, e.Message = kindRejected, errRedirect.Error()
	case errors.As(err, &syntax), errors.As(err, &typ), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		e.Kind, e.Message = kindMalformed, "the response is no complete chat completion"
	case errors.Is(err, errNoChoice), errors.Is(err, errVectors):
		e.Kind, e.Message = kindMalformed, err.Error()
	default:
		e.Message = err.Error()
	}
	if e.Kind == kindKeyRefused { // servers quote a part of the key
		e.Message, e.Err = "its server does not accept the API key", nil
	}
	e.Message = c.clean(e.Message)
	if c.key != "" && strings.Contains(err.Error(), c.key) {
		e.Err = nil
	}
	return e
}

func kindOfStatus(status int) Kind {
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
