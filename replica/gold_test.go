package replica_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"askpg/internal/pgtest"
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
			if _, err := os.Stat(filepath.Join(set, "databases")); os.IsNotExist(err) {
				t.Skip("the set has no databases of its own")
			}
			passed := 0
			for name, list := range gold {
				c := pgtest.Shared(t)
				db := pgtest.NewDatabase(t, roles+loud)
				load := exec.Command(c.Primary.Program("psql"), "-q", "-v", "ON_ERROR_STOP=1", "-d", c.Primary.URL(pgtest.Superuser, db), "-f", filepath.Join(set, "databases", name+".sql"))
				if out, err := load.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", name, err, out)
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
