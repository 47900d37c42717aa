package replica_test

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

// records reads what the recorder of testdata/owned.sql wrote to a server's
// log: code of the tenant's that ran in somebody else's session. The server
// writes it before the statement goes on, whatever becomes of the statement.
type records struct {
	t    testing.TB
	log  *os.File
	rest string
}

// What follows a message in the log is its context and the statement that ran.
var recordedLine = regexp.MustCompile(`LOG:  RECORDED (.*) of (\S+)(?:.*\n(?:.*(?:CONTEXT|STATEMENT):  |\t).*)*`)
var statementOf = regexp.MustCompile(`STATEMENT:  (.*)`)

func recordsOf(t testing.TB, s *pgtest.Server) *records {
	t.Helper()
	f, err := os.Open(s.Dir + ".log")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		t.Fatal(err)
	}
	return &records{t: t, log: f}
}

// take returns what was recorded since the last call, but for what ran in
// sessions of the tenant's own.
func (r *records) take() []string {
	r.t.Helper()
	b, err := io.ReadAll(r.log)
	if err != nil {
		r.t.Fatal(err)
	}
	if len(b) == 0 {
		return nil
	}
	text := r.rest + string(b)
	end := strings.LastIndexByte(text, '\n') + 1
	text, r.rest = text[:end], text[end:]
	var list []string
	for _, m := range recordedLine.FindAllStringSubmatch(text, -1) {
		if m[2] == "tenant" {
			continue
		}
		line := m[1] + " of " + m[2]
		if s := statementOf.FindStringSubmatch(m[0]); s != nil {
			line += " in " + s[1]
		}
		list = append(list, line)
	}
	return list
}

// ownedMode is a way in which questions are run.
type ownedMode struct {
	name    string
	service string // the service login
	asker   string
	own     bool // the asker logs in himself
	byName  bool // and the server does not tell what names mean on his path
}

// ownedModes are those in which code of the tenant's must not run. What a login
// prints goes to the server's log if it is loud: then there is no tree to judge.
var ownedModes = []ownedMode{
	{"relay quiet", "askpg", "asker", false, false},
	{"relay loud", "askpg_loud", "asker", false, false},
	{"relay quiet, the tenant asks", "askpg", "tenant", false, false},
	{"own login, loud", "askpg_loud", "asker", true, true},
	{"own login, quiet", "askpg_loud", "asker_quiet", true, false},
}

func (m ownedMode) replica(t testing.TB, server *pgtest.Server) *replica.Replica {
	cfg := config(t, server)
	cfg.URL = server.URL(m.service, "postgres")
	cfg.AllowSchemas = []string{"app"}
	return start(t, cfg)
}

// session is one of the asker's. The servers of the tests trust who says who he
// is, so that any key logs in.
func (m ownedMode) session(db, path string) ask.Session {
	s := session(db, m.asker)
	s.Settings["search_path"] = path
	if m.own {
		s.Login = ask.NewLogin(m.asker, ask.LoginKey{1}, ask.LoginKey{2})
	}
	return s
}
