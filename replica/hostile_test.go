package replica_test

import (
	_ "embed"
	"os"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
)

//go:embed testdata/hostile.txt
var hostileText string

//go:embed testdata/hostile.sql
var hostileScript string

type hostile struct{ class, sql string }

func hostiles(t testing.TB) []hostile {
	t.Helper()
	var list []hostile
	for line := range strings.SplitSeq(hostileText, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		class, sql, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("hostile.txt: %q has no tab", line)
		}
		list = append(list, hostile{class, strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\\`, `\`).Replace(sql)})
	}
	return list
}

// loud is a service login about whose messages the server's log is not quiet,
// so that the guard judges by name.
const loud = `
do $$ begin create role askpg_loud login noinherit; exception when duplicate_object then null; end $$;
grant analyst, support to askpg_loud;
alter role askpg_loud set temp_file_limit = '64MB';
`

// TestHostile has every statement of the corpus but the resource bombs stopped
// before it is planned, on a standby and on a primary, judged exactly and by
// name.
func TestHostile(t *testing.T) {
	db := pgtest.NewDatabase(t, script+loud+hostileScript)
	c := pgtest.Shared(t)
	for name, server := range map[string]*pgtest.Server{"standby": c.Standby, "primary": c.Primary} {
		for _, login := range []string{"askpg", "askpg_loud"} {
			t.Run(name+" "+login, func(t *testing.T) {
				cfg := config(t, server)
				cfg.URL = server.URL(login, "postgres")
				cfg.AllowPrimary = name == "primary"
				cfg.StatementTimeout = ask.Duration(5 * time.Second)
				r := start(t, cfg)
				snap := begin(t, r, session(db, "analyst"))
				codes := map[string]int{}
				for _, h := range hostiles(t) {
					if h.class == "bomb" {
						continue
					}
					_, err := snap.Check(deadline(t), h.sql)
					code := ask.CodeOf(err)
					codes[code]++
					switch code {
					case "ASK05", "42601", "42501":
					case "42883", "42703", "42804", "0A000":
						// What looks like an attack to a reader is none to the
						// server: there is no such operator, or a letter is
						// another one than it seems.
						if h.class != "unicode" && h.class != "operator" && h.class != "shadow" {
							t.Errorf("%s: %s\n  got %v", h.class, h.sql, err)
						}
					default:
						t.Errorf("%s: %s\n  got %v", h.class, h.sql, err)
					}
				}
				t.Log(codes)
			})
		}
	}
}

// TestHostile_Bombs has every bomb refused, gated or cut off, and the question
// goes on.
func TestHostile_Bombs(t *testing.T) {
	db := pgtest.NewDatabase(t, script+loud+hostileScript)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.StatementTimeout = ask.Duration(250 * time.Millisecond)
	cfg.CandidateBytes, cfg.CandidateRows = 1<<20, 1000
	r := start(t, cfg)
	snap := begin(t, r, session(db, "analyst"))
	fates := map[string]int{}
	for _, h := range hostiles(t) {
		if h.class != "bomb" {
			continue
		}
		began := time.Now()
		fate := "ran to its end"
		_, err := snap.Check(deadline(t), h.sql)
		if err == nil {
			var res *ask.Result
			if res, err = snap.Run(deadline(t), h.sql); err == nil && !res.Complete {
				fate = "cut off by a cap"
			}
		}
		if err != nil {
			fate = ask.CodeOf(err)
		}
		fates[fate]++
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s took %s", h.sql, took)
		}
		if os.Getenv("ASKPG_SHOW") != "" {
			t.Logf("%-16s %7s %s", fate, time.Since(began).Round(time.Millisecond), h.sql)
		}
	}
	t.Log(fates)
	if res, err := snap.Run(deadline(t), "select count(*) from customers"); err != nil || show(res.Rows) != "100" {
		t.Fatalf("after the bombs: %v, %v", res, err)
	}
}
