package proxy

import (
	"bytes"

	"askpg/ask"
	"askpg/wire"
)

// kind is what a message of the client is to askpg. The core passes a foreign message on and waits for more of an unknown
// one. A driver deals with foreignBinding and farewell itself. Of any other kind turn.answer answers the message, or
// returns errRelay, and the message goes to the server.
type kind int

const (
	foreign        kind = iota // the server's
	unknown                    // not known yet: more of it has to be seen
	question                   // Query or Parse with a question
	calls                      // Query or Parse that may call ask('…') in FROM, or hold a question elsewhere
	perhaps                    // Query or Parse that is a question if askpg.mode is auto and the text is no SQL
	tooLong                    // Query or Parse with the beginning of a question that is too long
	collision                  // a message that creates what exists here under the same name
	local                      // Bind, Describe, Execute, Close of something that is here
	named                      // an SQL command about a statement or a portal that is here
	foreignBinding             // authentication that binds to another certificate than the server's
	farewell                   // Terminate, of a client whose server connection can serve another one
	show                       // SHOW askpg.… that askpg answers
	assigns                    // SET askpg.… to a value that the setting can't have, or of no setting of askpg's
	usesChosen                 // Bind, Describe, Close of a statement on the server that has chosen SQL in it, which is judged again
	executes                   // a message that may execute such a statement without being seen: by SQL, or by names that are too long to be read
)

// verdict is what judge says of a message.
type verdict struct {
	kind kind
	size int64 // the message's length, its header included
	lead int   // of a Query: how many bytes of commands (SET, BEGIN) stand before the question that kind is about
}

// maxNames is how much of a message is waited for to read the names in it.
const maxNames = 4 << 10

// judge says what a message of the client is, of which b has been read. It is
// called for the first bytes of every message, so the ordinary ones leave it
// quickly.
func (s *session) judge(b []byte) verdict {
	switch b[0] {
	case wire.Query, wire.Parse:
	case wire.Bind, wire.Describe, wire.Execute, wire.Close:
		if len(s.statements) == 0 && len(s.portals) == 0 && len(s.onPrimary) == 0 {
			return verdict{}
		}
	case wire.Password:
		switch binds, more := s.bindsToForeign(b); {
		case binds:
			return verdict{kind: foreignBinding}
		case more:
			return verdict{kind: unknown}
		}
		return verdict{}
	case wire.Terminate:
		return s.judgeTerminate(b)
	default:
		return verdict{}
	}
	if s.core.Skipping() {
		return verdict{} // the server discards it
	}
	size, err := wire.MessageLen(b)
	if err != nil {
		return verdict{}
	}
	v := verdict{size: size}
	if size == 0 {
		v.kind = unknown
		return v
	}
	complete := int64(len(b)) >= size
	if complete {
		b = b[:size]
	}
	if b[0] != wire.Query && b[0] != wire.Parse {
		v.kind = s.judgeName(b, complete)
		return v
	}
	v.kind = s.judgeText(b, size, complete)
	if !complete || b[0] != wire.Query {
		return v
	}
	text, _, _ := wire.CutString(b[wire.HeaderLen:])
	switch v.kind {
	case foreign, perhaps, calls:
		if behind, ok := s.behindCommands(text); ok {
			behind.size = size
			return behind
		}
	case assigns:
		v.lead, _ = s.misassigned(text)
	}
	return v
}

// judgeTerminate says whether a client's Terminate is for askpg, as the server connection outlives the client's.
func (s *session) judgeTerminate(b []byte) verdict {
	if !s.reusable() {
		return verdict{}
	}
	// The whole of it, or its end would come to a closed connection.
	switch size, err := wire.MessageLen(b); {
	case err == nil && size == 0, int(size) == len(terminate) && len(b) < len(terminate):
		return verdict{kind: unknown}
	case int(size) == len(terminate):
		return verdict{kind: farewell, size: size}
	}
	return verdict{}
}

