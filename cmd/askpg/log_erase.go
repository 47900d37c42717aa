package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"askpg/store"
)

var errNotConfirmed = errors.New("nothing is erased")

// erase takes a login's entries, or old ones, out of the log and of the files beside it.
func erase(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
	e := f.erasure
	switch {
	case e.Login == "" && e.Before.IsZero():
		return usageError{errors.New("erase needs --login, --before or both")}
	case e.Login == "" && e.KeepExamples:
		return usageError{errors.New("--keep-examples needs --login: examples are erased with a login only")}
	case e.Before.After(time.Now()):
		return usageError{fmt.Errorf("--before %s is in the future: it would take what is still to be asked", e.Before.Format(time.DateOnly))}
	}
	n, err := st.CountErasure(ctx, e)
	if err != nil {
		return err
	}
	if err := confirmErasure(s, f, n); err != nil {
		return err
	}
	done, err := st.Erase(ctx, e)
	fmt.Fprintf(s.out, "%d translations, %d remarks and %d verified examples are erased\n", done.Translations, done.Remarks, done.Examples)
	if done.Names > 0 {
		fmt.Fprintf(s.out, "the name is taken out of %d remarks, examples and translations of others\n", done.Names)
	}
	if err != nil {
		return err
	}
	spilled, err := store.EraseSpill(f.spill, e, done.Until)
	fmt.Fprintf(s.out, "%d entries of %s are erased\n", spilled.Entries, f.spill)
	if spilled.Names > 0 {
		fmt.Fprintf(s.out, "the name is taken out of %d more of its entries\n", spilled.Names)
	}
	if spilled.Held {
		fmt.Fprintf(s.out, "a running askpg has %s: it drops what was erased when the store takes the others\n", f.spill)
	}
	return err
}

// confirmErasure has a person at a terminal confirm that n translations go, unless --yes does.
func confirmErasure(s streams, f *logFlags, n int64) error {
	if f.yes {
		return nil
	}
	whose := "of everybody"
	if f.erasure.Login != "" {
		whose = "of the login " + f.erasure.Login
	}
	if !f.erasure.Before.IsZero() {
		whose += ", asked before " + f.erasure.Before.Format(time.DateOnly)
	}
	what := fmt.Sprintf("%d translations %s", n, whose)
	if !isTerminal(s.in) {
		return usageError{fmt.Errorf("this would erase %s: repeat it with --yes", what)}
	}
	fmt.Fprintf(s.err, "This erases %s, for good. Write yes to go on: ", what)
	answer, _ := bufio.NewReader(s.in).ReadString('\n') // without an answer nothing is erased
	if strings.TrimSpace(answer) != "yes" {
		return errNotConfirmed
	}
	return nil
}
