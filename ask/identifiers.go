package ask

import "strings"

// SplitIdentifiers reads a list such as a search_path as SplitIdentifierString (varlena.c) does: quoted names as they are, others
// folded to lower case. A list that PostgreSQL would refuse is split at blanks and commas.
func SplitIdentifiers(path string) []string {
	var list []string
	for i := 0; i < len(path); {
		switch c := path[i]; {
		case c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '"':
			var b strings.Builder
			for i++; i < len(path); i++ {
				if path[i] == '"' {
					if i+1 < len(path) && path[i+1] == '"' {
						i++
					} else {
						break
					}
				}
				b.WriteByte(path[i])
			}
			i++
			list = append(list, b.String())
		default:
			start := i
			for i < len(path) && !strings.ContainsRune(", \t\n\r\f\v", rune(path[i])) {
				i++
			}
			list = append(list, lower(path[start:i]))
		}
	}
	return list
}

// lower folds a name as downcase_identifier (scansup.c) does where letters may have several bytes: ASCII alone.
func lower(name string) string {
	b := []byte(name)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
