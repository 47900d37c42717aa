package proxy_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
)

// Replication connections pass: pg_basebackup with its second connection for
// the log, a logical slot that is read while rows come in.
func TestReplication(t *testing.T) {
	b := start(t, nil)
	database := pgtest.NewDatabase(t, "create table t (i int primary key)")
	host, port, _ := strings.Cut(b.addr, ":")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	t.Run("physical", func(t *testing.T) {
		if _, err := os.Stat(filepath.Join(os.Getenv("ASKPG_PG_BIN"), "pg_basebackup")); os.Getenv("ASKPG_PG_BIN") != "" && err != nil {
			t.Skip("this build of the server has no pg_basebackup, and that of another version does not fit")
		}
		dir := filepath.Join(t.TempDir(), "copy")
		out, err := exec.CommandContext(ctx, b.cluster.Primary.Program("pg_basebackup"), "-h", host, "-p", port, "-U", pgtest.Superuser,
			"-D", dir, "-X", "stream", "-c", "fast", "--no-sync").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if out, err := exec.CommandContext(ctx, b.cluster.Primary.Program("pg_verifybackup"), dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
	t.Run("logical", func(t *testing.T) {
		recv := func(args ...string) *exec.Cmd {
			return exec.CommandContext(ctx, b.cluster.Primary.Program("pg_recvlogical"),
				append([]string{"-h", host, "-p", port, "-U", pgtest.Superuser, "-d", database, "-S", "askpg_test"}, args...)...)
		}
		if out, err := recv("--create-slot", "-P", "test_decoding").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		path := filepath.Join(t.TempDir(), "changes")
		cmd := recv("--start", "-f", path, "-F", "0", "-s", "1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		conn, err := pgx.Connect(ctx, b.url(database))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(ctx)
		if _, err := conn.Exec(ctx, "insert into t select generate_series(1, 1000)"); err != nil {
			t.Fatal(err)
		}
		for {
			changes, _ := os.ReadFile(path)
			if strings.Count(string(changes), "INSERT: i[integer]:") == 1000 && strings.Contains(string(changes), "COMMIT") {
				break
			}
			if ctx.Err() != nil {
				t.Fatalf("%d bytes of changes came", len(changes))
			}
			time.Sleep(10 * time.Millisecond)
		}
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		var dropped bool
		for !dropped {
			_, err := conn.Exec(ctx, "select pg_drop_replication_slot('askpg_test')")
			dropped = err == nil || ctx.Err() != nil
		}
	})
}
