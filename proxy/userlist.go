package proxy

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"askpg/wire/scram"
)

// readUserlist reads a file of users and their secrets: "user" and
// "SCRAM-SHA-256$…" on each line, both quoted, with "" for a quotation mark
// inside; lines that begin with ; or # are comments. PgBouncer's userlist.txt
// is such a file as far as it holds SCRAM secrets. Errors name the line and
// never its secret.
func readUserlist(path string) (map[string]*scram.Secret, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("auth.file: %w", err)
	}
	users := map[string]*scram.Secret{}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' || line[0] == '#' {
			continue
		}
		user, rest, err := quoted(line)
		if err == nil && user == "" {
			err = errors.New("the user has no name")
		}
		var secret string
		if err == nil {
			secret, rest, err = quoted(strings.TrimLeft(rest, " \t"))
		}
		if err == nil && strings.TrimSpace(rest) != "" {
			err = errors.New("there is text behind the secret")
		}
		if err != nil {
			return nil, fmt.Errorf(`auth.file: %s, line %d: %w; it must read "user" "SCRAM-SHA-256$…"`, path, i+1, err)
		}
		if users[user], err = scram.ParseSecret(secret); err != nil {
			return nil, fmt.Errorf("auth.file: %s, line %d: %w for user %q; copy rolpassword from pg_authid: askpg keeps neither passwords nor MD5 hashes", path, i+1, err, user)
		}
	}
	if len(users) == 0 {
		return nil, fmt.Errorf("auth.file: %s names no user; nobody could log in", path)
	}
	return users, nil
}

// quoted reads a text in quotation marks from the beginning of s.
func quoted(s string) (text, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		return "", s, errors.New("a quotation mark is missing")
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != '"':
			b.WriteByte(s[i])
		case strings.HasPrefix(s[i+1:], `"`):
			b.WriteByte('"')
			i++
		default:
			return b.String(), s[i+1:], nil
		}
	}
	return "", s, errors.New("a quotation mark is missing")
}
