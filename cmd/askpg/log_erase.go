package main

import (
	"context"
	"errors"
	"fmt"

	"askpg/store"
)

// erase takes a login's entries, or old ones, out of the log and of the files beside it.
func erase(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
	if f.erasure.Login == "" && f.erasure.Before.IsZero() {
		return usageError{errors.New("erase needs --login, --before or both")}
	}
	done, err := st.Erase(ctx, f.erasure)
	fmt.Fprintf(s.out, "%d translations, %d remarks and %d verified examples are erased\n", done.Translations, done.Remarks, done.Examples)
	if err != nil {
		return err
	}
	n, held, err := store.EraseSpill(f.spill, f.erasure)
	fmt.Fprintf(s.out, "%d entries of %s are erased\n", n, f.spill)
	if held {
		fmt.Fprintf(s.out, "a running askpg has %s: it drops what was erased when the store takes the others\n", f.spill)
	}
	return err
}
