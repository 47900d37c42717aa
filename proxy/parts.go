package proxy

import (
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

// errBetween refuses a question in a message with statements that would have to run apart from each other.
func errBetween() *ask.Error {
	return ask.Errorf(ask.CodeFeatureNotSupported, "a question can't be answered beside the other statements of its message").
		WithDetail("Before a question only BEGIN, COMMIT, ROLLBACK, SAVEPOINT, RELEASE, SET and RESET may stand, and a prepared statement is one statement.").
		WithHint("Send the question by itself. If it is the question that a statement answers, put its comment above that statement.")
}

// parts cuts the text of a message with a question and something else into its parts. There are none if the message
// is dealt with as a whole.
func (t *turn) parts(message []byte) ([]ask.Part, *sessionInfo, error) {
	_, raw, ok := textOf(message)
	if !ok {
		return nil, nil, nil
	}
	isOne := func(list []ask.Part) bool {
		return len(list) < 2 || !slices.ContainsFunc(list, func(p ask.Part) bool { return p.Asks })
	}
	list := ask.Parts(strings.ToValidUTF8(string(raw), "?"))
	if isOne(list) {
		return nil, nil, nil
	}
	t.mu.Lock()
	open := t.core.Open()
	t.mu.Unlock()
	switch {
	case !t.simple || open:
		return nil, nil, errBetween()
	case t.failed && !list[0].Commands:
		return nil, nil, errAborted
	case t.failed || isASCII(raw):
		return list, nil, nil
	}
	t.think()
	info, err := t.readInfo(t.ctx, "")
	if err != nil {
		return nil, nil, err
	}
	text, err := info.encoding.decode(raw)
	if err != nil {
		return nil, nil, err
	}
	return ask.Parts(text), info, nil
}

// each deals with the parts of a Query one after the other. info is needed for parts that are not ASCII.
//
// PostgreSQL takes back all that the statements of a message have done if one of them fails, so settings that stand before a
// question are made in a transaction, where there is none.
func (t *turn) each(parts []ask.Part, info *sessionInfo) error {
	last := len(parts) - 1
	for last > 0 && !parts[last].Asks {
		last--
	}
	for _, p := range parts[:last] {
		if !p.Asks && !p.Commands {
			return errBetween()
		}
	}
	wrap, err := t.needsBlock(parts[:last])
	if err != nil {
		return err
	}
	if wrap {
		for _, p := range parts[last+1:] {
			if !p.Commands {
				return errBetween()
			}
		}
		if answers, failed, err := t.command("BEGIN"); err != nil || failed {
			return errors.Join(err, t.writeClient(answers))
		}
	}
	for i, p := range parts {
		t.more = wrap || i < len(parts)-1
		raw, err := []byte(p.Text), error(nil)
		if !isASCII(p.Text) {
			if info == nil {
				if info, err = t.readInfo(t.ctx, ""); err != nil {
					return err
				}
			}
			raw, err = exactly(info, p.Text)
		}
		if err == nil {
			var ended bool
			if ended, err = t.part(p, raw); ended {
				return err
			}
		}
		if err == nil {
			continue
		}
		if wrap {
			if _, _, err := t.command("ROLLBACK"); err != nil {
				return err
			}
		}
		return err
	}
	if !wrap {
		return nil
	}
	t.executed++
	switch answers, failed, err := t.command("COMMIT"); {
	case err != nil:
		return err
	case failed:
		return t.writeClient(answers)
	}
	return t.sync()
}

// part deals with a part of a Query, whose text is raw. ended says that the client has the ReadyForQuery of the message.
func (t *turn) part(p ask.Part, raw []byte) (ended bool, err error) {
	message := encode(nil, &pgproto3.Query{String: string(raw)})
	if !p.Asks && !t.more {
		return true, t.giveBack(message)
	}
	if !p.Asks {
		answers, failed, err := t.command(string(raw))
		if err != nil {
			return false, err
		}
		t.carriedOut(p.Text)
		if !failed {
			return false, t.writeClient(answers)
		}
		before, message := cutError(answers)
		return false, errors.Join(t.writeClient(before), &serverError{message: message})
	}
	kind := calls
	if ask.Detect(raw, true) == ask.Yes {
		kind = question
	}
	if kind == question {
		err = t.simpleQuestion(message, verdict{kind: kind})
	} else {
		err = t.calls(message)
	}
	if errors.Is(err, errRelay) {
		if t.more {
			return false, errBetween()
		}
		return true, t.giveBack(message)
	}
	return !t.more, err
}

// needsBlock says whether the commands among the parts set something outside of a transaction.
func (t *turn) needsBlock(parts []ask.Part) (bool, error) {
	t.mu.Lock()
	block := t.core.Status() != wire.StatusIdle
	t.mu.Unlock()
	set, controls := false, false
	for _, p := range parts {
		for _, c := range ask.LeadCommands(p.Text) {
			switch c[0] {
			case "set", "reset":
				set = set || !block
			case "begin", "start":
				block, set, controls = true, false, true
			case "commit", "end", "rollback", "abort":
				if !slices.Contains(c, "to") && !slices.Contains(c, "chain") {
					block, set = false, false
				}
				controls = true
			}
		}
	}
	if set && controls {
		return false, errBetween()
	}
	return set, nil
}

// carriedOut takes note of commands that the server has executed for the session.
func (t *turn) carriedOut(commands string) {
	t.executed++
	t.mu.Lock()
	t.failed = t.core.Status() == wire.StatusFailed
	t.mu.Unlock()
	t.may.beQuestion([]byte(commands))
	for _, c := range ask.LeadCommands(commands + ";") {
		switch c[0] {
		case "commit", "end", "rollback", "abort":
			t.mu.Lock()
			t.txEnded = true
			t.mu.Unlock()
		}
	}
	t.forgetEnded()
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
