package llm

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

var (
	errRedirect = errors.New("the server redirects to another address, which askpg does not follow with a key and a question; set base_url to where it leads")
	errNoChoice = errors.New("the response holds no choice")
)

// doer is the HTTP client that go-openai calls. It limits a response's size,
// follows redirects on the same host only, and keeps Retry-After, which
// go-openai's errors lose.
type doer struct {
	client *http.Client
	max    int64
}

func newDoer(maxResponse, maxConns int, proxy func(*http.Request) (*url.URL, error)) *doer {
	return &doer{
		max: int64(maxResponse),
		client: &http.Client{
			Transport: &http.Transport{
				Proxy:                 proxy,
				DialContext:           (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
				ForceAttemptHTTP2:     true,
				TLSHandshakeTimeout:   5 * time.Second,
				MaxIdleConns:          maxConns,
				MaxIdleConnsPerHost:   maxConns,
				IdleConnTimeout:       90 * time.Second,
				ExpectContinueTimeout: time.Second,
			},
			CheckRedirect: func(req *http.Request, via []*http.Request) error {
				if len(via) >= 3 || req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme {
					return errRedirect
				}
				return nil
			},
		},
	}
}

// retryAfterKey is what a request's context has the place by where its Retry-After is left, a *time.Duration.
type retryAfterKey struct{}

// Do implements go-openai's HTTPDoer.
func (d *doer) Do(req *http.Request) (*http.Response, error) {
	res, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	if place, ok := req.Context().Value(retryAfterKey{}).(*time.Duration); ok {
		*place = retryAfter(res.Header, time.Now())
	}
	res.Body = http.MaxBytesReader(nil, res.Body, d.max)
	return res, nil
}

// retryAfter reads Retry-After (RFC 9110, section 10.2.3: seconds or a date)
// and OpenAI's retry-after-ms.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second))
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}
