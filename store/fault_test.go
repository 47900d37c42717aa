package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/store"
)

// childVariable holds a store's URL in the environment of a process that the
// tests start to be killed: it appends and prints the id of each entry whose
// Append has returned.
const childVariable = "ASKPG_STORE_TEST_CHILD"

func TestAppendingChild(t *testing.T) {
	url := os.Getenv(childVariable)
	if url == "" {
		t.Skip("it is what the child processes of other tests run")
	}
	cfg := store.DefaultConfig()
	cfg.URL, cfg.Spill = url, os.Getenv(childVariable+"_SPILL")
	s, err := store.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out sync.Mutex
	for range 32 {
		go func() {
			for {
				e := entry("killed")
				if err := s.Append(context.Background(), e); err != nil {
					continue
				}
				out.Lock()
				fmt.Fprintln(os.Stdout, "durable", e.Question.ID)
				out.Unlock()
			}
		}()
	}
	select {}
}

// appendUntilKilled runs a child until it has appended at least n entries,
// kills it, and returns the ids that it called durable.
func appendUntilKilled(t *testing.T, cfg store.Config, n int) []string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestAppendingChild$", "-test.timeout=60s")
	cmd.Env = append(os.Environ(), childVariable+"="+cfg.URL, childVariable+"_SPILL="+cfg.Spill)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var ids []string
	lines := bufio.NewReader(stdout)
	for killed := false; ; {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "durable "); ok && err == nil {
			ids = append(ids, id)
		}
		if len(ids) >= n && !killed {
			killed = true
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if len(ids) < n {
		t.Fatalf("the child ended after %d entries", len(ids))
	}
	return ids
}

func TestStore_KilledLosesNothing(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		var ids []string
		for round := range 5 {
			ids = append(ids, appendUntilKilled(t, cfg, 50+40*round)...)
		}
		s := open(t, cfg)
		all := map[string]int{}
		for f := (store.Filter{Limit: 1000}); ; {
			page, err := s.List(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range page.Records {
				all[r.ID]++
			}
			if page.Next == "" {
				break
			}
			f.Before = page.Next
		}
		for _, id := range ids {
			if all[id] != 1 {
				t.Fatalf("%s was durable and is there %d times", id, all[id])
			}
			if r := get(t, s, id); len(r.Candidates) != 3 {
				t.Fatalf("%s has lost candidates", id)
			}
		}
	})
}

// eventually waits for what the writer does on its own.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

func TestStore_SpillWhileAway(t *testing.T) {
	cluster := pgtest.NewCluster(t, pgtest.Options{NoStandby: true})
	cfg := sqliteConfig(t)
	cfg.URL = cluster.Primary.URL(pgtest.Superuser, "postgres")
	cfg.WriteTimeout = ask.Duration(2 * time.Second)
	s := open(t, cfg)
	var mu sync.Mutex
	var ids []string
	appendSome := func(text string, n int) {
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {
				e := entry(text)
				if err := s.Append(context.Background(), e); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				ids = append(ids, e.Question.ID)
			})
		}
		wg.Wait()
	}
	appendSome("before", 20)
	if err := cluster.Primary.Stop(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	appendSome("while away", 50)
	if info, err := os.Stat(cfg.Spill); err != nil || info.Size() == 0 {
		t.Fatal("nothing was spilled", err)
	}
	// A restart of askpg meanwhile changes nothing.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, cfg)
	appendSome("still away", 10)
	if err := cluster.Primary.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	appendSome("back", 5)
	eventually(t, "the spill file is taken over", func() bool {
		page, err := s.List(context.Background(), store.Filter{Limit: 1000})
		return err == nil && len(page.Records) == len(ids)
	})
	for _, id := range ids {
		if r := get(t, s, id); len(r.Candidates) != 3 {
			t.Fatal("candidates are lost on the way")
		}
	}
	eventually(t, "the spill file is empty", func() bool {
		info, err := os.Stat(cfg.Spill)
		_, taking := os.Stat(cfg.Spill + ".taking")
		return err == nil && info.Size() == 0 && os.IsNotExist(taking)
	})
}

func TestStore_RequiredRefuses(t *testing.T) {
	cfg := sqliteConfig(t)
	cfg.Required = true
	cfg.WriteTimeout = ask.Duration(100 * time.Millisecond)
	s := open(t, cfg)
	lock := lockFile(t, cfg)
	tr := store.Logged(ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
		made := translated(q.ID)
		made.Source = ask.Source(q.Text)
		return made, nil
	}), s)
	for _, source := range []ask.Source{ask.SourceModel, ask.SourceCache} {
		_, err := tr.Translate(context.Background(), asked(string(source)))
		if ask.CodeOf(err) != ask.CodeObjectNotReady {
			t.Fatalf("an answer went out that is not in the log: %v", err)
		}
	}
	lock()
	if _, err := tr.Translate(context.Background(), asked("q")); err != nil {
		t.Fatal(err)
	}
}

func TestStore_LockedFileSpills(t *testing.T) {
	t.Parallel() // it mostly waits
	cfg := sqliteConfig(t)
	cfg.WriteTimeout = ask.Duration(100 * time.Millisecond)
	s := open(t, cfg)
	release := lockFile(t, cfg)
	tr := store.Logged(ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) { return translated(q.ID), nil }), s)
	q := asked("q")
	if _, err := tr.Translate(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	release()
	eventually(t, "the entry is taken over", func() bool {
		_, err := s.Get(context.Background(), q.ID)
		return err == nil
	})
}

