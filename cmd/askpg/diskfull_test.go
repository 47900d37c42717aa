package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"askpg/internal/shop"
)

// fileLimitVariable holds how many bytes a file of a process may have that the
// tests start.
const fileLimitVariable = "ASKPG_TEST_FILE_LIMIT"

func limitFiles(bytes string) {
	if bytes == "" {
		return
	}
	n, err := strconv.ParseUint(bytes, 10, 64)
	if err == nil {
		err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
	}
	if err != nil {
		panic(err)
	}
}

// smallDisk is a folder where a log can't grow beyond 3 MB.
type smallDisk struct {
	dir         string
	environment []string // of the process whose log it is
	full        func(t *testing.T) bool
	grow        func(t *testing.T)
}

// mountedDisk is a file system of its own (ENOSPC); ok is false where the test
// may not mount one.
func mountedDisk(t *testing.T) (d smallDisk, ok bool) {
	d.dir = filepath.Join(t.TempDir(), "small")
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", d.dir, "tmpfs", 0, "size=3m"); err != nil {
		return d, false
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.dir, syscall.MNT_DETACH) })
	d.full = func(t *testing.T) bool {
		var fs syscall.Statfs_t
		if err := syscall.Statfs(d.dir, &fs); err != nil {
			t.Fatal(err)
		}
		return fs.Bavail <= 64
	}
	d.grow = func(t *testing.T) {
		if err := syscall.Mount("tmpfs", d.dir, "tmpfs", syscall.MS_REMOUNT, "size=256m"); err != nil {
			t.Fatal(err)
		}
	}
	return d, true
}

// limitedFiles is a limit on the size of each of the process's files (EFBIG). It
// holds for a spill file too.
func limitedFiles(t *testing.T) smallDisk {
	const limit = 1 << 20
	d := smallDisk{dir: t.TempDir(), environment: []string{fileLimitVariable + "=" + strconv.Itoa(limit)}}
	d.full = func(t *testing.T) bool {
		files, err := os.ReadDir(d.dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if info, err := f.Info(); err == nil && info.Size() > limit-64<<10 {
				return true
			}
		}
		return false
	}
	d.grow = func(*testing.T) {} // who reads the log has no limit
	return d
}

// TestServe_KilledWithDiskFull kills askpg amid a thousand questions while the
// disk of its log is full, or its files have grown as far as they may: with
// the spill file on another disk, and with store.required, without one. What
// can't be logged is refused then, and what was answered is in the log.
func TestServe_KilledWithDiskFull(t *testing.T) {
	t.Run("limit of files, required", func(t *testing.T) { killWithDiskFull(t, limitedFiles(t), true) })
	for _, required := range []bool{false, true} {
		t.Run(fmt.Sprintf("file system, required=%v", required), func(t *testing.T) {
			disk, ok := mountedDisk(t)
			if !ok {
				t.Skip("no right to mount a small file system; the limit of files stands for it")
			}
			killWithDiskFull(t, disk, required)
		})
	}
}

func killWithDiskFull(t *testing.T, disk smallDisk, required bool) {
	config, address, admin := writeConfig(t, "")
	changeConfig(t, config, func(text string) string {
		i, j := strings.Index(text, `url = "sqlite:`), strings.Index(text, "\nspill")
		settings := fmt.Sprintf("url = \"sqlite:%s\"\nrequired = %v", filepath.Join(disk.dir, "askpg.db"), required)
		if required {
			settings += "\nwrite_timeout = \"500ms\"" // each question waits for the full disk so long
		}
		return text[:i] + settings + text[j:]
	})
	seen := &answeredLabels{label: map[string]time.Time{}}
	refused := 0
	for round := range kills() {
		p := serveProcess(t, config, address, admin, disk.environment...)
		if round > 0 && required {
			// The disk is full from the start; one question tells as much
			// as a thousand that wait for it.
			label := fmt.Sprintf("%s %d", first, round)
			n, _ := askPipelined(testContext(t), p.url(shop.Analyst), []string{label}, seen)
			refused += n
			seen.kill(t, p)
			continue
		}
		refused += askThousand(t, p.url(shop.Analyst), round, seen, func() {
			time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
			seen.kill(t, p)
		})
	}
	if !disk.full(t) {
		t.Error("the disk did not fill up")
	}
	t.Logf("%d questions were refused", refused)
	disk.grow(t)
	onceEach(t, config, seen, required)
}
