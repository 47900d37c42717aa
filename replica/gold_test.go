package replica_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// TestGold has every gold query of the question sets in ASKPG_BENCH pass the
// guard and run: the walls refuse nothing that people ask for.
func TestGold(t *testing.T) {
	dir := os.Getenv("ASKPG_BENCH")
	if dir == "" {
		t.Skip("ASKPG_BENCH names no question sets")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "questions.jsonl"))
	if len(files) == 0 {
		t.Fatalf("no question sets in %s", dir)
	}
	for _, file := range files {
		set := filepath.Dir(file)
		t.Run(filepath.Base(set), func(t *testing.T) {
			gold := map[string][]string{}
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			lines := bufio.NewScanner(f)
			lines.Buffer(nil, 1<<22)
			for lines.Scan() {
				var q struct {
					DB   string
					Gold []string
				}
				if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
					t.Fatal(err)
				}
				gold[q.DB] = append(gold[q.DB], q.Gold...)
			}
			passed := 0
			for name, list := range gold {
				c := pgtest.Shared(t)
				db := pgtest.NewDatabase(t, roles+loud)
				if file := filepath.Join(set, "databases", name+".sql"); exists(file) {
					psql(t, c.Primary, db, file)
				} else if err := shop.Load(deadline(t), connect(t, c.Primary.URL(pgtest.Superuser, db))); err != nil {
					t.Fatal(err) // sets without databases ask about the demo's
				}
				pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), `do $$ declare s text; begin for s in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
					loop execute format('grant usage on schema %I to analyst', s); execute format('grant select on all tables in schema %I to analyst', s); end loop; end $$; analyze`)
				pgtest.CatchUp(t)
				for _, login := range []string{"askpg", "askpg_loud"} {
					cfg := config(t, c.Standby)
					cfg.URL = c.Standby.URL(login, "postgres")
					r := start(t, cfg)
					snap := begin(t, r, session(db, "analyst"))
					for _, sql := range list {
						if _, err := snap.Check(deadline(t), sql); err != nil {
							t.Errorf("%s, %s: %s\n  %v", name, login, sql, err)
						} else if _, err := snap.Run(deadline(t), sql); err != nil {
							t.Errorf("%s, %s: %s\n  %v", name, login, sql, err)
						} else {
							passed++
						}
					}
					snap.Close()
					r.Close()
				}
			}
			t.Logf("%d gold queries passed and ran, judged exactly and by name", passed)
		})
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// psql runs a file as the superuser.
func psql(t *testing.T, server *pgtest.Server, db, file string) {
	t.Helper()
	cmd := exec.Command(server.Program("psql"), "-q", "-v", "ON_ERROR_STOP=1", "-d", server.URL(pgtest.Superuser, db), "-f", file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
}
