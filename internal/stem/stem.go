// Package stem brings the forms of a word together.
package stem

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// functionWords are words that Snowball's rules would cut although the cut
// form is another word or none: "does" would become the animal "doe".
var functionWords = map[string]bool{
	"above": true, "any": true, "because": true, "before": true, "being": true, "does": true, "doing": true,
	"during": true, "having": true, "hers": true, "its": true, "once": true, "only": true, "ours": true,
	"ourselves": true, "theirs": true, "themselves": true, "very": true, "why": true, "yours": true, "yourselves": true,
}

// English returns the stem of an English word in lower case, by the rules of
// Snowball's English stemmer (Porter 2). Function words stay as they are.
func English(word string) string {
	word = strings.ToValidUTF8(strings.ToLower(strings.TrimSpace(word)), "\uFFFD")
	if len(word) <= 2 || functionWords[word] {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
