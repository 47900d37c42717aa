package wire

import "fmt"

// Requests of Authentication messages (PostgreSQL documentation, "Message Formats").
const (
	AuthOK           = 0
	authCleartext    = 3
	authMD5          = 5
	AuthSASL         = 10
	AuthSASLContinue = 11
	AuthSASLFinal    = 12
)

// AuthMethod says what a server wants that asks for an authentication other than SCRAM.
func AuthMethod(request uint32) string {
	switch request {
	case authCleartext:
		return "the password itself (password, ldap, pam or radius in pg_hba.conf)"
	case authMD5:
		return "an MD5 hash of the password"
	case 7, 8, 9:
		return "GSSAPI or SSPI"
	case AuthSASL:
		return "a SASL mechanism other than SCRAM-SHA-256"
	}
	return fmt.Sprintf("authentication request %d", request)
}

// SASLMechanisms reads the list of an AuthenticationSASL message.
func SASLMechanisms(list []byte) (names []string) {
	for len(list) > 0 && list[0] != 0 {
		name, rest, ok := CutString(list)
		if !ok {
			break
		}
		names, list = append(names, string(name)), rest
	}
	return names
}
