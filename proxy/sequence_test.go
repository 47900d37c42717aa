package proxy_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
	"askpg/wire/scram"
)

// The files of testdata/sequences are sequences of raw messages. Each is sent to
// the server and to askpg, and what comes back must be the same, byte for byte
// but for what names a process. A line is a message or an action:
//
//	Query "text"                           CopyData "bytes", CopyDone, CopyFail "text"
//	Parse "name" "text" [OID…]             FunctionCall OID ["argument"…]
//	Bind "portal" "statement" ["value"…]   Sync, Flush, Terminate
//	Describe S|P "name"                    Close S|P "name"
//	Execute "portal" rows                  Raw "bytes"
//	Startup 3.0 ["name" "value"…]          SSLRequest
//	Await X      reads up to a message of type X
//	Answer       reads one byte, the answer to SSLRequest
//	Elsewhere "text"   runs a statement on another connection to the server
//	Closed       reads up to the end of the connection
//
// A sequence whose name begins with startup or encryption logs in by itself, any
// other is logged in before it. What lines send goes out in one
// write, up to the next line that reads. After the last line a Sync and a query
// bring in what is still to come, unless the connection has ended. $DB is the
// database. A line "codes" has errors compared by severity and code alone; a line
// "plain" or "encrypted" has the sequence played without or with TLS only; one
// that is "large" is not cut into single bytes.

// sequence is a file of testdata/sequences.
type sequence struct {
	name             string
	codes            bool
	plain, encrypted bool
	large            bool
	lines            [][]string
}

func readSequences(t testing.TB) (all []sequence) {
	t.Helper()
	files, err := filepath.Glob("testdata/sequences/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no sequences: ", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := sequence{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
		for i, l := range strings.Split(string(text), "\n") {
			words, err := splitLine(l)
			switch {
			case err != nil:
				t.Fatalf("%s:%d: %v", file, i+1, err)
			case len(words) == 0:
			case words[0] == "codes":
				s.codes = true
			case words[0] == "plain":
				s.plain = true
			case words[0] == "encrypted":
				s.encrypted = true
			case words[0] == "large":
				s.large = true
			default:
				s.lines = append(s.lines, words)
			}
		}
		all = append(all, s)
	}
	return all
}

// splitLine splits a line into words, of which those in quotes are Go strings.
// "text"*1000 is a text repeated.
func splitLine(l string) (words []string, err error) {
	for l = strings.TrimSpace(l); l != "" && l[0] != '#'; l = strings.TrimSpace(l) {
		if l[0] != '"' {
			word, rest, _ := strings.Cut(l, " ")
			words, l = append(words, word), rest
			continue
		}
		quoted, err := strconv.QuotedPrefix(l)
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, l)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		l = l[len(quoted):]
		if rest, ok := strings.CutPrefix(l, "*"); ok {
			number, rest, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, err
			}
			word, l = strings.Repeat(word, n), rest
		}
		words = append(words, word)
	}
	return words, nil
}

// player plays a sequence on one connection.
type player struct {
	conn      net.Conn
	database  string
	password  string // for a SCRAM login, which is in no trace
	elsewhere func(sql string) error
	codes     bool
	out       []byte // not sent yet
	sending   sync.WaitGroup
	trace     []string
	ended     bool
	login     *scram.Client // under way
	serverKey scram.Key
	pid       uint32 // the server's process
	status    byte   // of the last ReadyForQuery
}

var errEnded = errors.New("the connection has ended")

// play returns what came back, a line for each message.
func (p *player) play(s sequence) (string, error) {
	p.codes = s.codes
	_ = p.conn.SetDeadline(time.Now().Add(2 * time.Minute))
	if !strings.HasPrefix(s.name, "startup") && !strings.HasPrefix(s.name, "encryption") {
		if err := p.do([]string{"Startup", "3.0", "user", pgtest.Superuser, "database", p.database}); err != nil {
			return "", err
		}
		if err := p.do([]string{"Await", "Z"}); err != nil {
			return p.lines(), err
		}
	}
	for _, words := range s.lines {
		if err := p.do(words); errors.Is(err, errEnded) {
			return p.lines(), nil
		} else if err != nil {
			return p.lines(), fmt.Errorf("%q: %w", words, err)
		}
	}
	if !p.ended {
		p.out = message(p.out, 'S', nil)
		p.out = message(p.out, 'Q', []byte("select 'the end'\x00"))
		if err := p.await(func(typ byte, body string) bool { return typ == 'D' && strings.HasSuffix(body, "the end") }); err != nil && !errors.Is(err, errEnded) {
			return p.lines(), err
		}
		// Who closes with something unread resets the connection.
		if err := p.await(func(typ byte, _ string) bool { return typ == 'Z' }); err != nil && !errors.Is(err, errEnded) {
			return p.lines(), err
		}
	}
	return p.lines(), nil
}

func (p *player) lines() string { return strings.Join(p.trace, "\n") }

