package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/catalog"
	"askpg/catalog/guarded"
	"askpg/learn"
	"askpg/translator"
)

// learnFlags are the flags of `askpg learn`.
type learnFlags struct {
	config, db, user, out, by string
	from                      []string
	statements, review        bool
	describe                  bool
}

// learnCommand proposes definitions from SQL that is in use.
func learnCommand(ctx context.Context, s streams, args []string) (err error) {
	f, err := parseLearn(s, args)
	if err != nil {
		return err
	}
	cfg, l, err := configured(f.config, s)
	if err != nil {
		return err
	}
	semantics := cfg.Catalog.Semantics
	if f.review && semantics == "" {
		return errors.New("catalog.semantics names no file to which accepted proposals could go: set it in the configuration")
	}
	cfg.Store.Spill = "" // the serving process has it open
	a, err := newApp(ctx, cfg, l)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	report, err := propose(ctx, a, f)
	if err != nil {
		return err
	}
	if f.describe {
		describe(ctx, s, a, f, report)
	}
	said, err := readIfThere(semantics)
	if err != nil {
		return err
	}
	report.Refuse(said)
	countHidden(ctx, a, f, report)
	switch {
	case f.review:
		return review(s, report, semantics, reviewer(f.by))
	case f.out != "":
		if err := os.WriteFile(f.out, []byte(report.Fragment()), 0o600); err != nil {
			return err
		}
		for _, line := range report.Summary() {
			fmt.Fprintln(s.out, line)
		}
		return nil
	}
	_, err = io.WriteString(s.out, report.Fragment())
	return err
}

func parseLearn(s streams, args []string) (*learnFlags, error) {
	f := &learnFlags{}
	flags := flag.NewFlagSet("learn", flag.ContinueOnError)
	config := configFlag(flags)
	flags.StringVar(&f.db, "db", "", "`database` that the statements are about")
	flags.StringVar(&f.user, "user", "", "`role` as which the catalog is read; of what it can't read nothing is proposed")
	flags.Func("from", "a `file` of SQL, dbt's manifest.json, or a YAML file or folder that Metabase or Superset has exported; can be given several times", func(name string) error {
		f.from = append(f.from, name)
		return nil
	})
	flags.BoolVar(&f.statements, "statements", false, "read pg_stat_statements of the replica, as far as the role may")
	flags.BoolVar(&f.describe, "describe", false, "have a model describe tables and columns that nobody has described, one call a table")
	flags.StringVar(&f.out, "out", "", "write the proposals to this `file`")
	flags.BoolVar(&f.review, "review", false, "go through the proposals and add those that you accept to the semantics file")
	flags.StringVar(&f.by, "by", "", "your `name` for the note beside what you accept; that of the account if empty")
	err := parseAll(flags, s, args)
	f.config = *config
	switch {
	case err != nil:
		return nil, err
	case f.db == "" || f.user == "":
		return nil, usageError{errors.New("--db and --user are needed")}
	case f.review && f.out != "":
		return nil, usageError{errors.New("--review writes to the semantics file, and takes no --out")}
	}
	return f, nil
}

