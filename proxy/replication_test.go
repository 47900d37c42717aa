package proxy_test

import (
	"bytes"
	"context"
	"fmt"
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
// the log, pg_receivewal, whose segments are the server's to the byte, and a
// logical slot that is read while rows come in.
func TestReplication(t *testing.T) {
	b := start(t, nil)
	database := pgtest.NewDatabase(t, "create table t (i int primary key)")
	host, port, _ := strings.Cut(b.addr, ":")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	// Programs that receive physical changes want a server no newer than they are.
	physical := func(t *testing.T, program string) {
		if _, err := os.Stat(filepath.Join(os.Getenv("ASKPG_PG_BIN"), program)); os.Getenv("ASKPG_PG_BIN") != "" && err != nil {
			t.Skipf("this build of the server has no %s, and that of another version does not fit", program)
		}
	}
	t.Run("physical", func(t *testing.T) {
		physical(t, "pg_basebackup")
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
	t.Run("log", func(t *testing.T) {
		physical(t, "pg_receivewal")
		dir := t.TempDir()
		cmd := exec.CommandContext(ctx, b.cluster.Primary.Program("pg_receivewal"), "-h", host, "-p", port, "-U", pgtest.Superuser,
			"-D", dir, "--no-loop", "--no-sync")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = cmd.Process.Signal(os.Interrupt)
			if err := cmd.Wait(); err != nil {
				t.Error("pg_receivewal: ", err)
			}
		}()
		conn, err := pgx.Connect(ctx, b.cluster.Primary.URL(pgtest.Superuser, database))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(ctx)
		waitFor(ctx, t, conn, "select count(*) = 1 from pg_stat_replication where application_name = 'pg_receivewal' and state = 'streaming'")
		var segment string
		if _, err := conn.Exec(ctx, "create table w as select repeat(md5(i::text), 20) from generate_series(1, 10000) i"); err != nil {
			t.Fatal(err)
		}
		if err := conn.QueryRow(ctx, "select pg_walfile_name(pg_switch_wal())").Scan(&segment); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(b.cluster.Primary.Dir, "pg_wal", segment))
		if err != nil {
			t.Fatal(err)
		}
		for ctx.Err() == nil {
			got, err := os.ReadFile(filepath.Join(dir, segment))
			if err == nil && bytes.Equal(got, want) {
				return
			}
			if err == nil {
				t.Fatalf("the segment %s that came is not the server's", segment)
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("the segment %s did not come", segment)
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

// A server whose subscription points at askpg gets what was there and what
// comes, and its commands about the slot pass too.
func TestReplication_Subscription(t *testing.T) {
	b := start(t, nil)
	database := pgtest.NewDatabase(t, `
		create table t (i int primary key, x text);
		insert into t select i, repeat('x', i) from generate_series(1, 1000) i;
		create publication p for table t;`)
	host, port, _ := strings.Cut(b.addr, ":")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	other := pgtest.NewCluster(t, pgtest.Options{NoStandby: true})
	there, err := pgx.Connect(ctx, other.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close(ctx)
	here, err := pgx.Connect(ctx, b.url(database))
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close(ctx)
	run := func(conn *pgx.Conn, sql string) {
		t.Helper()
		if _, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	const content = "select coalesce(md5(string_agg(i || ':' || x, ',' order by i)), '') from t"
	same := func() {
		t.Helper()
		var want string
		if err := here.QueryRow(ctx, content).Scan(&want); err != nil {
			t.Fatal(err)
		}
		waitFor(ctx, t, there, "select ("+content+") = '"+want+"'")
	}
	run(there, "create table t (i int primary key, x text)")
	run(there, fmt.Sprintf("create subscription s connection 'host=%s port=%s user=%s dbname=%s' publication p", host, port, pgtest.Superuser, database))
	same()
	waitFor(ctx, t, there, "select bool_and(srsubstate in ('r', 's')) from pg_subscription_rel")
	run(here, "insert into t select i, repeat('y', 5000) from generate_series(1001, 2000) i")
	run(here, "update t set x = 'changed' where i % 7 = 0; delete from t where i % 11 = 0")
	same()
	if b.Sessions() < 2 {
		t.Fatalf("%d sessions are open: the subscription does not go through the proxy", b.Sessions())
	}
	run(there, "drop subscription s")
	waitFor(ctx, t, here, "select count(*) = 0 from pg_replication_slots where slot_name = 's'")
}

// waitFor asks until the answer is true.
func waitFor(ctx context.Context, t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	for {
		var yes bool
		if err := conn.QueryRow(ctx, sql).Scan(&yes); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if yes {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
