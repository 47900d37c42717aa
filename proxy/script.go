package proxy

import (
	"errors"
	"slices"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

// errBetween refuses a message with questions and other statements that does not have the form of a script.
func errBetween() *ask.Error {
	return ask.Errorf(ask.CodeFeatureNotSupported, "a question can't be answered beside the other statements of its message").
		WithDetail("Before a question only commands may stand that set something, or that begin or end a transaction. Other statements come last: no question may follow them. A prepared statement is one statement.").
		WithHint("Send the question by itself. If it is the question that a statement answers, put its comment above that statement.")
}

// script is a Query that is more than one question: commands that only set something, or begin or end a
// transaction; questions, which change nothing; then other statements. PostgreSQL runs the statements of a Query as one
// transaction where no command says otherwise. Here the commands go to the server in one piece and what stands behind the
// questions in another, so that it is PostgreSQL that runs them so. Commands that set something for the time until the
// questions fail stand in a transaction that askpg begins and ends.
type script struct {
	lead []byte     // the commands, as the client has sent them
	rest []byte     // what is behind them
	cut  ask.Script // rest, in which bytes of other encodings are replaced
	wrap bool       // in a transaction of askpg's
}

// maxAsked is how many questions a message may hold. Each may take the time of one.
const maxAsked = 100

func errTooMany(n int) *ask.Error {
	return ask.Errorf(ask.CodeProgramLimit, "the message has %d questions, and at most %d are answered", n, maxAsked).
		WithHint("Send them in several messages.")
}

// script returns the script that a message is; nil if it is a question by itself, or not askpg's.
func (t *turn) script(message []byte, v verdict) (*script, error) {
	_, text, ok := textOf(message)
	if !ok {
		return nil, errRelay
	}
	if err := ask.CheckClosed(string(text), true); err != nil {
		return nil, err
	}
	s := &script{lead: text[:v.lead], rest: text[v.lead:]}
	masked := onlyASCII(s.rest)
	if v.kind == show || v.kind == perhaps || v.kind == assigns {
		s.cut, ok = ask.Script{Questions: []string{masked}}, true
	} else if s.cut, ok = ask.CutScript(masked); ok && v.lead == 0 && (len(s.cut.Questions) == 0 || len(s.cut.Questions) == 1 && s.cut.Tail == "") {
		return nil, nil
	}
	t.mu.Lock()
	open, status := t.core.Open(), t.core.Status()
	t.mu.Unlock()
	switch {
	case ok && len(s.cut.Questions) == 0: // calls of ask('…')
		if _, found, err := ask.FindCalls(string(s.rest)); err == nil && len(found) == 0 {
			return nil, errRelay
		}
		s.cut = ask.Script{Questions: []string{masked}}
	case (v.kind == perhaps || v.kind == assigns) && open:
		return nil, errRelay // of a pipeline without Sync
	case v.kind == perhaps:
		if info, err := t.readInfo(""); err != nil || !info.auto {
			return nil, errors.Join(err, errRelay)
		}
	}
	if !ok && status == wire.StatusFailed && v.lead == 0 {
		return nil, errAborted
	}
	if !ok || !t.simple || open {
		return nil, errBetween()
	}
	if n := len(s.cut.Questions); n > maxAsked {
		return nil, errTooMany(n)
	}
	var err error
	s.wrap, err = needsBlock(status, ask.Commands(onlyASCII(s.lead)), s.cut.Tail)
	if err != nil && v.kind == assigns {
		return nil, errRelay // the next question says what is wrong
	}
	return s, err
}

// onlyASCII replaces what is not ASCII by letters, byte by byte: where a text is cut does not depend on its encoding.
func onlyASCII(text []byte) string {
	masked := slices.Clone(text)
	for i, c := range masked {
		if c >= 0x80 {
			masked[i] = 'x'
		}
	}
	return string(masked)
}

// needsBlock says whether commands before a question set something that ends with the transaction that the message is.
// The error refuses commands, and statements behind the questions, of which it is not known that they do here what they
// do in PostgreSQL. status is that of the session before them.
func needsBlock(status byte, lead []ask.Command, tail string) (wrap bool, err error) {
	block, failed, ended := status != wire.StatusIdle, status == wire.StatusFailed, false
	alone := false // what needs a transaction block stands where there is none
	for i, c := range lead {
		switch {
		case failed && c != ask.EndCommand && c != ask.RollbackToCommand:
			return false, errAborted
		case c == ask.EndCommand && i == 0:
			block, failed, ended = false, false, true
		case c == ask.BeginCommand:
			block, wrap = true, false
		case c == ask.SetCommand:
			wrap = wrap || !block
		case c == ask.SavepointCommand:
			alone = alone || !block
		case c == ask.RollbackToCommand:
			alone, failed = alone || !block, false
		default:
			return false, errBetween()
		}
	}
	switch {
	case failed:
		return false, errAborted
	case wrap && (ended || alone || slices.ContainsFunc(ask.Commands(tail), func(c ask.Command) bool { return c != ask.SetCommand })):
		return false, errBetween()
	}
	return wrap, nil
}

// run carries a script out.
func (t *turn) run(s *script, k kind) error {
	if s.wrap {
		if answers, failed, err := t.command(t.ctx, "BEGIN"); err != nil || failed {
			return errors.Join(err, t.writeClient(answers))
		}
	}
	err := t.runPieces(s, k)
	switch {
	case !s.wrap:
		return err
	case err != nil:
		// A question that was canceled has ended the turn's context.
		if _, _, rollback := t.command(t.session.ctx, "ROLLBACK"); rollback != nil {
			return rollback
		}
		return err
	}
	// All is answered: a cancel request that came meanwhile is too late.
	t.endThinking()
	answers, failed, err := t.command(t.session.ctx, "COMMIT")
	switch t.executed++; {
	case err != nil:
		return err
	case failed:
		return t.writeClient(answers)
	}
	return t.sync()
}

func (t *turn) runPieces(s *script, k kind) error {
	if err := t.setUp(s.lead); err != nil {
		return err
	}
	rest := s.rest
	for i, q := range s.cut.Questions {
		t.more = s.wrap || i < len(s.cut.Questions)-1 || s.cut.Tail != ""
		err := t.piece(rest[:len(q)], k)
		if errors.Is(err, errRelay) {
			if i > 0 || s.wrap {
				return errBetween()
			}
			return t.giveBack(encode(nil, &pgproto3.Query{String: string(rest)}))
		}
		if err != nil {
			return err
		}
		rest = rest[len(q):]
	}
	switch {
	case len(s.cut.Tail) == 0:
		return nil
	case s.wrap:
		return t.setUp(rest)
	}
	t.endThinking()
	return t.giveBack(encode(nil, &pgproto3.Query{String: string(rest)}))
}

// piece answers one question of a script.
func (t *turn) piece(text []byte, k kind) error {
	message := encode(nil, &pgproto3.Query{String: string(text)})
	switch {
	case k == show:
		return t.show(message)
	case k == assigns:
		return t.assign(message)
	case k == perhaps:
		return t.simpleQuestion(message, verdict{kind: perhaps})
	case ask.Detect(text, true) == ask.Yes:
		return t.simpleQuestion(message, verdict{kind: question})
	}
	return t.calls(message)
}

// setUp has the server execute commands of the client's, and gives him their answers.
func (t *turn) setUp(commands []byte) error {
	if len(commands) == 0 {
		return nil
	}
	t.endThinking() // a cancel request is the server's meanwhile
	answers, failed, err := t.command(t.ctx, string(commands))
	if err != nil {
		return err
	}
	if err := t.carriedOut(commands); err != nil {
		return err
	}
	if !failed {
		return t.writeClient(answers)
	}
	before, message := cutError(answers)
	return errors.Join(t.writeClient(before), &serverError{message: message})
}

// carriedOut takes note of commands that the server has executed for the session.
func (t *turn) carriedOut(commands []byte) error {
	t.executed++
	list := ask.Commands(onlyASCII(commands))
	t.mu.Lock()
	t.failed = t.core.Status() == wire.StatusFailed
	switch {
	case slices.Contains(list, ask.EndCommand):
		t.ended = endedAll
	case slices.Contains(list, ask.RollbackToCommand):
		t.ended = max(t.ended, endedSinceSavepoint)
	}
	t.mu.Unlock()
	t.mayBeQuestion(commands)
	return t.forgetEnded()
}

// cutError returns the ErrorResponse among answers, and what came before it.
func cutError(answers []byte) (before, message []byte) {
	for at := 0; at < len(answers); {
		size, err := wire.MessageLen(answers[at:])
		if err != nil || size == 0 || size > int64(len(answers)-at) {
			break
		}
		if answers[at] == wire.ErrorResponse {
			return answers[:at], answers[at : at+int(size)]
		}
		at += int(size)
	}
	return answers, nil
}
