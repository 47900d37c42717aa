package replica

import (
	"strconv"
	"strings"

	"askpg/ask"
)

// takeOver returns names and values of the settings that the replica's session takes over from the asker's; all others stay the
// service login's. The client's encoding is left out: statements are UTF-8, and only rows on their way to a
// client are converted. So is search_path, see tx.pathStep.
func takeOver(s ask.Session) (names, values []string) {
	for _, name := range ask.ResultSettings {
		if v, ok := s.Settings[name]; ok && name != "client_encoding" && name != "search_path" {
			names, values = append(names, name), append(values, v)
		}
	}
	return names, values
}

// pathSetting returns the session's search_path setting, that of the login if it has none.
func pathSetting(s ask.Session) string {
	if v, ok := s.Settings["search_path"]; ok {
		return v
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

// oidArray writes an oid[] literal.
func oidArray(list []uint32) []byte {
	texts := make([]string, len(list))
	for i, oid := range list {
		texts[i] = strconv.FormatUint(uint64(oid), 10)
	}
	return []byte("{" + strings.Join(texts, ",") + "}")
}

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
