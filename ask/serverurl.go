package ask

import (
	"errors"
	"fmt"
	"regexp"
)

var urlScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// CheckURL says that the setting of a server's URL is one of something else than PostgreSQL. PostgreSQL's parsers would take its
// parts for keywords, and connect elsewhere.
func CheckURL(name, url string) error {
	if s := urlScheme.FindString(url); s != "" && s != "postgres://" && s != "postgresql://" {
		return fmt.Errorf("%s begins with %q: it must be written like postgres://user:password@host:5432/?sslmode=verify-full", name, s)
	}
	return nil
}

// URLError says that the setting of a server's URL cannot be read. Of
// the parser's error only the cause is told, without what it quotes: parsers
// show the text itself, and mask what looks like a password to them at best.
func URLError(name string, err error) error {
	why := "it must be written like postgres://user:password@host:5432/?sslmode=verify-full"
	if cause := errors.Unwrap(err); cause != nil {
		why = RedactText(cause.Error())
	}
	return fmt.Errorf("%s cannot be read: %s", name, why)
}
