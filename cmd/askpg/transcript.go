package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// transcript is a session of psql to which statements are typed, one after the other.
type transcript struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	end     string // what psql prints after the output of a statement
}

// newTranscript starts psql as a role at the shop. Who calls it closes it.
func newTranscript(ctx context.Context, psql, host, port, role string) (*transcript, error) {
	t := &transcript{command: exec.CommandContext(ctx, psql, "-X", "-h", host, "-p", port, "-U", role, "-d", "shop"), end: rand.Text()}
	t.command.Env = append(os.Environ(), "PAGER=", "PGSSLMODE=disable", "PGGSSENCMODE=disable", "PGOPTIONS=", "LC_ALL=C.UTF-8")
	var err error
	if t.in, err = t.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := t.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.command.Stderr, t.out = t.command.Stdout, bufio.NewReader(out)
	return t, t.command.Start()
}

// run types a statement and returns what psql prints for it, without blanks at the ends of lines.
func (t *transcript) run(statement string) (string, error) {
	if _, err := fmt.Fprintf(t.in, "%s\n\\echo %s\n", statement, t.end); err != nil {
		return "", err
	}
	var b strings.Builder
	for {
		line, err := t.out.ReadString('\n')
		if err != nil {
			return "", fmt.Errorf("psql has ended: %w\n%s%s", err, b.String(), line)
		}
		if line = strings.TrimRight(line, " \n"); line == t.end {
			return strings.TrimRight(b.String(), "\n"), nil
		}
		b.WriteString(line + "\n")
	}
}

func (t *transcript) close() error {
	_ = t.in.Close()
	return t.command.Wait()
}
