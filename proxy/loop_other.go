//go:build !linux

package proxy

import (
	"math"

	"askpg/ask"
)

// loop exists on Linux only; elsewhere goroutines relay every session.
type loop struct{}

type looped struct{ loop *loop }

type parked struct{ loop *loop }

type leg struct{}

func descriptorLimit() int                  { return math.MaxInt32 }
func freeDescriptors(fd, n, limit int) bool { return true }

func newLoop(*Server) (*loop, error)      { return nil, nil }
func (l *loop) close()                    {}
func (l *loop) add(*session) bool         { return false }
func (l *loop) post(func())               {}
func (l *loop) park(*session) bool        { return false }
func (l *loop) unpark(*session, func())   {}
func (l *loop) drain(*session)            {}
func (l *loop) kill(*session, *ask.Error) {}
