// Command askpg is a PostgreSQL proxy that answers questions.
//
// Each subcommand is one file; wire.go puts the packages together.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"askpg/ask"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	// A file that may not grow (RLIMIT_FSIZE, LimitFSIZE= of systemd) has to fail a write, as a full disk does. It must
	// not end the process.
	signal.Ignore(syscall.SIGXFSZ)
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

type streams struct {
	in       io.Reader
	out, err io.Writer
}

type subcommand struct {
	usage, summary string
	run            func(ctx context.Context, s streams, args []string) error
}

var subcommands = map[string]subcommand{
	"serve":   {"--config FILE", "run the proxy; SIGHUP reloads, SIGTERM drains", serve},
	"check":   {"--config FILE [--db NAME] [--user ROLE] [--sql TEXT | --question TEXT | --print-setup]", "validate settings, addresses, files, servers, roles, replica and models; exit 1 on a problem", check},
	"ask":     {"--config FILE --db NAME --user ROLE QUESTION", "answer one question: SQL, confidence, rows", askOnce},
	"log":     {"--config FILE [list|verdicts|show ID|approve ID|reject ID|correct ID SQL|suggest ID|try QUESTION|export|examples|import|erase]", "read and judge the translation log", logCommand},
	"learn":   {"--config FILE --db NAME --user ROLE [--from FILE]… [--statements] [--out FILE | --review]", "propose definitions for the semantics file from SQL that is in use", learnCommand},
	"eval":    {"--set DIR [--server URL] [--strategy NAME] [--predictions A,B] [--out DIR]", "measure how often answers are right", evalCommand},
	"demo":    {"", "start a sample shop with askpg before it and ask what people ask first", demo},
	"health":  {"--config FILE", "ask a running askpg whether it is ready; exit 1 if not", health},
	"version": {"", "print the version", version},
}

// usageError is a command line that can't be understood: exit 2.
type usageError struct{ error }

// run returns the exit code: 0, 1 for a failure, 2 for a wrong command line.
func run(ctx context.Context, args []string, s streams) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		printUsage(s.out)
		if len(args) == 0 {
			return 2
		}
		return 0
	}
	cmd, ok := subcommands[args[0]]
	if !ok {
		fmt.Fprintf(s.err, "askpg: there is no subcommand %q", args[0])
		if near := nearest(args[0], slices.Collect(maps.Keys(subcommands))); near != "" {
			fmt.Fprintf(s.err, "; did you mean %q?", near)
		}
		fmt.Fprintln(s.err)
		return 2
	}
	err := cmd.run(ctx, s, args[1:])
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(s.err, "askpg %s: %v\nusage: askpg %s %s\n", args[0], err, args[0], cmd.usage)
		return 2
	default:
		fmt.Fprintf(s.err, "askpg %s: %s\n", args[0], ask.Visible(err.Error()))
		return 1
	}
}

func printUsage(w io.Writer) {
	fmt.Fprintln(w, "askpg is a PostgreSQL proxy that answers questions.")
	for _, name := range slices.Sorted(maps.Keys(subcommands)) {
		fmt.Fprintf(w, "\n  askpg %s %s\n        %s\n", name, subcommands[name].usage, subcommands[name].summary)
	}
}

// parseAll reads the flags of a subcommand that takes nothing else.
func parseAll(fs *flag.FlagSet, s streams, args []string) error {
	rest, err := parse(fs, s, args)
	if err == nil && len(rest) > 0 {
		err = usageError{fmt.Errorf("unexpected %q", rest[0])}
	}
	return err
}

// parse reads a subcommand's flags; args returns what is left.
func parse(fs *flag.FlagSet, s streams, args []string) ([]string, error) {
	fs.SetOutput(s.err)
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, usageError{err}
	}
	return fs.Args(), nil
}
