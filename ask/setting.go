package ask

import (
	"errors"
	"fmt"
)

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
