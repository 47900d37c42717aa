// Words made of others: "resolution" and "resolved" of "resolve".

package grammar

import (
	"slices"
	"strings"
)

// ending is an ending of derived words ("-ation" of "cancellation"), and what their root ends in instead.
type ending struct{ made, base string }

// minRootLength is the number of letters of the shortest root.
const minRootLength = 3

// roots returns the roots that a word may have: its own letters, and what is left without what it ends in.
func (l *language) roots(word string) []string {
	if one := singular(word); one != "" {
		word = one
	}
	if base, ok := l.irregular[word]; ok {
		word = base
	}
	if root, ok := l.rootOf[word]; ok {
		word = root
	}
	out := []string{normalRoot(word)}
	if l.notDerived[word] {
		return out
	}
	for _, e := range l.endings {
		if rest, ok := strings.CutSuffix(word, e.made); ok && len(rest) >= minRootLength-1 && len(rest)+len(e.base) >= minRootLength {
			return append(out, normalRoot(rest+e.base))
		}
	}
	return out
}

// normalRoot returns a root without the letters by which its forms differ at the end: "cancel" of cancell, "appl" of apply and of appli.
func normalRoot(root string) string {
	if n := len(root) - 1; n > minRootLength-1 && strings.IndexByte("eyi", root[n]) >= 0 {
		root = root[:n]
	}
	if n := len(root) - 1; n > minRootLength-1 && root[n] == root[n-1] {
		root = root[:n]
	}
	return root
}

// particles stand behind verbs, and are written together with them in nouns: a "signup" is when somebody signed up.
var particles = wordSet([]string{"up", "in", "out", "off", "down", "over", "back"})

// withParticle writes the verb and its particle in the words of a name as one noun; nil if there are none.
func (l *language) withParticle(words []string) []string {
	for k := 1; k < len(words); k++ {
		if !particles[words[k]] || particles[words[k-1]] || len(words[k-1]) < minRootLength {
			continue
		}
		verb := words[k-1]
		if base, ok := l.irregular[verb]; ok {
			verb = base
		} else if base, ok := strings.CutSuffix(verb, "ed"); ok {
			verb = normalRoot(base)
		}
		return slices.Concat(words[:k-1], []string{verb + words[k]}, words[k+1:])
	}
	return nil
}

// addRoots notes the roots of the words of a name.
func (x *lexicon) addRoots(lb *label) {
	for k, w := range lb.words {
		if len(w) <= minRootLength {
			continue
		}
		for _, r := range x.language.roots(w) {
			if !slices.Contains(x.roots[r], lb.stems[k]) {
				x.roots[r] = append(x.roots[r], lb.stems[k])
			}
		}
	}
}

// derived returns the stems of words of names that have a root with a word in common.
func (x *lexicon) derived(word string) (out []string) {
	for _, r := range x.language.roots(word) {
		for _, s := range x.roots[r] {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}
