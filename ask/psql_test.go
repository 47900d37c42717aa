package ask_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
)

// TestPsql pins what the real psql sends for each form, and that it is taken
// for a question where it can be one.
func TestPsql(t *testing.T) {
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Fatalf("psql is needed: %v", err)
	}
	for _, tt := range []struct {
		name   string
		input  string   // typed, or the text of -c
		how    string   // "-c", "stdin", "-f"
		sent   []string // what reaches the server
		asked  string   // the question in the first text sent
		answer bool
	}{
		{name: "line comment by -c", how: "-c", input: "-- ask: what's our best month?", sent: []string{"-- ask: what's our best month?"}, asked: "what's our best month?", answer: true},
		{name: "line comment typed is dropped", how: "stdin", input: "-- ask: how many\n;\n", sent: []string{";"}},
		{name: "line comment with a semicolon is dropped", how: "stdin", input: "-- ask: how many;\n"},
		{name: "line comment in a file is dropped", how: "-f", input: "-- ask: how many\nselect 1;\n", sent: []string{"select 1;"}},
		{name: "block comment typed", how: "stdin", input: "/* ask: what's our best month? */;\n", sent: []string{"/* ask: what's our best month? */;"}, asked: "what's our best month?", answer: true},
		{name: "block comment in a file", how: "-f", input: "/* ask: what's our\n   best month? */;\n", sent: []string{"/* ask: what's our\n   best month? */;"}, asked: "what's our\nbest month?", answer: true},
		{name: "verb, dollar quoted", how: "stdin", input: "ASK $$what's the total; and count?$$;\n", sent: []string{"ASK $$what's the total; and count?$$;"}, asked: "what's the total; and count?", answer: true},
		{name: "verb, quoted", how: "stdin", input: "ASK 'what''s our best month';\n", sent: []string{"ASK 'what''s our best month';"}, asked: "what's our best month", answer: true},
		{name: "verb, bare", how: "stdin", input: "ASK how many users are there;\n", sent: []string{"ASK how many users are there;"}, asked: "how many users are there", answer: true},
		{name: "verb with options", how: "stdin", input: "ASK(candidates) how many users;\n", sent: []string{"ASK(candidates) how many users;"}, asked: "how many users", answer: true},
		{name: "call in FROM", how: "stdin", input: "select * from ask('what''s our best month') r;\n", sent: []string{"select * from ask('what''s our best month') r;"}},
		{name: "bare text", how: "stdin", input: "how many users are there;\n", sent: []string{"how many users are there;"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			host, port, received := recordQueries(t)
			args := []string{"-X", "-h", host, "-p", port, "-U", "u", "-d", "d"}
			cmd := exec.Command(psql, args...)
			switch tt.how {
			case "-c":
				cmd.Args = append(cmd.Args, "-c", tt.input)
			case "-f":
				path := filepath.Join(t.TempDir(), "q.sql")
				if err := os.WriteFile(path, []byte(tt.input), 0o600); err != nil {
					t.Fatal(err)
				}
				cmd.Args = append(cmd.Args, "-f", path)
			default:
				cmd.Stdin = strings.NewReader(tt.input)
			}
			cmd.Env = append(os.Environ(), "PGSSLMODE=disable", "PGGSSENCMODE=disable")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := received()
			if !reflect.DeepEqual(got, tt.sent) {
				t.Fatalf("psql sent %q, want %q", got, tt.sent)
			}
			if len(got) == 0 {
				return
			}
			f, ok := ask.ParseForm(got[0])
			if ok != tt.answer || f.Text != tt.asked {
				t.Errorf("taken for a question: %v, %q; want %v, %q", ok, f.Text, tt.answer, tt.asked)
			}
			if call := strings.Contains(got[0], "ASK(") || strings.Contains(got[0], "ask("); ask.MayCall([]byte(got[0])) != call {
				t.Errorf("MayCall is %v", !call)
			}
		})
	}
}

// recordQueries serves one connection that accepts every login and answers
// every query with nothing. received waits for its end and returns the texts
// of the Query messages.
func recordQueries(t *testing.T) (host, port string, received func() []string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	texts := make(chan []string, 1)
	go func() {
		var queries []string
		defer func() { texts <- queries }()
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		b := pgproto3.NewBackend(pgproto3.NewChunkReader(conn), conn)
		if _, err := b.ReceiveStartupMessage(); err != nil {
			return
		}
		send := func(messages ...pgproto3.BackendMessage) bool {
			for _, m := range messages {
				if b.Send(m) != nil {
					return false
				}
			}
			return true
		}
		if !send(&pgproto3.AuthenticationOk{}, &pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"},
			&pgproto3.ParameterStatus{Name: "server_version", Value: "15.0"}, &pgproto3.ReadyForQuery{TxStatus: 'I'}) {
			return
		}
		for {
			m, err := b.Receive()
			if err != nil {
				return
			}
			if q, ok := m.(*pgproto3.Query); ok {
				queries = append(queries, q.String)
				if !send(&pgproto3.EmptyQueryResponse{}, &pgproto3.ReadyForQuery{TxStatus: 'I'}) {
					return
				}
			}
		}
	}()
	addr := l.Addr().(*net.TCPAddr)
	return addr.IP.String(), strconv.Itoa(addr.Port), func() []string { return <-texts }
}