func (s *session) judgeText(b []byte, size int64, complete bool) kind {
	limit := int64(s.inForce().Listen.MaxQuestion)
	text := b[wire.HeaderLen:]
	var name []byte
	if b[0] == wire.Parse {
		var ok bool
		if name, text, ok = wire.CutString(text); !ok {
			return s.unread(b, complete)
		}
	}
	if int64(len(b)-len(text))+limit+1 < size-2 {
		// Too long to be answered; only its beginning tells, or all of a text with much behind it.
		read, _, ended := wire.CutString(text)
		if !ended {
			read = text
		}
		switch detected := ask.Detect(read, ended); {
		case detected == ask.Yes:
			return tooLong
		case detected == ask.Undecided && int64(len(read)) < limit:
			return unknown
		case detected == ask.Undecided && mentionsAsk(read[:limit]), ask.CheckClosed(string(read), ended) != nil:
			return tooLong
		case s.mayExecute():
			return executes
		}
		return s.relayed(b[0], name)
	}
	if !complete {
		return unknown
	}
	text, _, ok := wire.CutString(text)
	switch {
	case !ok:
		return foreign
	case len(s.onPrimary) > 0 && s.executesOnPrimary(text):
		return executes
	case ask.Detect(text, true) == ask.Yes:
		return question
	case s.collides(b[0], name):
		return collision
	case s.assigns(b[0], text):
		return assigns
	case ask.MayCall(text), ask.MayHold(text):
		return calls
	case ask.MayShow(text) && s.shows(text):
		return show
	case len(s.statements)+len(s.portals) > 0 && s.knows(text):
		return named
	case s.mayBeQuestion(text):
		return perhaps
	}
	return s.relayed(b[0], name)
}

// collides says whether a Parse has the name of a statement that is here.
func (s *session) collides(typ byte, name []byte) bool {
	return typ == wire.Parse && len(name) > 0 && s.statements[string(name)] != nil
}

// relayed takes note of a Query or Parse that goes to the server: what it
// replaces there must not stay here.
func (s *session) relayed(typ byte, name []byte) kind {
	if typ == wire.Query || len(name) == 0 {
		delete(s.onPrimary, "")
		delete(s.statements, "")
	}
	if s.collides(typ, name) {
		return collision
	}
	return foreign
}

// unread judges a message of which the names have not been read.
func (s *session) unread(b []byte, complete bool) kind {
	switch {
	case complete:
		return foreign // the server refuses it
	case len(b) <= maxNames:
		return unknown
	case len(s.onPrimary) > 0:
		return executes
	}
	return foreign
}

// judgeName judges the messages that name statements and portals.
func (s *session) judgeName(b []byte, complete bool) kind {
	short := func() kind { return s.unread(b, complete) }
	body := b[wire.HeaderLen:]
	here := false
	switch b[0] {
	case wire.Describe, wire.Close:
		if len(body) == 0 {
			return short()
		}
		name, _, ok := wire.CutString(body[1:])
		if !ok {
			return short()
		}
		if body[0] == 'S' {
			here = s.statements[string(name)] != nil
			if !here && s.chosenIn(name) != nil {
				return usesChosen
			}
		} else {
			here = s.portals[string(name)] != nil
		}
	case wire.Execute:
		name, _, ok := wire.CutString(body)
		if !ok {
			return short()
		}
		here = s.portals[string(name)] != nil
	case wire.Bind:
		portal, rest, ok := wire.CutString(body)
		if !ok {
			return short()
		}
		statement, _, ok := wire.CutString(rest)
		if !ok {
			return short()
		}
		here = s.statements[string(statement)] != nil
		if !here && s.chosenIn(statement) != nil {
			return usesChosen
		}
		if !here && s.portals[string(portal)] != nil {
			return collision
		}
	}
	switch {
	case !here:
		return foreign
	case complete:
		return local
	case len(b) > s.inForce().Listen.MaxQuestion+maxNames:
		return foreign // the server says that it does not exist there
	}
	return unknown
}

// mayBeQuestion says whether a text is worth asking the server about the mode. It
// is called for every statement, so that it judges by the first word, unless
// the mode has been seen.
func (s *session) mayBeQuestion(text []byte) bool {
	word := ask.FirstWord(text)
	if len(word) == 0 {
		return false
	}
	s.modeSeen = s.modeSeen || ask.MentionsMode(text)
	return s.modeSeen || !ask.IsCommand(word)
}

// isSQL says whether a text parses, so that even in the mode it is none of
// ours.
func isSQL(text string) bool {
	_, err := ask.Parse(text)
	return err == nil
}

// mentionsAsk says whether the word is in a text that is too long to be read.
func mentionsAsk(text []byte) bool {
	for {
		i := bytes.IndexAny(text, "aA")
		if i < 0 || len(text)-i < 3 {
			return false
		}
		if bytes.EqualFold(text[i:i+3], []byte("ask")) {
			return true
		}
		text = text[i+1:]
	}
}
