package words

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	snowball "github.com/blevesearch/snowballstem/english"
)

// uncut are words that Snowball's rules would cut although the cut
// form is another word or none: "does" would become the animal "doe".
var uncut = map[string]bool{
	"above": true, "any": true, "because": true, "before": true, "being": true, "does": true, "doing": true,
	"during": true, "having": true, "hers": true, "its": true, "once": true, "only": true, "ours": true,
	"ourselves": true, "theirs": true, "themselves": true, "very": true, "why": true, "yours": true, "yourselves": true,
}

// EnglishStem returns the stem of an English word in lower case, by the rules of
// Snowball's English stemmer (Porter 2). Function words stay as they are.
func EnglishStem(word string) string {
	word = strings.ToValidUTF8(strings.ToLower(strings.TrimSpace(word)), "\uFFFD")
	if len(word) <= 2 || uncut[word] {
		return word
	}
	env := snowballstem.NewEnv(word)
	snowball.Stem(env)
	return env.Current()
}
