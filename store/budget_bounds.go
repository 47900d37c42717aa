package store

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// Limits bound a period; 0 is no bound.
type Limits struct {
	// RoleQuestions, RoleCalls, RoleTokens and RoleCost are what each role may
	// ask and spend.
	RoleQuestions int64   `toml:"role_questions"`
	RoleCalls     int64   `toml:"role_calls"`
	RoleTokens    int64   `toml:"role_tokens"`
	RoleCost      float64 `toml:"role_cost"`
	// Questions, Calls, Tokens and Cost are what all may together, on every
	// instance that shares the store.
	Questions int64   `toml:"questions"`
	Calls     int64   `toml:"calls"`
	Tokens    int64   `toml:"tokens"`
	Cost      float64 `toml:"cost"`
}

// Budget bounds what is asked, and what models are asked for, in a day and in a
// minute (UTC). Questions are counted when they begin, all of them. What they
// spend counts once they end, so that a period can go over by those under way.
type Budget struct {
	Limits
	// Minute bounds each minute, beside the day.
	Minute Limits `toml:"minute"`
	// For bounds teams.
	For []Team `toml:"for"`
}

// Team are roles with a budget of their own, beside that of all. Its role_ keys bound each of its roles in place of those that bound
// each role, its other keys its roles together.
type Team struct {
	// Name is how SHOW askpg.budget, messages and the page call the team; what it has spent is counted under it.
	Name string `toml:"name"`
	// Roles are in no other team.
	Roles []string `toml:"roles"`
	Limits
	// Minute bounds each minute, beside the day.
	Minute Limits `toml:"minute"`
}

func (b *Budget) validate() error {
	sections := map[string]Limits{"store.budget": b.Limits, "store.budget.minute": b.Minute}
	var names, roles []string
	for i, t := range b.For {
		at := fmt.Sprintf("store.budget.for %d", i+1)
		switch {
		case t.Name == "":
			return fmt.Errorf("%s: name is missing", at)
		case slices.Contains(names, t.Name):
			return fmt.Errorf("%s: another team is called %q", at, t.Name)
		case len(t.Roles) == 0:
			return fmt.Errorf("%s: roles is empty; it bounds nobody", at)
		}
		names = append(names, t.Name)
		for _, r := range t.Roles {
			if slices.Contains(roles, r) {
				return fmt.Errorf("%s: role %q stands twice; nobody could tell which bound holds", at, r)
			}
			roles = append(roles, r)
		}
		sections[at], sections[at+" minute"] = t.Limits, t.Minute
	}
	for section, l := range sections {
		for name, v := range map[string]float64{
			"role_questions": float64(l.RoleQuestions), "role_calls": float64(l.RoleCalls), "role_tokens": float64(l.RoleTokens), "role_cost": l.RoleCost,
			"questions": float64(l.Questions), "calls": float64(l.Calls), "tokens": float64(l.Tokens), "cost": l.Cost,
		} {
			if v < 0 || math.IsNaN(v) {
				return fmt.Errorf("%s.%s is %v; it must not be negative", section, name, v)
			}
		}
	}
	return nil
}

// period is a day or a minute: the layout of its name.
type period string

const (
	dayPeriod    period = time.DateOnly
	minutePeriod period = "2006-01-02T15:04"
)

// at returns the name of the period of now.
func (p period) at(now time.Time) string { return now.Format(string(p)) }

// ends returns when the period of now is over.
func (p period) ends(now time.Time) time.Time {
	if p == minutePeriod {
		return now.Truncate(time.Minute).Add(time.Minute)
	}
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
}

func (p period) String() string {
	if p == minutePeriod {
		return "minute"
	}
	return "day"
}

func (p period) of(day, minute Limits) Limits {
	if p == minutePeriod {
		return minute
	}
	return day
}

// bound is what a subject may ask and spend in a period: Questions, Calls, Tokens and Cost.
type bound struct {
	period  period
	subject string // as Spending.Subject
	whose   string // in messages
	Limits
}

func (b *bound) spending() bool { return b.Calls > 0 || b.Tokens > 0 || b.Cost > 0 }

const allRoles = "all"

func roleSubject(role string) string { return "role " + role }

// bounds returns what a role may, its team if it is in one, and all together, in a minute and in a day.
func (b *Budget) bounds(role string) (list []bound) {
	var team *Team
	for i := range b.For {
		if slices.Contains(b.For[i].Roles, role) {
			team = &b.For[i]
		}
	}
	for _, p := range []period{minutePeriod, dayPeriod} {
		all, of := p.of(b.Limits, b.Minute), Limits{}
		if team != nil {
			of = p.of(team.Limits, team.Minute)
		}
		list = append(list, bound{p, roleSubject(role), fmt.Sprintf("of role %q", role), Limits{
			Questions: cmp.Or(of.RoleQuestions, all.RoleQuestions), Calls: cmp.Or(of.RoleCalls, all.RoleCalls),
			Tokens: cmp.Or(of.RoleTokens, all.RoleTokens), Cost: cmp.Or(of.RoleCost, all.RoleCost),
		}})
		if team != nil {
			list = append(list, bound{p, "team " + team.Name, fmt.Sprintf("of team %q", team.Name), of})
		}
		list = append(list, bound{p, allRoles, "of all roles together", all})
	}
	return list
}
