package proxy

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

// turn is the time in which a message of the client is answered here. It ends
// before the next message is looked at.
type turn struct {
	*session
	ctx     context.Context // ends with the session, a cancel, a client that goes away
	end     context.CancelCauseFunc
	began   time.Time // when it was the message's turn
	simple  bool      // the message is a Query
	closing bool      // the message is a Close, which a failed transaction allows
	leaves  bool      // the message may end a failed transaction, so that it is not refused in one
	failed  bool      // the transaction has failed
	about   string    // the id of the question whose answer this turn is making; empty if none is
	aborts  bool      // the message fails as one of the server's does: a transaction block fails with it
	more    bool      // ReadyForQuery does not come with the end of the answer: other parts of the message follow
}

// errRelay says that a message is the server's after all.
var errRelay = errors.New("the message is the server's")

// serve answers a message of the client. The error ends the session.
func (s *session) serve(message []byte, v verdict) (err error) {
	defer func() {
		// A fault in the answer to one client is not the end of the others.
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
			s.log.Error("answering a message failed", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if v.kind == perhaps {
		if name, text, ok := textOf(message); ok && isSQL(string(text)) {
			s.relayed(message[0], name)
			return s.giveBack(message)
		}
	}
	t := &turn{session: s, simple: message[0] == wire.Query, closing: message[0] == wire.Close, leaves: v.kind == calls || v.lead > 0}
	t.ctx, t.end = context.WithCancelCause(s.ctx)
	s.mu.Lock()
	if s.state != stateAnswering {
		s.mu.Unlock()
		return errServerLeft
	}
	s.abandon = t.end
	left := s.clientEnd != nil
	s.mu.Unlock()
	if left {
		t.end(errClientLeft)
	}
	defer func() {
		t.end(nil)
		s.mu.Lock()
		s.abandon, s.question = nil, nil
		s.mu.Unlock()
	}()
	err = t.wait()
	if err == nil {
		t.began = time.Now()
		err = t.forgetEnded()
	}
	if err == nil {
		if v.kind != tooLong {
			v = s.judgeAgain(message, v)
		}
		err = t.answer(message, v)
	}
	if errors.Is(err, errRelay) {
		if name, _, ok := textOf(message); ok && (t.simple || message[0] == wire.Parse) {
			s.relayed(message[0], name)
		}
		return s.giveBack(message)
	}
	if err == nil {
		return nil
	}
	return t.fail(err)
}

// judgeAgain judges a message once everything before it has been answered.
func (s *session) judgeAgain(message []byte, v verdict) verdict {
	if v.kind == local || v.kind == collision || v.kind == named {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.judge(message)
	}
	return v
}

// wait returns when everything before the message has been answered, so that
// it is the message's turn. It is errRelay if the server is to discard the
// message: after an error in its pipeline, or because the server reads COPY
// data.
func (t *turn) wait() error {
	t.mu.Lock()
	answered := t.core.Answered()
	t.mu.Unlock()
	if !answered {
		// Without it the server may keep answers to itself, and be it that of a COPY
		// that has ignored the Sync behind it.
		if err := t.forward([]byte{wire.Flush, 0, 0, 0, 4}); err != nil {
			return err
		}
		if err := t.await(t.ctx, func() bool { return t.core.Answered() || t.core.Copying() }); err != nil {
			return err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.core.Copying(), t.core.Skipping():
		return errRelay
	case t.core.Status() == wire.StatusFailed && !t.core.Open() && t.leaves:
		t.failed = true
	case t.core.Status() == wire.StatusFailed && !t.core.Open() && !t.closing:
		return errAborted
	}
	return nil
}

// think marks the beginning of work that a cancel request calls off.
func (t *turn) think() {
	t.mu.Lock()
	t.session.question = t.end
	t.mu.Unlock()
}

// answer answers a message whose turn it is.
func (t *turn) answer(message []byte, v verdict) error {
	if v.kind == question || v.kind == calls || v.lead > 0 {
		if s, err := t.script(message, v); err != nil {
			return err
		} else if s != nil {
			return t.run(s, v.kind)
		}
	}
	if t.failed {
		return errRelay // no call is answered, and the text may hold ROLLBACK
	}
	switch v.kind {
	case foreign:
		return errRelay
	case tooLong:
		return t.errTooLong()
	case question, perhaps:
		if t.simple {
			return t.simpleQuestion(message, v)
		}
		return t.parse(message, v)
	case calls:
		return t.calls(message)
	case show:
		return t.show(message)
	case assigns:
		return t.assign(message)
	case collision:
		return t.collide(message)
	case local:
		return t.local(message)
	case named:
		return t.named(message)
	case usesChosen:
		return t.judgeOnPrimary(message)
	case executes:
		return errExecutes
	}
	return errRelay
}

func (t *turn) errTooLong() *ask.Error {
	return ask.Errorf(ask.CodeProgramLimit, "the question is longer than %d bytes", t.inForce().Listen.MaxQuestion).
		WithHint("Shorten it, or raise listen.max_question.")
}

// fail tells the client that its message failed, and does to what follows
// what the server would have done.
func (t *turn) fail(err error) error {
	err = causeOf(t.ctx, err)
	t.info = nil // it may be why
	t.endThinking()
	if errors.Is(err, errClientLeft) || errors.Is(err, errServerLeft) {
		return t.lastWords(err)
	}
	t.noteFailure(err)
	_, fromServer := errors.AsType[*serverError](err)
	if e := ask.AsError(err); !fromServer && (e == nil || e.Code == ask.CodeInternal) {
		t.log.Error("a question failed", "error", err, "cause", errors.Unwrap(err))
	}
	if errors.Is(err, errLost) {
		_ = t.writeClient(t.srv.errorResponse(severityFatal, err))
		t.currentDriver().closeServer()
		return errServerLeft
	}
	if errors.Is(err, errShutdown) {
		_ = t.writeClient(t.srv.errorResponse(severityFatal, err))
		return errServerLeft
	}
	if werr := t.writeClient(t.srv.errorResponse(severityError, err)); werr != nil {
		return werr
	}
	t.mu.Lock()
	// What went to the server since its last ReadyForQuery is part of a
	// transaction that ends with the next Sync. PostgreSQL would undo it, so
	// it has to be made to fail. In a transaction block nothing is undone, unless the message was no question. Where InBlock knows no better, a question
	// that fails takes the transaction with it.
	undo := !t.core.Skipping() && (t.core.Open() && !t.core.InBlock() || t.aborts && t.core.InBlock())
	skipping := t.core.Skipping()
	t.mu.Unlock()
	if undo {
		if err := t.undo(); errors.Is(err, errLost) {
			return t.fail(err)
		} else if err != nil {
			return t.lastWords(err)
		}
		skipping = true
	}
	if t.simple {
		return t.sync()
	}
	if !skipping {
		t.mu.Lock()
		t.core.DiscardToSync()
		t.mu.Unlock()
	}
	return nil
}

// lastWords passes on what the server said about its going away.
func (t *turn) lastWords(err error) error {
	if errors.Is(err, errServerLeft) {
		t.mu.Lock()
		own := t.core.Answers()
		t.mu.Unlock()
		if len(own) > 0 && own[0] == wire.ErrorResponse {
			_ = t.writeClient(own)
		}
	}
	return err
}

// undo makes the transaction that is open on the server fail: a
// portal of this name does not exist. The server discards what follows until
// Sync then.
func (t *turn) undo() error {
	m := encode(nil, &pgproto3.Execute{Portal: "askpg: a question in this pipeline failed"})
	t.mu.Lock()
	t.core.Inject(wire.Execute)
	t.mu.Unlock()
	if err := t.writeServer(m); err != nil {
		return err
	}
	if err := t.await(t.session.ctx, func() bool { return !t.core.AwaitsInjected() }); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.core.Answers(); len(own) == 0 || own[0] != wire.ErrorResponse {
		return t.lose("unexpected", errors.New("a portal of askpg's that does not exist was executed"))
	}
	return nil
}

// sync lets the server send the ReadyForQuery of a simple query that was
// answered here, so that it carries the true transaction status.
func (t *turn) sync() error {
	return t.forward([]byte{wire.Sync, 0, 0, 0, 4})
}

// textOf returns the name and the text of a Query or Parse.
func textOf(message []byte) (name, text []byte, ok bool) {
	body := message[wire.HeaderLen:]
	if message[0] == wire.Parse {
		if name, body, ok = wire.CutString(body); !ok {
			return nil, nil, false
		}
	}
	text, _, ok = wire.CutString(body)
	return name, text, ok
}
