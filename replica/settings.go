package replica

import (
	"slices"
	"strings"

	"askpg/ask"
)

// sessionSettings are the settings of the asker's session that shape results
// and that the replica's session takes over; all others stay the service
// login's.
var sessionSettings = map[string]string{
	"search_path": "search_path", "timezone": "TimeZone", "datestyle": "DateStyle", "intervalstyle": "IntervalStyle",
	"client_encoding": "client_encoding", "bytea_output": "bytea_output", "extra_float_digits": "extra_float_digits",
	"lc_monetary": "lc_monetary", "lc_numeric": "lc_numeric", "lc_time": "lc_time",
}

// takeOver returns names and values of the settings to take over, by name. The client's
// encoding is left out: statements are UTF-8, and only rows on their way to a
// client are converted. So is search_path, see tx.pathStep.
func takeOver(s ask.Session) (names, values []string) {
	set := make(map[string]string, len(s.Settings))
	for k, v := range s.Settings {
		name, ok := sessionSettings[strings.ToLower(k)]
		if !ok || name == "client_encoding" || name == "search_path" {
			continue
		}
		names = append(names, name)
		set[name] = v
	}
	slices.Sort(names)
	for _, name := range names {
		values = append(values, set[name])
	}
	return names, values
}

// pathSetting returns the session's search_path setting, that of the login if it has none.
func pathSetting(s ask.Session) string {
	for k, v := range s.Settings {
		if strings.EqualFold(k, "search_path") {
			return v
		}
	}
	return "pg_catalog"
}

// searchPath returns the schemas of the asker's path for a session of askpg's own.
// Temporary schemas are another session's there, so it leaves them out. "$user" stays
// the asker's when the question runs as somebody else. pg_catalog comes first, as it
// does unless a session says otherwise: SQL bodies of the server's own functions rely on
// it.
func searchPath(path, asker, role string) []string {
	var list []string
	for _, name := range ask.SplitIdentifiers(path) {
		if strings.HasPrefix(name, "pg_temp") || strings.HasPrefix(name, "pg_toast") || name == "pg_catalog" {
			continue
		}
		if name == "$user" && asker != role {
			name = asker
		}
		list = append(list, name)
	}
	return list
}

func quoteIdent(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

var inArray = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// textArray writes a text[] literal.
func textArray(list []string) []byte {
	var b strings.Builder
	b.WriteByte('{')
	for i, s := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('"')
		b.WriteString(inArray.Replace(s))
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return []byte(b.String())
}
