package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"

	"askpg/ask"
)

// digest returns what the answer to q depends on, hashed. Every part is
// written with its length, so that no two different questions run together.
func digest(q *ask.Question, version string) string {
	h := sha256.New()
	part(h, "database", q.Session.Database)
	part(h, "role", q.Session.Role)
	if q.Session.Login != nil && q.Session.SessionUser != q.Session.Role {
		// The statements run as the login, which row security policies can ask for (session_user), and
		// which rows there are decides what is chosen.
		part(h, "login", q.Session.SessionUser)
	}
	part(h, "version", version)
	part(h, "question", ask.Normalise(q.Text))
	part(h, "hint", q.Hint) // as it is: blanks and case count in the constants of a definition
	for _, turn := range q.History {
		part(h, "turn", ask.Normalise(turn.Question))
		part(h, "sql", turn.SQL)
	}
	settings(h, "setting", q.Session.Settings)
	asked := map[string]string{}
	maps.Copy(asked, q.Session.Ask)
	maps.Copy(asked, q.Options)
	settings(h, "askpg", asked)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func settings(h hash.Hash, kind string, m map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if s := ask.SettingNamed(name); kind == "askpg" && s.Name != "" && !s.AffectsSQL {
			continue
		}
		part(h, kind, name)
		part(h, "=", m[name])
	}
}

func part(h hash.Hash, kind, value string) {
	fmt.Fprintf(h, "%s %d:%s\n", kind, len(value), value)
}
