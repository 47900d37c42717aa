package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"askpg/ask"
	"askpg/replica"
	"askpg/replica/guard"
)

// report prints findings as they come.
type report struct {
	w    io.Writer
	bad  int
	said map[string]bool // the settings that can't be used
}

func (r *report) add(what string, err error, fix string) {
	if err == nil {
		say(r.w, "ok    ", what)
		return
	}
	r.bad++
	if r.said == nil {
		r.said = map[string]bool{}
	}
	r.said[err.Error()] = true
	say(r.w, "FAIL  ", what+": "+err.Error())
	if e := ask.AsError(err); e != nil && e.Hint != "" {
		fix = e.Hint
	}
	if fix != "" {
		say(r.w, "      ", fix)
	}
}

// invalid says why a part can't be made of its settings, unless that is said already.
func (r *report) invalid(what string, err error) {
	for _, e := range joined(err) {
		if !r.said[e.Error()] {
			r.add(what, e, "")
		}
	}
}

func (r *report) finding(f replica.Finding) {
	if f.Note {
		r.note(f.What)
		return
	}
	var problem error
	if f.Problem != "" {
		problem = errors.New(f.Problem)
	}
	r.add(f.What, problem, f.Fix)
}

func (r *report) note(text string) { say(r.w, "note  ", text) }

// say prints a finding. Names in it are anybody's: what they hold begins no line of the report and moves no cursor.
func say(w io.Writer, kind, text string) {
	fmt.Fprintln(w, kind+strings.ReplaceAll(ask.Visible(text), "\n", "\n      "))
}

func (r *report) failed() error {
	if r.bad == 0 {
		return nil
	}
	if r.bad == 1 {
		return errors.New("1 problem")
	}
	return fmt.Errorf("%d problems", r.bad)
}

func printVerdict(w io.Writer, v guard.Verdict) error {
	for _, u := range v.Uses {
		say(w, "uses     ", u.What+": "+u.Why)
	}
	for _, p := range v.Unsure {
		say(w, "unsure   ", p.What+": "+p.Why)
	}
	for _, p := range v.Problems {
		say(w, "refused  ", p.What+": "+p.Why)
	}
	if !v.Allowed() {
		return errors.New("the guard refuses this statement")
	}
	fmt.Fprintln(w, "allowed by the guard; the role's rights, the plan and the limits are looked at when it runs")
	return nil
}
