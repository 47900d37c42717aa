// Package wire reads the PostgreSQL frontend/backend protocol (PostgreSQL
// documentation, chapter "Frontend/Backend Protocol") as far as a relay has
// to. It finds where messages begin and end, which requests are still
// unanswered, and what a startup packet asks for. It does no I/O, holds
// state between reads, and does not allocate while messages pass.
package wire

import (
	"encoding/binary"
	"errors"
)

// HeaderLen is the length of a message's header: its type and its length.
const HeaderLen = 5

// Types of the messages that a frontend sends.
const (
	Bind         = 'B'
	Close        = 'C'
	CopyData     = 'd'
	CopyDone     = 'c'
	CopyFail     = 'f'
	Describe     = 'D'
	Execute      = 'E'
	Flush        = 'H'
	FunctionCall = 'F'
	Parse        = 'P'
	Password     = 'p' // also SASL and GSSAPI responses
	Query        = 'Q'
	Sync         = 'S'
	Terminate    = 'X'
)

// Types of the messages that a backend sends.
const (
	Authentication       = 'R'
	BackendKeyData       = 'K'
	BindComplete         = '2'
	CloseComplete        = '3'
	CommandComplete      = 'C'
	CopyBothResponse     = 'W'
	CopyInResponse       = 'G'
	CopyOutResponse      = 'H'
	DataRow              = 'D'
	EmptyQueryResponse   = 'I'
	ErrorResponse        = 'E'
	FunctionCallResponse = 'V'
	NegotiateVersion     = 'v' // NegotiateProtocolVersion
	NoData               = 'n'
	NoticeResponse       = 'N'
	NotificationResponse = 'A'
	ParameterDescription = 't'
	ParameterStatus      = 'S'
	ParseComplete        = '1'
	PortalSuspended      = 's'
	ReadyForQuery        = 'Z'
	RowDescription       = 'T'
)

// Transaction statuses of ReadyForQuery.
const (
	StatusIdle   = 'I'
	StatusInTx   = 'T'
	StatusFailed = 'E'
)

// ErrLength says that a message's length is less than that of the length
// field itself, so that nothing after it can be told apart.
var ErrLength = errors.New("message length is less than 4")

// MessageLen returns the length of the message that b begins with, its header
// included, or 0 if b is shorter than a header.
func MessageLen(b []byte) (int64, error) {
	if len(b) < HeaderLen {
		return 0, nil
	}
	n := binary.BigEndian.Uint32(b[1:])
	if n < 4 {
		return 0, ErrLength
	}
	return int64(n) + 1, nil
}

// async says whether the backend may send a message of this type at any time,
// whatever request it is working on.
func async(backendType byte) bool {
	return backendType == NoticeResponse || backendType == ParameterStatus || backendType == NotificationResponse
}
