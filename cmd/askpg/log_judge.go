package main

import (
	"context"
	"fmt"
	"io"
	"os/user"

	"askpg/ask"
	"askpg/store"
)

// judge approves or corrects a translation. What becomes a verified example is
// planned first, through the guard and as the role that asked.
func judge(ctx context.Context, a *app, out io.Writer, id, sql, by, note string) error {
	r, err := a.store.Get(ctx, id)
	if err != nil {
		return err
	}
	accepted := sql
	if accepted == "" {
		accepted = r.SQL
	}
	if accepted == "" {
		return fmt.Errorf("%s has no SQL to approve; correct it instead", r.ID)
	}
	if err := a.check(ctx, r.Database, r.Role, r.Settings, accepted); err != nil {
		return fmt.Errorf("this SQL can't answer for %s at %s: %w", r.Role, r.Database, readable(err))
	}
	var e *store.Example
	if sql == "" {
		e, err = a.store.Approve(ctx, r.ID, by, note)
	} else {
		e, err = a.store.Correct(ctx, r.ID, sql, by, note)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "verified example %s: %s\n", e.ID, ask.Visible(e.Question))
	return nil
}

// reviewer is the name given, or that of the account.
func reviewer(name string) string {
	if name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}