// What could not be taken over is taken over later, all of it.
func TestStore_SpillIsTriedAgain(t *testing.T) {
	t.Parallel() // it mostly waits
	cfg := sqliteConfig(t)
	cfg.WriteTimeout = ask.Duration(50 * time.Millisecond)
	s := open(t, cfg)
	release := lockFile(t, cfg)
	var ids []string
	for range 3 {
		ids = append(ids, add(t, s, entry("q")))
	}
	eventually(t, "taking over has begun", func() bool {
		_, err := os.Stat(cfg.Spill + ".taking")
		return err == nil
	})
	time.Sleep(20 * cfg.WriteTimeout.Duration()) // and fails, some times
	release()
	for _, id := range ids {
		eventually(t, "the entry is taken over", func() bool {
			_, err := s.Get(context.Background(), id)
			return err == nil
		})
	}
}

// lockFile holds the write lock of a SQLite store as another process would.
func lockFile(t *testing.T, cfg store.Config) (release func()) {
	t.Helper()
	other := openSQL(t, strings.TrimPrefix(cfg.URL, "sqlite:"))
	if _, err := other.Exec("begin immediate"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := other.Exec("rollback"); err != nil {
			t.Fatal(err)
		}
	}
}

// A line that a crash cut off was never acknowledged; the next one must not
// be glued to it.
func TestStore_TornSpill(t *testing.T) {
	t.Parallel() // it mostly waits
	cfg := sqliteConfig(t)
	good := `{"id":"` + ask.NewID() + `","question":"spilled","asked":"2026-01-02T03:04:05Z"}` + "\n"
	if err := os.WriteFile(cfg.Spill, []byte(good+"{\"id\":\"torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cfg.Spill+".taking", []byte(`{"id":"`+ask.NewID()+`","question":"earlier","asked":"2026-01-02T03:04:05Z"}`+"\nnonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, cfg)
	eventually(t, "whole lines are taken over", func() bool { return len(list(t, s, store.Filter{})) == 2 })
	eventually(t, "the bad line is put aside", func() bool {
		b, err := os.ReadFile(cfg.Spill + ".bad")
		return err == nil && string(b) == "nonsense\n"
	})
}

// What is spilled after a crash stands on a line of its own.
func TestStore_TornSpillGoesOn(t *testing.T) {
	t.Parallel() // it mostly waits
	cfg := sqliteConfig(t)
	cfg.WriteTimeout = ask.Duration(100 * time.Millisecond)
	if err := os.WriteFile(cfg.Spill, []byte("{\"id\":\"torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, cfg)
	release := lockFile(t, cfg)
	e := entry("q")
	if err := s.Append(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	release()
	eventually(t, "the entry is taken over", func() bool {
		_, err := s.Get(context.Background(), e.Question.ID)
		return err == nil
	})
}

func TestStore_SpillIsNotShared(t *testing.T) {
	cfg := sqliteConfig(t)
	open(t, cfg)
	if _, err := store.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), nil); err == nil || !strings.Contains(err.Error(), "store.spill") {
		t.Fatal(err)
	}
}

func TestStore_SpillIsBounded(t *testing.T) {
	cfg := sqliteConfig(t)
	cfg.WriteTimeout, cfg.MaxSpillBytes = ask.Duration(50*time.Millisecond), 10_000
	s := open(t, cfg)
	lockFile(t, cfg)
	var err error
	for range 20 {
		if err = s.Append(context.Background(), entry("q")); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "max_spill_bytes") {
		t.Fatal(err)
	}
}

// A disk that is full, be it a file system of 8 MB, where the tests may mount
// one, or a limit of 8 MB for each file.
func TestStore_FullDisk(t *testing.T) {
	t.Run("file system", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "small")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
			t.Skip("no right to mount a small file system, the limit of files stands for it: ", err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
		fillDisk(t, dir, func() error { return syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=128m") })
	})
	t.Run("limit of files", func(t *testing.T) {
		grow := limitFiles(t, 8<<20)
		fillDisk(t, t.TempDir(), grow)
	})
}

// limitFiles bounds the bytes of each file that this process writes until the test ends.
func limitFiles(t *testing.T, bytes uint64) (grow func() error) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	grow = func() error { return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit) }
	t.Cleanup(func() {
		if err := grow(); err != nil {
			t.Error(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	})
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	return grow
}

// fillDisk writes at most 12 MB into a folder that takes 8 MB until it is grown.
func fillDisk(t *testing.T, dir string, grow func() error) {
	t.Helper()
	cfg := sqliteConfig(t)
	cfg.URL = "sqlite:" + filepath.Join(dir, "log.db")
	s := open(t, cfg)
	var ids []string
	for s.Spilled() < 1<<20 {
		if len(ids) == 60 {
			t.Fatal("12 MB went into 8 MB and less than 1 MB was spilled")
		}
		e := entry("big " + strings.Repeat("word ", 40_000))
		ids = append(ids, add(t, s, e))
	}
	if err := grow(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the spill file is taken over", func() bool {
		for _, id := range ids {
			if _, err := s.Get(context.Background(), id); err != nil {
				return false
			}
		}
		return true
	})
}