// readStatements reads a file by its ending, or the files of a folder that Metabase or Superset has exported.
func readStatements(name string) (list []*learn.Statement, err error) {
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		ending := filepath.Ext(path)
		exported := ending == ".yaml" || ending == ".yml"
		if err != nil || entry.IsDir() || path != name && !exported {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		read := learn.ReadSQL
		switch {
		case ending == ".json":
			read = learn.ReadDBT
		case exported:
			read = learn.ReadYAML
		}
		more, err := read(file, filepath.Base(name))
		list = append(list, more...)
		if err := errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	return list, err
}

// propose reads the sources and learns from them, and from statements. Views are always read.
func propose(ctx context.Context, a *app, f *learnFlags, statements ...*learn.Statement) (*learn.Report, error) {
	for _, name := range f.from {
		more, err := readStatements(name)
		if err != nil {
			return nil, err
		}
		statements = append(statements, more...)
	}
	if f.statements {
		err := a.replica.As(ctx, f.db, f.user, func(tx pgx.Tx) (err error) {
			more, err := learn.ReadStatistics(ctx, tx)
			statements = append(statements, more...)
			return err
		})
		if errors.Is(err, guarded.ErrNoStatistics) {
			return nil, fmt.Errorf("database %s: %w; create it, or read a file with --from", f.db, err)
		}
		if err != nil {
			return nil, fmt.Errorf("pg_stat_statements of %s as %s: %w", f.db, f.user, readable(err))
		}
	}
	snap, err := a.catalog.Snapshot(ctx, f.db, f.user)
	if err != nil {
		return nil, fmt.Errorf("catalog of %s as %s: %w", f.db, f.user, readable(err))
	}
	return learn.Learn(snap, []string{f.user, "public"}, statements), nil
}

// maxDescribed is how many tables a run has described at most: each is a call to a model.
const maxDescribed = 200

// describe has a model describe what nobody has described. What was described when a call fails is proposed.
func describe(ctx context.Context, s streams, a *app, f *learnFlags, report *learn.Report) {
	described, tokens := 0, 0
	var relations []*catalog.Relation
	snap, err := a.catalog.Snapshot(ctx, f.db, f.user)
	if err == nil {
		relations = snap.Relations
	}
	for _, r := range relations {
		undescribed := func(c *catalog.Column) bool { return c.Comment == "" && !c.Private }
		if err != nil || described == maxDescribed || r.Comment != "" && !slices.ContainsFunc(r.Columns, undescribed) {
			continue
		}
		var d translator.Description
		if d, err = a.current.Load().core.Describe(ctx, snap, r); err == nil {
			report.Describe(snap, r, d.Model, d.Table, d.Columns)
			described++
		}
		tokens += d.Usage.PromptTokens + d.Usage.CompletionTokens
	}
	fmt.Fprintf(s.err, "%d tables described, with %d tokens\n", described, tokens)
	if err != nil {
		fmt.Fprintf(s.err, "the others are not described: %v\n", readable(err))
	}
}

// countTime is how long the rows that filters hide are counted, in all.
const countTime = 20 * time.Second

// countHidden has the rows counted that filters would hide: as the role, on a replica, within what a question may cost.
func countHidden(ctx context.Context, a *app, f *learnFlags, report *learn.Report) {
	ctx, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	report.CountHidden(func(sql string) (hidden, all int64, err error) {
		_, result, _, err := a.execute(ctx, shellSession(f.db, f.user), sql, true)
		if err != nil {
			return 0, 0, readable(err)
		}
		defer result.Release()
		if len(result.Rows) != 1 || len(result.Rows[0]) != 2 {
			return 0, 0, errors.New("not two numbers")
		}
		hidden, err = strconv.ParseInt(string(result.Rows[0][0]), 10, 64)
		if err == nil {
			all, err = strconv.ParseInt(string(result.Rows[0][1]), 10, 64)
		}
		return hidden, all, err
	})
}

// review asks for each proposal whether it holds. What is accepted goes to the end of the semantics file at once. What
// is refused is noted there, so that it is not proposed again.
func review(s streams, report *learn.Report, path, by string) error {
	for _, line := range report.Summary() {
		fmt.Fprintln(s.out, line)
	}
	in := bufio.NewScanner(s.in)
	if len(report.Proposals) == 0 {
		return nil
	}
	note := noteBy(by)
	accepted, refused := 0, 0
	list := report.Proposals
	for i := 0; i < len(list); i++ {
		p := list[i]
		fmt.Fprintf(s.out, "\n%d of %d. %s\n%s", i+1, len(list), strings.Join(p.Explain(), "\n"), ask.Visible(p.TOML()))
		answer, err := yesOrNo(s.out, in)
		if err != nil {
			return err
		}
		switch answer {
		case 'y':
			err = appendSemantics(path, p.Accepted(note))
			accepted++
		case 'n':
			list, err = refuse(list, i, path, note)
			refused++
		case 'q':
			fmt.Fprintf(s.out, "%d accepted, %d refused, %d left\n", accepted, refused, len(list)-i)
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", p.Kind, p.Name, err)
		}
	}
	fmt.Fprintf(s.out, "%d accepted, %d refused, in %s\n", accepted, refused, path)
	return nil
}

// refuse notes that a proposal is refused, and puts behind it what is proposed in its place.
func refuse(list []*learn.Proposal, i int, path, note string) ([]*learn.Proposal, error) {
	if err := appendSemantics(path, list[i].Refused(note)); err != nil {
		return list, err
	}
	said, err := readIfThere(path)
	if instead := list[i].Instead(said); instead != nil {
		list = slices.Insert(slices.Clone(list), i+1, instead)
	}
	return list, err
}

// reviewHelp says what the answers do.
const reviewHelp = `y  adds it to the end of the semantics file, and it counts at once
n  notes in the file that it is not wanted: it is not proposed again
s  leaves it: the next run proposes it again
q  ends the review; what was accepted and refused stays
`

// yesOrNo asks until it understands the answer; the end of the input ends the review.
func yesOrNo(w io.Writer, in *bufio.Scanner) (byte, error) {
	for {
		fmt.Fprint(w, "accept? y(es), n(o, never), s(kip), q(uit): ")
		if !in.Scan() {
			fmt.Fprintln(w)
			return 'q', in.Err()
		}
		switch answer := strings.ToLower(strings.TrimSpace(in.Text())); answer {
		case "y", "yes":
			return 'y', nil
		case "n", "no":
			return 'n', nil
		case "s", "skip", "":
			return 's', nil
		case "q", "quit":
			return 'q', nil
		default:
			fmt.Fprint(w, reviewHelp)
		}
	}
}

// appendSemantics adds text to the end of the semantics file, if all of it is
// still one then. What stands in it is not touched.
func appendSemantics(path, text string) error {
	return catalog.EditSemantics(path, func(said string) (string, error) { return appended(said, text), nil })
}

// appended returns a text with another one at its end, which begins a line.
func appended(said, text string) string {
	if said != "" && !strings.HasSuffix(said, "\n") {
		said += "\n"
	}
	return said + text
}

// readIfThere reads a file, "" if it does not exist or has no name.
func readIfThere(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}
