package proxy_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"
)

// psqlODBC sends BEGIN and savepoints in one message with the statement: what
// is a question behind them is one.
func TestBehindCommands(t *testing.T) {
	b := start(t, nil)
	database := sampleDB(t)
	const answer = "T count:20:0\nD \"100\"\nC SELECT 1\n"
	f := dial(t, b.addr, database)
	for _, tt := range []struct{ text, want string }{
		{"BEGIN;-- ask: how many customers", "C BEGIN\n" + answer + "Z T"},
		{"SAVEPOINT s;ASK 'how many customers'", "C SAVEPOINT\n" + answer + "Z T"},
		{"RELEASE s;SAVEPOINT s;/* ask: how many customers */", "C RELEASE\nC SAVEPOINT\n" + answer + "Z T"},
		{"RELEASE s;SAVEPOINT s;select 1 as x", "C RELEASE\nC SAVEPOINT\nT x:23:0\nD \"1\"\nC SELECT 1\nZ T"},
		{"RELEASE s;SAVEPOINT s;-- ask: error: ASK02", "C RELEASE\nC SAVEPOINT\nE ASK02\nZ T"},
		{"-- ask: how many customers", answer + "Z T"}, // the block stays usable
		// A command fails: what is behind it is left out, and the block is failed.
		{"SAVEPOINT t;RELEASE nosuch;-- ask: how many customers", "C SAVEPOINT\nE 3B001\nZ E"},
		{"SAVEPOINT t;-- ask: how many customers", "E 25P02\nZ E"},
		{"rollback", "C ROLLBACK\nZ I"},
		{"SAVEPOINT t;-- ask: how many customers", "E 25P01\nZ I"},
		{"select 1 as x;-- ask: how many customers", "E 0A000\nZ I"},
		{"select 1 as x;-- ask: how many customers\nselect 2 as x", "T x:23:0\nD \"1\"\nC SELECT 1\nT x:23:0\nD \"2\"\nC SELECT 1\nZ I"}, // a comment
	} {
		f.send(&pgproto3.Query{String: tt.text})
		if got := codes(f.trace(1)); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}

	t.Run("auto", func(t *testing.T) {
		f := dial(t, b.addr, database)
		for _, tt := range []struct{ text, want string }{
			{"BEGIN;how many customers", "E 42601\nZ I"}, // not in the mode: nothing of it is executed
			{"set askpg.mode = 'auto'", "C SET\nZ I"},
			{"BEGIN;how many customers", "C BEGIN\n" + answer + "Z T"},
			{"SAVEPOINT s;selec 1", "C SAVEPOINT\nE ASK01\nZ T"},
		} {
			f.send(&pgproto3.Query{String: tt.text})
			if got := codes(f.trace(1)); got != tt.want {
				t.Errorf("%s:\n%s\nwant\n%s", tt.text, got, tt.want)
			}
		}
	})
}

// codes leaves of the errors in a trace their SQLSTATE, and nothing of notices.
func codes(trace string) string {
	var lines []string
	for line := range strings.Lines(trace) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "N "):
			continue
		case strings.HasPrefix(line, "E "):
			line = strings.Join([]string{"E", strings.Fields(line)[2]}, " ")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
