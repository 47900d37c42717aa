package ask

import (
	"errors"
	"fmt"
)

// SQLSTATEs of askpg's own class, and those of PostgreSQL's that it uses
// (PostgreSQL documentation, appendix A).
const (
	CodeNoCandidate   = "ASK01" // no candidate survived, or a word was not understood
	CodeLowConfidence = "ASK02" // confidence below the minimum
	CodeNoModel       = "ASK03" // no model answered in time
	CodeBudget        = "ASK04" // budget or rate limit used up
	CodeRefused       = "ASK05" // refused by the guard, or no question but a request to do something

	CodeSyntax              = "42601"
	CodeInsufficientRights  = "42501"
	CodeInvalidParameter    = "22023"
	CodeInvalidEncoding     = "22021"
	CodeFeatureNotSupported = "0A000"
	CodeInFailedTransaction = "25P02"
	CodeProgramLimit        = "54000"
	CodeTooComplex          = "54001"
	CodeQueryCanceled       = "57014"
	CodeAdminShutdown       = "57P01"
	CodeCannotConnectNow    = "57P03"
	CodeTooManyConnections  = "53300"
	CodeInsufficientRes     = "53000"
	CodeOutOfMemory         = "53200"
	CodeLimitExceeded       = "53400"
	CodeConnectionFailure   = "08006"
	CodeObjectNotReady      = "55000"
	CodeUndefinedObject     = "42704"
	CodeUndefinedTable      = "42P01"
	CodeUndefinedParameter  = "42P02"
	CodeUndefinedStatement  = "26000"
	CodeDuplicateStatement  = "42P05"
	CodeDuplicatePortal     = "42P03"
	CodeProtocolViolation   = "08P01"
	CodeInternal            = "XX000"
)

// Error is an error for the asker: it becomes a PostgreSQL ErrorResponse.
type Error struct {
	Code    string // SQLSTATE
	Message string // what failed, on which object
	Detail  string // what was tried, may be empty
	Hint    string // what to do, may be empty
	Err     error  // cause, for the log only

	Routine  string // PostgreSQL's function that raises this error, where drivers tell by it what to do; may be empty
	Position int    // of the error in the SQL that was run, in characters from 1; 0 if unknown
	Early    bool   // the server raised it when it analysed the SQL, before it planned it or read a row
}

func (e *Error) Error() string {
	s := e.Message + " (SQLSTATE " + e.Code + ")"
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an Error with the formatted message.
func Errorf(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithDetail sets the detail and returns e.
func (e *Error) WithDetail(format string, args ...any) *Error {
	e.Detail = fmt.Sprintf(format, args...)
	return e
}

// WithHint sets the hint and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// Copied returns a copy of e, to be changed where others may hold e.
func (e *Error) Copied() *Error {
	c := *e
	return &c
}

// Because sets the cause, which is logged and not shown, and returns e.
func (e *Error) Because(err error) *Error {
	e.Err = err
	return e
}

// AsError returns the *Error in err's chain, or nil.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return nil
}

// CodeOf returns the SQLSTATE of err, or "" if it carries none.
func CodeOf(err error) string {
	if e := AsError(err); e != nil {
		return e.Code
	}
	return ""
}

// OtherRole is the error where a role's name stands for another role than that of the session.
func OtherRole(role string) *Error {
	return Errorf(CodeInsufficientRights, "the session's role is not the role that %q names on the replica", role).
		WithDetail("The role was renamed, or dropped and made anew, or the replica has not replayed that yet.").
		WithHint("Ask again in a moment, or connect again.")
}