func (p *player) do(words []string) error {
	arg := func(i int) string {
		if i >= len(words) {
			return ""
		}
		return strings.ReplaceAll(words[i], "$DB", p.database)
	}
	number := func(i int) uint32 {
		n, err := strconv.ParseUint(arg(i), 10, 32)
		if err != nil {
			panic(fmt.Sprintf("%q: %v", words, err))
		}
		return uint32(n)
	}
	zero := func(i int) []byte { return append([]byte(arg(i)), 0) }
	switch words[0] {
	case "Query":
		p.out = message(p.out, 'Q', zero(1))
	case "Parse":
		b := append(zero(1), zero(2)...)
		b = binary.BigEndian.AppendUint16(b, uint16(max(0, len(words)-3)))
		for i := 3; i < len(words); i++ {
			b = binary.BigEndian.AppendUint32(b, number(i))
		}
		p.out = message(p.out, 'P', b)
	case "Bind":
		b := append(append(zero(1), zero(2)...), 0, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(max(0, len(words)-3)))
		for i := 3; i < len(words); i++ {
			b = append(binary.BigEndian.AppendUint32(b, uint32(len(arg(i)))), arg(i)...)
		}
		p.out = message(p.out, 'B', append(b, 0, 0))
	case "Describe":
		p.out = message(p.out, 'D', append([]byte(arg(1)), zero(2)...))
	case "Close":
		p.out = message(p.out, 'C', append([]byte(arg(1)), zero(2)...))
	case "Execute":
		p.out = message(p.out, 'E', binary.BigEndian.AppendUint32(zero(1), number(2)))
	case "Sync":
		p.out = message(p.out, 'S', nil)
	case "Flush":
		p.out = message(p.out, 'H', nil)
	case "Terminate":
		p.out = message(p.out, 'X', nil)
	case "CopyData":
		p.out = message(p.out, 'd', []byte(arg(1)))
	case "CopyDone":
		p.out = message(p.out, 'c', nil)
	case "CopyFail":
		p.out = message(p.out, 'f', zero(1))
	case "FunctionCall":
		b := append(binary.BigEndian.AppendUint32(nil, number(1)), 0, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(max(0, len(words)-2)))
		for i := 2; i < len(words); i++ {
			b = append(binary.BigEndian.AppendUint32(b, uint32(len(arg(i)))), arg(i)...)
		}
		p.out = message(p.out, 'F', append(b, 0, 0))
	case "Raw":
		p.out = append(p.out, arg(1)...)
	case "Startup":
		var major, minor uint32
		if _, err := fmt.Sscanf(arg(1), "%d.%d", &major, &minor); err != nil {
			return err
		}
		var body strings.Builder
		for i := 2; i < len(words); i++ {
			body.WriteString(arg(i) + "\x00")
		}
		p.out = append(p.out, packet(major<<16|minor, body.String()+"\x00")...)
	case "SSLRequest":
		p.out = append(p.out, packet(sslCode, "")...)
	case "Await":
		return p.await(func(typ byte, _ string) bool { return typ == words[1][0] })
	case "Answer":
		p.flush()
		var b [1]byte
		if _, err := io.ReadFull(p.conn, b[:]); err != nil {
			return p.end(err)
		}
		p.trace = append(p.trace, "answer "+string(b[:]))
	case "Elsewhere":
		p.flush()
		p.sending.Wait()
		return p.elsewhere(arg(1))
	case "Closed":
		return p.await(func(byte, string) bool { return false })
	default:
		return errors.New("unknown line")
	}
	return nil
}

// flush sends while others read: a client that writes and does not read meanwhile
// can stand against a server that does the same.
func (p *player) flush() {
	b := p.out
	p.out = nil
	p.sending.Wait()
	p.sending.Go(func() {
		// A peer that has ended still has something to say.
		_, _ = p.conn.Write(b)
	})
}

// end notes the end of the connection; that it takes with it what was on its
// way is TCP's doing, and no difference.
func (p *player) end(err error) error {
	if os.IsTimeout(err) {
		return err
	}
	p.ended = true
	p.trace = append(p.trace, "end")
	return errEnded
}

func (p *player) await(last func(typ byte, body string) bool) error {
	p.flush()
	for seen := false; ; {
		var head [5]byte
		if _, err := io.ReadFull(p.conn, head[:]); err != nil {
			return p.end(err)
		}
		// Of protocol 2.0 these are no lengths but text: nothing may be made for a length.
		length := int64(binary.BigEndian.Uint32(head[1:])) - 4
		body, err := io.ReadAll(io.LimitReader(p.conn, length))
		if int64(len(body)) < length {
			p.trace = append(p.trace, fmt.Sprintf("%c cut off", head[0]))
			return p.end(err)
		}
		if proof, err := p.prove(head[0], body); err != nil {
			return err
		} else if proof {
			continue
		}
		switch head[0] {
		case 'K':
			p.pid = binary.BigEndian.Uint32(body)
		case 'Z':
			p.status = body[0]
		}
		p.trace = append(p.trace, describeMessage(head[0], body, p.codes))
		// After the last query comes its ReadyForQuery.
		if seen = seen || last(head[0], string(body)); seen && (head[0] != 'D' || !strings.HasSuffix(string(body), "the end")) {
			return nil
		}
	}
}

