package proxy

import "askpg/ask"

// auto knows whether a session may be in the mode in which a text that is no
// SQL is a question (SET askpg.mode = 'auto'). Whether it is in that mode the
// server says when such a text comes.
type auto struct {
	// seen: the mode may have been set, or the server said so.
	seen bool
}

// mayBeQuestion says whether a text is worth asking the server about the mode. It
// is called for every statement, so that it judges by the first word, unless
// the mode has been seen.
func (a *auto) mayBeQuestion(text []byte) bool {
	word := ask.FirstWord(text)
	if len(word) == 0 {
		return false
	}
	a.seen = a.seen || ask.MentionsMode(text)
	return a.seen || !ask.IsCommand(word)
}

// isSQL says whether a text parses, so that even in the mode it is none of
// ours.
func isSQL(text string) bool {
	_, err := ask.Parse(text)
	return err == nil
}
