package proxy

import (
	"strings"
	"unicode/utf8"

	textencoding "golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"askpg/ask"
)

// encoding converts between a client_encoding and the UTF-8 in which questions
// are answered.
type encoding struct {
	name  string
	other textencoding.Encoding // nil for UTF-8 and for what can't be converted
	plain bool                  // UTF-8, or SQL_ASCII, which is taken as UTF-8
}

// encodings are the client encodings of PostgreSQL (documentation, "Character
// Set Support") that can be converted.
var encodings = map[string]textencoding.Encoding{
	"BIG5": traditionalchinese.Big5, "EUC_JP": japanese.EUCJP, "EUC_KR": korean.EUCKR, "GB18030": simplifiedchinese.GB18030,
	"GBK": simplifiedchinese.GBK, "ISO_8859_5": charmap.ISO8859_5, "ISO_8859_6": charmap.ISO8859_6,
	"ISO_8859_7": charmap.ISO8859_7, "ISO_8859_8": charmap.ISO8859_8, "KOI8R": charmap.KOI8R, "KOI8U": charmap.KOI8U,
	"LATIN1": charmap.ISO8859_1, "LATIN2": charmap.ISO8859_2, "LATIN3": charmap.ISO8859_3, "LATIN4": charmap.ISO8859_4,
	"LATIN5": charmap.ISO8859_9, "LATIN6": charmap.ISO8859_10, "LATIN7": charmap.ISO8859_13, "LATIN8": charmap.ISO8859_14,
	"LATIN9": charmap.ISO8859_15, "LATIN10": charmap.ISO8859_16, "SJIS": japanese.ShiftJIS, "UHC": korean.EUCKR,
	"WIN866": charmap.CodePage866, "WIN874": charmap.Windows874, "WIN1250": charmap.Windows1250, "WIN1251": charmap.Windows1251,
	"WIN1252": charmap.Windows1252, "WIN1253": charmap.Windows1253, "WIN1254": charmap.Windows1254,
	"WIN1255": charmap.Windows1255, "WIN1256": charmap.Windows1256, "WIN1257": charmap.Windows1257, "WIN1258": charmap.Windows1258,
}

func encodingOf(name string) *encoding {
	name = strings.ToUpper(name)
	return &encoding{name: name, other: encodings[name], plain: name == "UTF8" || name == "SQL_ASCII" || name == ""}
}

// decode makes UTF-8 of a text of the client.
func (e *encoding) decode(text []byte) (string, error) {
	switch {
	case e.plain:
		if !utf8.Valid(text) {
			return "", ask.Errorf(ask.CodeInvalidEncoding, "invalid byte sequence for encoding \"UTF8\" in the question")
		}
		return string(text), nil
	case isASCII(text):
		return string(text), nil
	case e.other == nil:
		return "", ask.Errorf(ask.CodeFeatureNotSupported, "a question can't be read in client_encoding %s", e.name).
			WithHint("SET client_encoding = 'UTF8'.")
	}
	b, err := e.other.NewDecoder().Bytes(text)
	if err != nil {
		return "", ask.Errorf(ask.CodeInvalidEncoding, "invalid byte sequence for encoding %q in the question", e.name)
	}
	return string(b), nil
}

// lenient decodes what can be decoded.
func (e *encoding) lenient(text []byte) string {
	if s, err := e.decode(text); err == nil {
		return s
	}
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// encode makes a text for the client of UTF-8. What its encoding does not have
// is replaced.
func (e *encoding) encode(s string) string {
	if e == nil || e.plain || e.other == nil || isASCII(s) {
		return s
	}
	b, err := textencoding.ReplaceUnsupported(e.other.NewEncoder()).String(s)
	if err != nil {
		return s
	}
	return b
}

// exactly makes a text for the server that reads as the same there; false if it
// can't be proved to.
func (e *encoding) exactly(s string) ([]byte, bool) {
	if e.plain || isASCII(s) {
		return []byte(s), true
	}
	m, ok := e.other.(*charmap.Charmap)
	if !ok {
		return nil, false
	}
	b, err := m.NewEncoder().Bytes([]byte(s))
	return b, err == nil
}

func isASCII[T ~string | ~[]byte](s T) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
