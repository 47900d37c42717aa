package guard

import (
	"strings"

	"askpg/ask/analysed"
)

// unknownNode returns the label of the first node of a node tree that may do more
// than read, empty if none does. A brace that is no node's is escaped (outToken).
func unknownNode(text string) string {
	for rest := text; ; {
		i := strings.IndexByte(rest, '{')
		if i < 0 {
			return ""
		}
		escaped := i > 0 && rest[i-1] == '\\'
		rest = rest[i+1:]
		if escaped {
			continue
		}
		end := 0
		for end < len(rest) && !isBlank(rest[end]) && rest[end] != '}' {
			end++
		}
		if label := rest[:end]; !analysed.Known(label) && label != "TABLEFUNC" && label != "CTE" {
			return label
		}
	}
}
