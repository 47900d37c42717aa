package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"askpg/admin"
	"askpg/ask"
	"askpg/catalog"
	"askpg/learn"
	"askpg/store"
	"askpg/translator"
	"askpg/translator/refs"
)

// definitions is the semantics file as the review page wants it.
type definitions struct{ *app }

func (d definitions) path() string { return d.config().Catalog.Semantics }

// File implements admin.Semantics.
func (d definitions) File() (f admin.SemanticsFile, err error) {
	if f.Path = d.path(); f.Path == "" {
		f.Fixed = "catalog.semantics names no file."
		return f, nil
	}
	if f.Text, err = readIfThere(f.Path); err != nil {
		return f, err
	}
	if err := d.replaceable(); err != nil {
		f.Fixed = fmt.Sprintf("askpg cannot write to %s (%v).", f.Path, err)
	}
	return f, nil
}

// replaceable returns why the file cannot be changed.
func (d definitions) replaceable() error {
	path, err := filepath.EvalSymlinks(d.path())
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return errors.Unwrap(err)
	}
	return errors.Join(file.Close(), writable(filepath.Dir(path)))
}

// Problems implements admin.Semantics.
func (d definitions) Problems(ctx context.Context, database, role, text string) ([]string, error) {
	if database == "" {
		return nil, catalog.CheckSemantics(text)
	}
	return d.catalog.SemanticsProblems(ctx, database, role, text)
}

// With implements admin.Semantics.
func (d definitions) With(ctx context.Context, text, role string, given admin.Definition, by string) (string, error) {
	snap, err := d.catalog.Snapshot(ctx, given.Database, role)
	if err != nil {
		return "", readable(err)
	}
	return appended(text, learn.Definition(given).Entry(snap, noteBy(by))), nil
}

// Replace implements admin.Semantics.
func (d definitions) Replace(was, text string) error {
	err := catalog.EditSemantics(d.path(), func(now string) (string, error) {
		if now != was {
			return "", admin.ErrSemanticsChanged
		}
		return text, nil
	})
	if errors.Is(err, catalog.ErrSemanticsBusy) {
		return admin.ErrSemanticsChanged
	}
	d.catalog.TakeSemantics()
	return err
}

// Propose implements admin.Semantics. The rows that a filter hides are not counted: their number would tell of values to an admin who
// may see none.
func (d definitions) Propose(ctx context.Context, database, role, sql string, statistics bool) (summary []string, list []admin.Proposal, err error) {
	statements, err := learn.ReadSQL(strings.NewReader(sql), "pasted SQL")
	if err != nil {
		return nil, nil, err
	}
	report, err := propose(ctx, d.app, &learnFlags{db: database, user: role, statements: statistics}, statements...)
	if err != nil {
		return nil, nil, err
	}
	said, err := readIfThere(d.path())
	if err != nil {
		return nil, nil, err
	}
	report.Refuse(said)
	for _, p := range report.Proposals {
		with := func(entry func(note string) string) func(text, by string) string {
			return func(text, by string) string { return appended(text, entry(noteBy(by))) }
		}
		name, evidence := string(p.Kind)+" "+p.Name, p.Explain()
		evidence[0] = strings.TrimPrefix(evidence[0], name+": ")
		list = append(list, admin.Proposal{ID: p.ID(), Name: name, Entry: p.TOML(), Evidence: evidence, Accepted: with(p.Accepted), Refused: with(p.Refused)})
	}
	return report.Summary(), list, nil
}

// noteBy is the note beside what somebody adds to the semantics file today.
func noteBy(name string) string { return time.Now().Format(time.DateOnly) + " by " + oneLine(name, 60) }

// maxObjects is how many names of tables and columns the page offers.
const maxObjects = 500

// Suggest implements admin.Semantics.
func (d definitions) Suggest(ctx context.Context, r *store.Record, verified string) (objects []string, list []admin.Definition) {
	add := func(name string) {
		if len(objects) < maxObjects && !slices.Contains(objects, name) {
			objects = append(objects, name)
		}
	}
	snap, err := d.catalog.Snapshot(ctx, r.Database, r.Role)
	if err != nil {
		for _, l := range r.Linked {
			add(l.Object)
		}
		return objects, nil
	}
	path := translator.SearchPath(r.Settings["search_path"], r.Role)
	for _, sql := range []string{verified, r.SQL} {
		of := refs.Of(sql, snap, path)
		for _, rel := range of.Relations {
			add(rel.Schema + "." + rel.Name.Name)
		}
		for _, c := range of.Columns {
			add(c.Relation.Schema + "." + c.Relation.Name.Name + "." + c.Name)
		}
	}
	for _, l := range r.Linked {
		add(l.Object)
	}
	for _, rel := range snap.Relations {
		add(rel.Schema + "." + rel.Name.Name)
	}
	for _, given := range learn.Corrected(snap, path, instead(r, verified), verified) {
		list = append(list, admin.Definition(given))
	}
	return objects, list
}

// instead is the answer in whose place SQL was verified or chosen: of a reading that the asker took the other one with the most votes.
func instead(r *store.Record, verified string) string {
	if r.Source != string(ask.SourceChoice) || verified != r.SQL {
		return r.SQL
	}
	sql, votes := "", int64(-1)
	for _, c := range r.Candidates {
		if c.SQL != verified && c.Votes > votes {
			sql, votes = c.SQL, c.Votes
		}
	}
	return sql
}
