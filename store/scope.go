package store

import (
	"slices"
	"strings"
)

// Scope is the part of the log that somebody may see or judge: all that one of its parts covers. Nil is the whole log, a
// scope without parts nothing of it.
type Scope []Part

// Part are the questions that some roles have asked at some databases. An empty list is of all.
type Part struct{ Databases, Roles []string }

// Covers says whether what a role has asked at a database is in the scope.
func (s Scope) Covers(database, role string) bool {
	return s == nil || slices.ContainsFunc(s, func(p Part) bool {
		return (len(p.Databases) == 0 || slices.Contains(p.Databases, database)) && (len(p.Roles) == 0 || slices.Contains(p.Roles, role))
	})
}

// coversAll says whether what every role has asked at a database is in the scope.
func (s Scope) coversAll(database string) bool {
	return s == nil || slices.ContainsFunc(s, func(p Part) bool {
		return len(p.Roles) == 0 && (len(p.Databases) == 0 || slices.Contains(p.Databases, database))
	})
}

// within adds the condition that the columns database and role are in a scope. plus keeps SQLite from taking their
// indexes, as in Store.conditions.
func (c *clause) within(s Scope, plus string) {
	if s == nil {
		return
	}
	var parts []string
	var args []any
	for _, p := range s {
		of := &clause{where: []string{"1 = 1"}}
		of.among(plus+"database", p.Databases)
		of.among(plus+"role", p.Roles)
		parts, args = append(parts, strings.Join(of.where, " and ")), append(args, of.args...)
	}
	c.add("("+strings.Join(append(parts, "1 = 0"), " or ")+")", args...)
}

// among adds the condition that a column has one of some values; none is any.
func (c *clause) among(column string, values []string) {
	if len(values) == 0 {
		return
	}
	c.add(column+" in ("+repeated("?", len(values))+")", mapped(values, func(v string) any { return v })...)
}

// sums returns the scopes of the sums by day that a scope adds up to; false if there are none of it, as those of a role at
// a database.
func (s Scope) sums() (scopes []string, kept bool) {
	if s == nil {
		return []string{scopeAll}, true
	}
	databases := len(s) > 0 && len(s[0].Roles) == 0
	for _, p := range s {
		names, of := p.Roles, scopeRole
		if databases {
			names, of = p.Databases, scopeDatabase
		}
		if len(names) == 0 || len(p.Databases) > 0 && len(p.Roles) > 0 {
			return nil, false
		}
		for _, n := range names {
			if n := of(n); !slices.Contains(scopes, n) {
				scopes = append(scopes, n)
			}
		}
	}
	return scopes, len(s) > 0
}

// and returns what is in a scope and of a database and of a role; an empty name is any.
func (s Scope) and(database, role string) Scope {
	if database == "" && role == "" {
		return s
	}
	narrow := func(list []string, name string) ([]string, bool) {
		if name == "" || len(list) > 0 && !slices.Contains(list, name) {
			return list, name == ""
		}
		return []string{name}, true
	}
	if s == nil {
		s = Scope{{}}
	}
	narrowed := Scope{}
	for _, p := range s {
		databases, some := narrow(p.Databases, database)
		roles, any := narrow(p.Roles, role)
		if some && any {
			narrowed = append(narrowed, Part{databases, roles})
		}
	}
	return narrowed
}
