package token

// kinds are the kinds of the ASCII characters.
var kinds = func() (k [128]kind) {
	for b := range k {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z':
			k[b] = letter
		case b >= '0' && b <= '9':
			k[b] = digit
		case b == '\n':
			k[b] = newline
		case b == ' ', b == '\t', b == '\r', b == '\f', b == '\v':
			k[b] = blank
		}
	}
	return k
}()

// within has for each small letter those that follow it in words that have
// become a token of their own: of the 4,000 words most frequent in texts
// about databases, at least five such words have the pair.
var within = following([26]string{
	"bcdfgiklmnprstuvwy",     // a
	"aeilorsuy",              // b
	"acehiklorstuy",          // c
	"abdegilorsuy",           // d
	"abcdefghilmnopqrstvwxy", // e
	"aefilortuy",             // f
	"aeghilnorsu",            // g
	"aeilnortu",              // h
	"abcdefgklmnoprstvxz",    // i
	"eo",                     // j
	"aeins",                  // k
	"adeilostuvy",            // l
	"abeimopsu",              // m
	"acdefghiklnostuvy",      // n
	"abcdfgiklmnoprstuvwx",   // o
	"aehiloprstu",            // p
	"u",                      // q
	"abcdefgiklmnoprstuvwy",  // r
	"acehiklopstuwy",         // s
	"acehilorstuwy",          // t
	"abcdefgilmnprst",        // u
	"aeio",                   // v
	"aehinors",               // w
	"aceipt",                 // x
	"einpst",                 // y
	"e",                      // z
})

// begins has for each small letter those that follow it where such words
// begin, two at the least.
var begins = following([26]string{
	"bcdfgilmnprstuvw",  // a
	"aeiloruy",          // b
	"aehiloprsu",        // c
	"abdeioru",          // d
	"adfilmnqrstvx",     // e
	"aeiloru",           // f
	"aeioru",            // g
	"aeiotu",            // h
	"dfglmnrst",         // i
	"osu",               // j
	"aein",              // k
	"aeios",             // l
	"aeiosuy",           // m
	"aeou",              // n
	"bflmnprtuvw",       // o
	"aehikloruwy",       // p
	"u",                 // q
	"aeiosu",            // r
	"acehiklmnopqrtuwy", // s
	"aehioruwxy",        // t
	"inpst",             // u
	"aeio",              // v
	"aehior",            // w
	"x",                 // x
	"aeio",              // y
	"o",                 // z
})

func following(letters [26]string) (f [26]uint32) {
	for i, s := range letters {
		for _, l := range s {
			f[i] |= 1 << (l - 'a')
		}
	}
	return f
}

// pairs has for each mark of punctuation those that make one token with it
// in cl100k and in o200k, with a blank before them and without.
var pairs = func() (p [128][2]uint64) {
	for first, seconds := range map[byte]string{
		'!':  "!\"(=",
		'"':  "\"#$%&'()*+,-./:;<>?[\\]_`{|}",
		'#':  "\"#:[{",
		'$':  "$(.\\_{",
		'%':  "\"%(-.=@",
		'&':  "#&(),_",
		'\'': "\"#$%'()*+,-./:;<=>?[\\]^_{}",
		'(':  "!\"#$%&'()*+-./:;<?@[\\^_`{~",
		')':  "(),.:;[{",
		'*':  "()*,./=>@_",
		'+':  "\"'(+-=",
		',':  "\"',-[",
		'-':  "(*,-.=>",
		'.':  "\"$'*./=",
		'/':  "(*./=>\\^",
		':':  "\"'(),-:=]",
		';':  ")-;",
		'<':  "!$-/<=>?",
		'=':  "\"$&'(=>[{",
		'>':  "&(/<=>",
		'?':  ",.:>?",
		'@':  "\"$(@[",
		'[':  "\"$%'(,-/:[]_`{",
		'\\': "\"$'(/<\\",
		']':  "),.;[]",
		'^':  "^",
		'_':  "$(),.:_",
		'`':  ".`",
		'{':  "\"$%'-:@\\{|}",
		'|':  "-\\|",
		'}':  "),.:;>\\]}",
		'~':  "/=~",
	} {
		for _, b := range []byte(seconds) {
			p[first][b>>6] |= 1 << (b & 63)
		}
	}
	return p
}()

// paired reports whether two marks of punctuation make one token. No mark
// pairs with 0, which stands for one that is in a pair.
func paired(a, b byte) bool { return pairs[a][b>>6]&(1<<(b&63)) != 0 }

// latin is the last letter of the Latin scripts that alphabets of Europe use,
// which a blank joins as it does those of ASCII.
const latin = 0x24F

// halves is how many halves of tokens a character beyond ASCII takes. What no
// vocabulary has merged takes its bytes, whatever is no character (which
// reaches a model as U+FFFD) included.
func halves(r rune) int {
	switch {
	case r >= 0x100 && r < 0x250: // Latin of few languages
		return 3
	case r < 0x100, r >= 0x370 && r < 0x530, r >= 0x590 && r < 0x700: // Latin, Greek, Cyrillic, Hebrew, Arabic
		return 2
	case r < 0x800:
		return 4
	case r >= 0x3000 && r < 0x3100, r >= 0x4E00 && r < 0xA000: // kana, ideographs
		return 3
	case r >= 0x900 && r < 0x980, r >= 0xE00 && r < 0xE80, r >= 0x2000 && r < 0x2070 && r != 0x200D: // Devanagari, Thai, dashes and quotes
		return 3
	case r >= 0x1E00 && r < 0x1F00, r >= 0x2070 && r < 0x2600, r >= 0xAC00 && r < 0xD7B0, r >= 0xFF00 && r < 0xFFF0: // Vietnamese, signs, hangul, full width
		return 4
	case r < 0x10000:
		return 6
	}
	return 8
}
