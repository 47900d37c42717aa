package proxy

import "askpg/ask"

// conversation is what a session keeps of its questions for what comes after them: ask(more), ask(run 2), ask(good), SHOW
// askpg.last. It is with one login in one role; who asks or looks as another begins a new one.
type conversation struct {
	with     lastKey
	last     *answered
	lastRows *voteRows  // rows of the last question; may be nil
	judged   string     // id of the last answer, which ask(good) and ask(bad) are about
	turns    []ask.Turn // for ask(more)
}

// converse begins a new conversation if the session is not as the login and role of the old one.
func (s *session) converse(with lastKey) {
	if s.conversation.with != with {
		s.forgetConversation()
		s.conversation.with = with
	}
}

func (s *session) forgetConversation() {
	s.lastRows.drop()
	s.conversation = conversation{}
}
