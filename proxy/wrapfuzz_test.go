package proxy_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
)

// wrapTexts is how many texts TestWrapFuzz makes unless ASKPG_FUZZ_TEXTS says otherwise.
const wrapTexts = 200

// What programs put around, before and behind a text, and what they bind. %s is the text.
var (
	wrapForms = []string{
		"-- ask: %s", "--ask: %s", "-- ask(strategy=grammar): %s", "/* ask: %s */", "/*\n * ask: %s\n */", "ASK '%s'", "ASK $$%s$$", "ASK %s",
	}
	wrapAround = []string{
		"%s", "%s", "%s;", "SELECT * FROM (%s) t", "SELECT * FROM (\n%s\n) AS virtual_table", "select count from (%s\n) \"t\"", "WITH q AS (%s\n) SELECT * FROM q",
		"WITH q AS (%s) SELECT * FROM q", "select %s", "SELECT %s\n", "select * from %s\n", "EXPLAIN %s", "COPY (%s\n) TO STDOUT", "COPY (%s) TO STDOUT",
		"create temporary table made as %s", "create temporary table made as (\n%s\n)", "declare c cursor for %s", "declare c cursor with hold for %s;fetch 5 in c",
		"select count from (select %s\n) s", "select (%s\n) as count", "select (%s) as count", "%s\nunion all select 1 where false", "values ((%s\n))",
		"select %s\nfrom customers ", "select %s\ninto temporary table made", "select x.count from lateral (%s\n) x", "(%s\n) union all (select 1 where false)",
	}
	wrapPages = []string{
		"", "", "", "\nLIMIT 5", "\nORDER BY 1", "\nOFFSET 0", "\nFETCH FIRST 5 ROWS ONLY", "\nWHERE 1=0", " LIMIT 5 OFFSET 0", ") x LIMIT 5", "\n) AS y", ";\nselect 1 where false",
	}
	wrapBefore = []string{
		"", "", "", "/* Username: ann, query_id: 7 */ ", "-- Metabase:: userID: 7 queryHash: ab\n", "/*application:Shop*/", "\ufeff", "\n\n", "-- a word\n",
		"SET work_mem = '1MB'; ", "BEGIN;", "begin; savepoint s;", ";", "select 1 where false; ", "SET search_path = 'public'; RESET search_path;",
	}
	wrapBehind = []string{
		"", "", "", " ", ";", "\n-- {\"user\":\"@ann\"}", "\n-- Sigma Σ {\"id\":\"1\"}", "\n-- Looker Query Context '{\"user_id\":1}'", " /*application:Shop,action:index*/",
		" /*traceparent='00-1',route='/x'*/", "\n/* Hex */", " -- {\"user\": 1}", "\n-- application='x'", "\n-- status='x'", "; COMMIT", ";\nselect 1 where false", "$1", "$1;", "?",
	}
)

// besideSQL are texts that are SQL beside a question: a parameter where a statement has an expression, and a statement
// below comments, the last of which has the semicolon in it.
var besideSQL = regexp.MustCompile(`(?i)(\*/|ask(\([^)]*\))?:[^\n]*\n)[^a-z0-9]*\$1|--[^\n]*;\s*\nselect 1`)

// serversOwn are SQLSTATEs of errors in which the server itself says what is wrong with the SQL around a question.
var serversOwn = map[string]bool{"42601": true, "25P01": true, "3B001": true, "08P01": true, "42704": true, "42703": true, "42P02": true, "34000": true}

// TestWrapFuzz wraps, pages, decorates and binds a question whose answer is known, as no program may do in this order.
// The translator never gets another question than that one. Its rows are those of the plain form, or there is an error
// that says what to do.
func TestWrapFuzz(t *testing.T) {
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	count, seed := number("ASKPG_FUZZ_TEXTS", wrapTexts), number("ASKPG_FUZZ_SEED", 1)
	b := start(t, nil)
	database := sampleDB(t)
	random := rand.New(rand.NewPCG(uint64(seed), 7))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	const question = "how many customers"
	answered, refused, empty := 0, map[string]int{}, 0
	var f *frontend
	for i := range count {
		if i%100 == 0 {
			f = dial(t, b.addr, database)
		}
		_ = f.conn.SetDeadline(time.Now().Add(2 * time.Minute)) // of each text, on a machine that does other things
		asked := question
		form := fmt.Sprintf(pick(wrapForms), asked)
		before, around, page, behind := pick(wrapBefore), pick(wrapAround), pick(wrapPages), pick(wrapBehind)
		text := before + fmt.Sprintf(around, form) + page + behind
		if random.IntN(3) == 0 {
			text = before + fmt.Sprintf(around, form+behind) + page
		}
		if strings.HasPrefix(form, "--") && strings.Contains(text, "\nselect 1") || besideSQL.MatchString(text) {
			continue
		}
		extended := random.IntN(2) == 0
		earlier := len(b.fake.asked())
		if extended {
			m := &pgproto3.Bind{}
			if random.IntN(4) == 0 {
				m.Parameters = [][]byte{[]byte("5")}
			}
			f.send(parse("", text), m, describe('P', ""), execute("", 0), sync_)
		} else {
			f.send(query(text))
		}
		got, code, hint, message := []string{}, "", "", ""
		for done := false; !done; {
			switch m := f.receive().(type) {
			case *pgproto3.DataRow:
				got = append(got, string(m.Values[0]))
			case *pgproto3.CopyData:
				got = append(got, strings.TrimSpace(string(m.Data)))
			case *pgproto3.ErrorResponse:
				code, hint, message = m.Code, m.Hint, m.Message
			case *pgproto3.ReadyForQuery:
				done = true
			}
		}
		about := fmt.Sprintf("seed %d, text %d, extended %v:\n%s\n", seed, i, extended, text)
		for _, q := range b.fake.asked()[earlier:] {
			if strings.TrimSuffix(q.Text, "?") != question {
				t.Errorf("%sthe question became %q", about, q.Text)
			}
		}
		wantsNone := strings.Contains(page, "1=0")
		switch {
		case code == "" && slices.Equal(got, []string{"100"}):
			answered++
		case code == "" && len(got) == 0 && (wantsNone || strings.Contains(around, "made as") || strings.HasPrefix(around, "declare")):
			empty++
		case code == "" && strings.HasPrefix(around, "EXPLAIN") && len(got) > 0 && strings.Contains(strings.Join(got, " "), "cost="):
			answered++
		case code != "" && (hint != "" || serversOwn[code] || strings.HasPrefix(message, "not understood")):
			refused[code+" "+message]++
		default:
			t.Errorf("%sgot %q, error %s %s, hint %q", about, got, code, message, hint)
		}
		f.talk("rollback")
		f.talk("drop table if exists made", "close all", "reset work_mem")
	}
	t.Logf("seed %d: %d answered, %d without rows, %d kinds of errors", seed, answered, empty, len(refused))
	for what, n := range refused {
		t.Logf("%d× %s", n, what)
	}
	if answered < count/10 {
		t.Errorf("%d of %d were answered", answered, count)
	}
}
