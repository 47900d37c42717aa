package proxy

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

// checkValue returns PostgreSQL's error for a value that a setting can't have. No value is the default.
func (s *Server) checkValue(setting, value string) error {
	hint := ""
	is := func(a string) bool { return strings.EqualFold(a, value) }
	if allowed := ask.SettingNamed(setting).Values; allowed != nil {
		if _, truth := wire.ParseBool(value); value == "" || slices.ContainsFunc(allowed, is) || setting == "notices" && truth {
			return nil
		}
		hint = "Available values: " + strings.Join(allowed, ", ") + "."
	} else if s.CheckSetting != nil {
		if want := s.CheckSetting(setting, value); want != "" {
			hint = "It must be " + want + "."
		}
	}
	if hint == "" {
		return nil
	}
	return ask.Errorf(ask.CodeInvalidParameter, "invalid value for parameter \"%s%s\": %q", ask.ShowPrefix, setting, value).WithHint("%s", hint)
}

// misassigned returns the error of the first statement of a text that gives a setting a value that it can't have, and where that
// statement begins. Before it only commands stand that set something, or begin or end a transaction: behind others it is the
// server's, and the next question says what is wrong.
func (s *session) misassigned(text []byte) (at int, err error) {
	if !ask.MayAssign(text) || !utf8.Valid(text) {
		return 0, nil
	}
	ask.Assigned(string(text), func(begin int, name, value string) {
		if err == nil && slices.Contains(ask.SessionSettings, name) && (begin == 0 || begin <= ask.Lead(text)) {
			at, err = begin, s.srv.checkValue(name, value)
		}
	})
	return at, err
}

// assigns says whether a Query or Parse is for assign. Only a Query can be warned of: what a Parse sets nobody knows to be set.
func (s *session) assigns(typ byte, text []byte) bool {
	_, err := s.misassigned(text)
	return err != nil || typ == wire.Query && unknownSetting(text) != ""
}

// unknownSetting returns the name of the setting that a text sets, and nothing else, if askpg has none of that name.
func unknownSetting(text []byte) (name string) {
	n := ask.Lead(text)
	if !ask.MayAssign(text) || ask.MayCall(text) || ask.MayHold(text) || n > 0 && len(bytes.TrimSpace(text[n:])) > 0 || !utf8.Valid(text) {
		return ""
	}
	ask.Assigned(string(text), func(_ int, set, _ string) {
		if !slices.Contains(ask.SessionSettings, set) {
			name = set
		}
	})
	return name
}

// assign refuses a value that a setting can't have. PostgreSQL takes any name that has a dot in it, so that a name that is no
// setting of askpg's gets a warning, and goes to the server. In a transaction there is none: what askpg would ask the server
// for it takes a snapshot, before the client's first query does.
func (t *turn) assign(message []byte) error {
	_, text, _ := textOf(message)
	if _, err := t.misassigned(text); err != nil {
		t.aborts = true
		return err
	}
	t.mu.Lock()
	idle := t.core.Idle() && t.core.Status() == wire.StatusIdle
	t.mu.Unlock()
	if !idle {
		return errRelay
	}
	info, err := t.readInfo("")
	if err != nil || !info.notices {
		return errRelay
	}
	name := unknownSetting(text)
	hint := "The settings are " + strings.Join(ask.SessionSettings, ", ") + "."
	near := slices.MinFunc(ask.SessionSettings, func(a, b string) int {
		return levenshtein.ComputeDistance(a, name) - levenshtein.ComputeDistance(b, name)
	})
	if levenshtein.ComputeDistance(near, name) <= 2 {
		hint = "Did you mean \"" + ask.ShowPrefix + near + "\"?"
	}
	return cmp.Or(t.writeClient(encodeNotice(info, pgproto3.NoticeResponse{
		Severity: "WARNING", Code: "01000", Message: "askpg has no setting \"" + ask.ShowPrefix + name + "\"", Hint: hint,
	})), errRelay)
}
