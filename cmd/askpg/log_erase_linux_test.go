package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"askpg/store"
)

// TestLog_EraseAsks asks a person at a terminal before anything is erased.
func TestLog_EraseAsks(t *testing.T) {
	for answer, want := range map[string]error{"yes": nil, "y": errNotConfirmed, "": errNotConfirmed} {
		master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			t.Skip(err)
		}
		defer master.Close()
		if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
			t.Fatal(err)
		}
		n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
		if err != nil {
			t.Fatal(err)
		}
		terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer terminal.Close()
		if _, err := master.WriteString(answer + "\n"); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		f := &logFlags{erasure: store.Erasure{Before: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}}
		if err := confirmErasure(streams{terminal, io.Discard, &said}, f, 683); !errors.Is(err, want) || !strings.Contains(said.String(), "683 translations of everybody, asked before 2026-01-31") {
			t.Errorf("%q: %v, %s", answer, err, said.String())
		}
	}
}
