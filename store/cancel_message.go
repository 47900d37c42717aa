package store

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"
)

// What instances tell each other of cancel requests, in hexadecimal:
//
//	request   'C', the time in nanoseconds (8), a nonce (16), the process id of
//	          the key (4), HMAC-SHA256(secret, 'C' time nonce key)
//	reply      'T' (accepted) or 'D' (done), the nonce,
//	          HMAC-SHA256(secret, 'T' or 'D', the request)
//
// A request does not hold the session's key, which would let anybody who may
// LISTEN cancel the session, but what proves that the sender knows it. The
// process id is no secret (pg_stat_activity shows it) and saves a computation
// for each session that is not meant. A reply is good for one request: it is
// bound to it as a whole, its nonce included, and read only while the request waits.

const (
	requestKind  byte = 'C'
	acceptedKind byte = 'T'
	doneKind     byte = 'D'

	nonceLen      = 16
	processLen    = 4
	momentAt      = 1
	nonceAt       = momentAt + 8
	processAt     = nonceAt + nonceLen
	requestMACAt  = processAt + processLen
	requestLen    = requestMACAt + sha256.Size
	replyMACAt    = 1 + nonceLen
	replyLen      = replyMACAt + sha256.Size
	minSessionKey = processLen + 1
)

// cancelRequest is a request as it is sent.
type cancelRequest [requestLen]byte

type cancelNonce [nonceLen]byte

func newCancelRequest(secret, key []byte, now time.Time) (r cancelRequest) {
	r[0] = requestKind
	binary.BigEndian.PutUint64(r[momentAt:], uint64(now.UnixNano()))
	_, _ = rand.Read(r[nonceAt:processAt]) // never fails
	copy(r[processAt:requestMACAt], key)
	copy(r[requestMACAt:], authenticate(secret, r[:processAt], key))
	return r
}

// moment is when the request was made, by the clock of the instance that made it.
func (r *cancelRequest) moment() time.Time {
	return time.Unix(0, int64(binary.BigEndian.Uint64(r[momentAt:])))
}

func (r *cancelRequest) nonce() cancelNonce { return cancelNonce(r[nonceAt:processAt]) }

// means says whether the session with this key is the one to be cancelled, and
// the request made by one who knows secret and key.
func (r *cancelRequest) means(secret, key []byte) bool {
	return len(key) >= minSessionKey && bytes.Equal(key[:processLen], r[processAt:requestMACAt]) &&
		hmac.Equal(r[requestMACAt:], authenticate(secret, r[:processAt], key))
}

// reply is what the instance that has the session says of the request.
func (r *cancelRequest) reply(secret []byte, kind byte) []byte {
	nonce := r.nonce()
	return append(append([]byte{kind}, nonce[:]...), authenticate(secret, []byte{kind}, r[:])...)
}

func authenticate(secret []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, secret)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// readCancelMessage returns what a notification holds: a request, or a reply.
// Both are nil if it is somebody else's.
func readCancelMessage(payload string) (request *cancelRequest, reply []byte) {
	m, err := hex.DecodeString(strings.TrimSpace(payload))
	switch {
	case err != nil || len(m) == 0:
	case m[0] == requestKind && len(m) == requestLen:
		return (*cancelRequest)(m), nil
	case (m[0] == acceptedKind || m[0] == doneKind) && len(m) == replyLen:
		return nil, m
	}
	return nil, nil
}
