package ask

import (
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// maxRescans bounds the characters that PostgreSQL's scanner may read again and again. For each operator and each
// beginning of a comment it reads all the characters of operators that follow. Then it gives back what does not belong
// to it (xcstart and operator in scan.l). 64 kB of /**//**/… take it seconds. Rulers of comments stay far below.
const maxRescans = 4 << 20

// scannable returns an error if scanning the text could take long.
func scannable(text string) error {
	rescans := 0
	for i := 0; i < len(text); {
		begin, tokens := i, 0
		for ; i < len(text) && strings.IndexByte("~!@#^&|`?+-*/%<>=", text[i]) >= 0; i++ {
			switch next := i + 1; {
			case text[i] == '+',
				text[i] == '/' && next < len(text) && text[next] == '*',
				text[i] == '-' && (i == begin || text[i-1] != '-'):
				tokens++
			}
		}
		if rescans += tokens * (i - begin); rescans > maxRescans {
			return Errorf(CodeTooComplex, "the statement has too many operators and comments side by side").
				WithHint("Put blanks between them.")
		}
		if i == begin {
			i++
		}
	}
	return nil
}

// Scan returns the tokens of a text, by PostgreSQL's own scanner.
func Scan(text string) (*pg_query.ScanResult, error) {
	if err := scannable(text); err != nil {
		return nil, err
	}
	return pg_query.Scan(text)
}
