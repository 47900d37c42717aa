package proxy

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

// Why a question ended before it was answered; the causes of its context.
var (
	errCancelled = &ask.Error{Code: ask.CodeQueryCanceled, Message: "canceling statement due to user request"}
	errTimeout   = &ask.Error{Code: ask.CodeQueryCanceled, Message: "canceling statement due to statement timeout"}
	errShutdown  = &ask.Error{Code: ask.CodeAdminShutdown, Message: "terminating connection due to administrator command"}
	errIdle      = &ask.Error{Code: "57P05", Message: "terminating connection due to idle-session timeout", Hint: "askpg ends sessions that do nothing for listen.idle_timeout."}
	errAborted   = &ask.Error{Code: ask.CodeInFailedTransaction, Message: "current transaction is aborted, commands ignored until end of transaction block"}

	errClientLeft = errors.New("the client has left")
	errServerLeft = errors.New("server has closed the connection")
)

// serverError is an ErrorResponse of the server that goes to the client as it is.
type serverError struct{ message []byte }

func (e *serverError) Error() string {
	var m pgproto3.ErrorResponse
	if err := m.Decode(e.message[5:]); err != nil {
		return "unreadable error of the server"
	}
	return fmt.Sprintf("%s (SQLSTATE %s)", m.Message, m.Code)
}

// severity levels of the errors that askpg sends.
const (
	severityError = "ERROR"
	severityFatal = "FATAL"
)

// errorResponse encodes err for a client and counts it. An error that is not the asker's
// business is not shown.
func (s *Server) errorResponse(severity string, err error) []byte {
	if se, ok := errors.AsType[*serverError](err); ok {
		s.metrics.countError(sideServer, wire.ErrorCode(se.message))
		return se.message
	}
	e := ask.AsError(err)
	if e == nil {
		e = &ask.Error{Code: ask.CodeInternal, Message: "askpg could not answer the question", Hint: "The log of askpg says why."}
	}
	s.metrics.countError(sideAskpg, e.Code)
	message, detail := shown(e)
	return encode(nil, &pgproto3.ErrorResponse{
		Severity: severity, SeverityUnlocalized: severity,
		Code: e.Code, Message: ask.Visible(message), Detail: ask.Visible(detail), Hint: ask.Visible(e.Hint), Routine: e.Routine,
	})
}

// shown returns the message and the DETAIL of an error. Many clients show nothing but the message,
// so it gets the first line of what the error says of the question, unless that is a list of readings. The DETAIL is empty if it says
// no more.
func shown(e *ask.Error) (message, detail string) {
	if e.Detail == "" || e.Code != ask.CodeNoCandidate && e.Code != ask.CodeLowConfidence && e.Code != ask.CodeRefused {
		return e.Message, e.Detail
	}
	line, more, _ := strings.Cut(e.Detail, "\n")
	if more != "" && e.Code == ask.CodeLowConfidence {
		return e.Message, e.Detail
	}
	const most = 300 // characters
	if letters := []rune(line); len(letters) > most {
		return e.Message + ": " + string(letters[:most]) + "…", e.Detail
	}
	if more == "" {
		return e.Message + ": " + line, ""
	}
	return e.Message + ": " + line, e.Detail
}

// causeOf returns why ctx ended if err is but the consequence of that.
func causeOf(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) {
		return errTimeout
	}
	return cause
}