// prove answers a request of SCRAM, if the message is one.
func (p *player) prove(typ byte, body []byte) (is bool, err error) {
	if typ != 'R' || p.password == "" || len(body) < 4 {
		return false, nil
	}
	var answer []byte
	switch data := string(body[4:]); binary.BigEndian.Uint32(body) {
	case 10:
		p.login = &scram.Client{}
		_, first := p.login.First()
		answer = binary.BigEndian.AppendUint32([]byte(scram.Mechanism+"\x00"), uint32(len(first)))
		answer = append(answer, first...)
	case 11:
		if err := p.login.Challenge(data); err != nil {
			return true, err
		}
		salt, iterations := p.login.Salt()
		client, server, err := pgtest.SCRAMKeys(p.password, salt, iterations)
		if err != nil {
			return true, err
		}
		p.serverKey = server
		answer = []byte(p.login.Final(client))
	case 12:
		return true, p.login.Verify(data, p.serverKey)
	default:
		return false, nil
	}
	p.sending.Wait()
	_, _ = p.conn.Write(message(nil, 'p', answer))
	return true, nil
}

// answersOf keeps what servers themselves answer to sequences: that is the same whatever route and pieces askpg is tried with.
type answersOf map[string]string

func (a answersOf) get(s *site, l route, seq sequence, play func() string) string {
	key := fmt.Sprint(s.cluster.Primary.Address(), " ", l.client, " ", seq.name)
	if _, known := a[key]; !known {
		a[key] = play()
	}
	return a[key]
}

// describeMessage is a message as a line: its bytes, without what differs from
// session to session.
func describeMessage(typ byte, body []byte, codes bool) string {
	switch typ {
	case 'K':
		return fmt.Sprintf("K, %d bytes", len(body))
	case 'A':
		return fmt.Sprintf("A %q", body[4:])
	case 'T':
		// A temporary table's OID is the session's.
		b := append([]byte(nil), body...)
		for at := 2; at < len(b); at += 18 {
			for b[at] != 0 {
				at++
			}
			at++
			if binary.BigEndian.Uint32(b[at:]) >= 16384 {
				copy(b[at:], "\x00\x00@\x00")
			}
		}
		return fmt.Sprintf("T %q", b)
	case 'E':
		if !codes {
			break
		}
		line := "E"
		for field := range strings.SplitSeq(string(body), "\x00") {
			if field != "" && strings.ContainsRune("SVC", rune(field[0])) {
				line += " " + field
			}
		}
		return line
	}
	return fmt.Sprintf("%c %q", typ, temporary.ReplaceAll(body, []byte("pg_temp")))
}

// temporary is the name of a session's schema of temporary objects.
var temporary = regexp.MustCompile(`pg_temp_[0-9]+`)

func message(b []byte, typ byte, body []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, typ), uint32(4+len(body)))
	return append(b, body...)
}

// Sequences get the server's own answers from askpg: on every way through it,
// in one piece, and through connections that take and give a few bytes at a time.
func TestSequences(t *testing.T) {
	t.Parallel()
	sequences := readSequences(t)
	s := newSite(t)
	play := func(t *testing.T, l route, addr string, seq sequence, other *pgx.Conn) string {
		t.Helper()
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		p := &player{conn: l.secure(t, conn), database: sampleDB(t), elsewhere: func(sql string) error {
			_, err := other.Exec(within(t), sql)
			return err
		}}
		defer p.sending.Wait()
		defer conn.Close()
		trace, err := p.play(seq)
		if err != nil {
			t.Fatalf("%v, after\n%s", err, trace)
		}
		return trace
	}
	direct := answersOf{}
	for _, l := range routes {
		server := s
		if !l.client && !l.server {
			server = &site{cluster: pgtest.Shared(t)} // it has no TLS
		}
		for _, max := range []int{0, 1, 7, 5000} {
			name := l.name
			if max > 0 {
				name += fmt.Sprintf(", at most %d bytes", max)
			}
			t.Run(name, func(t *testing.T) {
				b := l.start(t, server, nil)
				if max > 0 {
					b.chop(t, server, max)
				}
				other, err := pgx.Connect(within(t), server.cluster.Primary.URL(pgtest.Superuser, sampleDB(t)))
				if err != nil {
					t.Fatal(err)
				}
				defer other.Close(within(t))
				for _, seq := range sequences {
					if seq.plain && (l.client || l.server) || seq.encrypted && !(l.client && l.server) {
						continue
					}
					if max > 0 && seq.large != (max > 1000) {
						continue
					}
					t.Run(seq.name, func(t *testing.T) {
						want := direct.get(server, l, seq, func() string {
							return play(t, l, server.cluster.Primary.Address(), seq, other)
						})
						if got := play(t, b.route, b.addr, seq, other); got != want {
							t.Errorf("got\n%s\nwant\n%s", got, want)
						}
					})
				}
			})
		}
	}
}
