package proxy_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// SHOW askpg.last has the error of the last question, whatever kept its rows from the client.
func TestShowLast_Failed(t *testing.T) {
	b := start(t, nil)
	for _, tt := range []struct {
		name, setup, text, want string
	}{
		{"not understood", "", "-- ask: nonsense", `"nonsense" NULL "0" NULL NULL "0" "0" "0" "0" "0" NULL NULL "ASK01" "not understood`},
		{"refused", "", "-- ask: error: 42501", `"42501" "it failed"`},
		{"not sure", "", "-- ask: error: ASK02", `"ASK02" "it failed: the detail"`},
		{"cancelled", "set statement_timeout = '50ms'", "-- ask: wait", `"57014" "canceling statement due to statement timeout"`},
		{"around ask()", "", "select * from nosuch, ask('how many customers') as r", `"SELECT count(*) FROM customers" "0.75" "grammar" "fake" "2" "0" "0" "0" "0" "standby" "300" "42P01" "relation`},
		{"the second of two", "", "ASK 'how many customers'; ASK 'run: select 1/0'; ASK 'how many customers'", `"run: select 1/0" "select 1/0" "0.75" "grammar" "fake" "2" "0" "0" "0" "0" "standby" "300" "22012" "division by zero"`},
		{"rows", "", "-- ask: run: select 1/(5-i) from generate_series(1,9) i", `"22012" "division by zero"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, extended := range []bool{false, true} {
				f := dial(t, b.addr, sampleDB(t))
				f.talk("-- ask: how many customers", tt.setup)
				switch {
				case !extended:
					f.send(query(tt.text))
				case strings.Contains(tt.text, ";"):
					continue
				default:
					f.send(parse("", tt.text), bind("", ""), &pgproto3.Describe{ObjectType: 'P'}, execute("", 0), sync_)
				}
				if got := f.trace(1); !strings.Contains(got, "E ERROR") {
					t.Fatalf("extended %v: %s", extended, got)
				}
				if got := f.talk("show askpg.last"); !strings.Contains(got, tt.want) || strings.Count(got, "\nD ") != 1 {
					t.Errorf("extended %v: got %s\nwant %s", extended, got, tt.want)
				}
			}
		})
	}
	// What failed has its SQL, and the next answer takes its place.
	f := dial(t, b.addr, sampleDB(t))
	f.talk("ASK 'run: select 1/0'")
	if got := f.talk("ASK(sql)"); !strings.Contains(got, `D "select 1/0"`) {
		t.Error(got)
	}
	if got := f.talk("ASK 'how many customers'", "select 1/0", "show askpg.last"); !strings.Contains(got, `"300" NULL NULL`) {
		t.Error(got)
	}
}

// A person with the name of a former one does not see that one's questions, nor does anybody an old one.
func TestShowLast_AnotherPerson(t *testing.T) {
	const admin = "drop role if exists last_login, last_role; create role last_login login password 'secret'; create role last_role; grant last_role to last_login"
	b := start(t, nil)
	database := sampleDB(t)
	url := b.cluster.Primary.URL(pgtest.Superuser, database)
	pgtest.Exec(t, url, admin)
	t.Cleanup(func() { pgtest.Exec(t, url, "drop role last_login, last_role") })
	login := func() *frontend {
		pgtest.CatchUp(t)
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		return loginWith(t, conn, map[string]string{"user": "last_login", "database": database, "application_name": "dashboard"})
	}
	ask := func() {
		t.Helper()
		login().talk("-- ask: run: select 'secret of Mr X'")
		login().talk("set role last_role", "-- ask: run: select 'secret of Mr X'")
		if got := login().talk("show askpg.last"); !strings.Contains(got, "Mr X") {
			t.Error(got)
		}
		if got := login().talk("set role last_role", "show askpg.last"); !strings.Contains(got, "Mr X") {
			t.Error(got)
		}
	}
	unseen := func() {
		t.Helper()
		if got := login().talk("show askpg.last"); strings.Contains(got, "Mr X") {
			t.Error(got)
		}
		if got := login().talk("set role last_role", "show askpg.last"); strings.Contains(got, "Mr X") || strings.Contains(got, "\nE ") {
			t.Error(got)
		}
	}
	ask()
	pgtest.Exec(t, url, "drop role last_login; create role last_login login password 'secret'; grant last_role to last_login")
	unseen()
	ask()
	pgtest.Exec(t, url, "drop role last_role; create role last_role; grant last_role to last_login")
	if got := login().talk("set role last_role", "show askpg.last"); strings.Contains(got, "Mr X") {
		t.Error(got)
	}
	ask()
	b.ForgetLasts(time.Hour)
	unseen()
}

// Where an answer from memory is read is known once it is.
func TestShowLast_Replica(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	if got := f.talk("-- ask: recalled: select 7", "show askpg.last"); !strings.Contains(got, `"standby" "300" NULL NULL`) {
		t.Error(got)
	}
	if got := f.talk("ASK(explain)"); !strings.Contains(got, "Ran on standby, replay lag 300ms") {
		t.Error(got)
	}
}

// What a session keeps of its questions is for the role that has asked, and ends with DISCARD ALL, by which a pooler gives
// the session to somebody else.
func TestConversation(t *testing.T) {
	b := start(t, nil)
	b.Feedback = func(context.Context, string, ask.Question, ask.Feedback) error { return nil }
	const question = "-- ask: run: select 'secret of Mr X'"
	later := []string{"show askpg.last", "ASK(candidates)", "ASK(sql)", "ASK(explain)", "-- ask(run 2)", "-- ask(good)", "-- ask(more): how many customers"}
	for _, setup := range []string{"set role pg_monitor", "set session authorization analyst", "discard all"} {
		for _, text := range later {
			f := dial(t, b.addr, sampleDB(t))
			f.talk(question, setup)
			if got := f.talk(text); strings.Contains(got, "Mr X") || strings.Contains(got, "\nD ") || !strings.Contains(got, "E ERROR 55000 there is no earlier") && text != "show askpg.last" {
				t.Errorf("%s, %s: %s", setup, text, got)
			}
			f.talk("reset session authorization", "reset role", question, "set work_mem = '5MB'")
			if got := f.talk(text); strings.Contains(got, "E ERROR") {
				t.Errorf("the same role, %s: %s", text, got)
			}
		}
	}
	for _, q := range b.fake.asked() {
		if q.Session.Role != "postgres" && len(q.History) > 0 {
			t.Errorf("%s has the history %v", q.Session.Role, q.History)
		}
	}
	// What was prepared is asked anew by the role that binds it. A portal is that role's, as in PostgreSQL.
	for text, want := range map[string]string{
		"-- ask: how many customers":                   "C SELECT 1",
		"show askpg.last":                              "C SHOW",
		"-- ask(candidates): how many customers":       "C SELECT 2",
		"-- ask(annotate=columns): how many customers": "C SELECT 1",
		"select * from ask('how many customers') as r": "C SELECT 1",
	} {
		f := dial(t, b.addr, sampleDB(t))
		f.send(query("begin"), parse("q", text), bind("p", "q"), sync_)
		f.trace(2)
		f.talk("set role pg_read_all_data")
		f.send(execute("p", 0), sync_)
		if got := f.trace(1); !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
		f.talk("rollback", "set role pg_read_all_data")
		f.send(bind("", "q"), execute("", 0), sync_)
		got, asked := f.trace(1), b.fake.asked()
		if strings.Contains(got, "E ERROR") || strings.Contains(text, "how many") && asked[len(asked)-1].Session.Role != "pg_read_all_data" {
			t.Errorf("%s, bound by the role: %s", text, got)
		}
	}
	// What is not asked anew does not tell another role what the one that has prepared it was told.
	f := dial(t, b.addr, sampleDB(t))
	f.talk(question, "begin")
	f.send(parse("q", "ASK(candidates)"), parse("l", "show askpg.last"), bind("l", "l"), sync_)
	f.trace(1)
	f.talk("savepoint s", "set role pg_monitor")
	f.send(bind("", "q"), sync_)
	if got := f.trace(1); !strings.Contains(got, "E ERROR 0A000 cached plan must not change result type") {
		t.Error(got)
	}
	f.talk("-- ask: run: select 'secret of Mr Y'", "rollback to s")
	f.send(execute("l", 0), sync_)
	if got := f.trace(1); strings.Contains(got, "Mr Y") {
		t.Error(got)
	}
}

// What the asker has to know comes beside a refusal, too, but not twice.
func TestNotices_Refused(t *testing.T) {
	f := dial(t, start(t, nil).addr, sampleDB(t))
	for _, notices := range []string{"on", "off"} {
		f.talk("set askpg.notices = " + notices)
		f.send(query("-- ask: noticed: hints are not read"))
		var got []string
		for ended := false; !ended; {
			switch m := f.receive().(type) {
			case *pgproto3.NoticeResponse:
				got = append(got, m.Message)
			case *pgproto3.ErrorResponse:
				got = append(got, m.Message)
			case *pgproto3.ReadyForQuery:
				ended = true
			}
		}
		want := "hints are not read; it failed: the model slept"
		if notices == "off" {
			want = "it failed: the model slept"
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("with notices %s: %q", notices, got)
		}
	}
}
