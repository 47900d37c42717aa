package learn

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"askpg/ask"
)

// field is a key of an entry of the semantics file: a string, a list of
// strings, a table of strings or a truth. Empty strings and lists are not written.
type field struct {
	name  string
	value any
}

// TOML is the proposal's entry in the semantics file.
func (p *Proposal) TOML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[[%s]]\n", p.table)
	for _, f := range p.fields {
		switch v := f.value.(type) {
		case string:
			if v != "" {
				fmt.Fprintf(&b, "%s = %s\n", f.name, quoted(v))
			}
		case []string:
			if len(v) > 0 {
				list := make([]string, len(v))
				for i := range v {
					list[i] = quoted(v[i])
				}
				fmt.Fprintf(&b, "%s = [%s]\n", f.name, strings.Join(list, ", "))
			}
		case bool:
			fmt.Fprintf(&b, "%s = %t\n", f.name, v)
		case map[string]string:
			var list []string
			for k := range v {
				list = append(list, oneLine(k)+" = "+oneLine(v[k]))
			}
			slices.Sort(list)
			fmt.Fprintf(&b, "%s = { %s }\n", f.name, strings.Join(list, ", "))
		}
	}
	return b.String()
}

// quoted writes a TOML string: of several lines as they are where that can be.
func quoted(s string) string {
	odd := func(r rune) bool {
		return r < ' ' && r != '\n' || !unicode.IsPrint(r) && r != '\n' || r == utf8.RuneError
	}
	if strings.Contains(s, "\n") && !strings.Contains(s, "'''") && !strings.HasSuffix(s, "'") && !strings.ContainsFunc(s, odd) {
		return "'''\n" + s + "'''"
	}
	return oneLine(s)
}

// oneLine writes a TOML string of one line, as a key has to be. What a terminal would obey is escaped.
func oneLine(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case !unicode.IsPrint(r) && r <= 0xffff:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// ID is equal for equal proposals, whatever their evidence.
func (p *Proposal) ID() string {
	text := p.TOML()
	if p.Kind == kindDescription { // a model finds other words each time
		text = string(p.Kind) + p.table + p.Name
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// Fragment is the proposals as text of a semantics file, with what was read and
// the evidence as comments, and the lines that refuse them.
func (r *Report) Fragment() string {
	var b strings.Builder
	for _, l := range r.Summary() {
		b.WriteString("# " + l + "\n")
	}
	for _, p := range r.Proposals {
		b.WriteByte('\n')
		for _, l := range p.Explain() {
			b.WriteString("# " + l + "\n")
		}
		b.WriteString(p.TOML() + "# to refuse it for good, have this line in its place: " + p.refused() + "\n")
	}
	return b.String()
}

// refusal marks in a semantics file what an admin does not want proposed again.
const refusal = "# refused proposal "

// Accepted is what is added to the semantics file for the proposal; note says
// when and by whom.
func (p *Proposal) Accepted(note string) string {
	return fmt.Sprintf("\n# accepted %s: %s\n%s", note, strings.TrimSpace(p.Explain()[0]), p.agreed(note).TOML())
}

// agreed is a proposal whose entry says when and by whom it was accepted, if answers can say so.
func (p *Proposal) agreed(note string) *Proposal {
	filters := slices.ContainsFunc(p.fields, func(f field) bool { return f.name == "filter" })
	if p.table != "measure" && p.table != "term" && (p.table != "table" || !filters) {
		return p
	}
	q := *p
	q.fields = append(slices.Clone(p.fields), field{"agreed", note})
	return &q
}

// Refused is what is added to the semantics file so that the proposal is not made again.
func (p *Proposal) Refused(note string) string { return p.refused() + ", " + note + "\n" }

func (p *Proposal) refused() string {
	return fmt.Sprintf("%s%s: %s %s", refusal, p.ID(), p.Kind, strings.ReplaceAll(ask.Visible(p.Name), "\n", " "))
}

// Refuse leaves out what a semantics file says is refused, and has in its place what the other statements say.
func (r *Report) Refuse(semantics string) {
	var left []*Proposal
	for _, p := range r.Proposals {
		if refusedIn(semantics, p) {
			r.fell(fellRefused, string(p.Kind)+" "+p.Name)
			p = p.Instead(semantics)
		}
		if p != nil {
			left = append(left, p)
		}
	}
	r.Proposals = left
}

// Instead returns what the other statements propose in the place of a measure or term that is refused, nil if they
// propose nothing. What a semantics file refuses is passed over.
func (p *Proposal) Instead(semantics string) *Proposal {
	refused := p
	for p != nil && p.definition != nil {
		d := p.definition
		rest := slices.DeleteFunc(slices.Clone(d.reads), func(r reading) bool { return slices.Contains(d.For, r.statement) })
		next := decide(d.name, rest)
		if next == nil || !next.enough(minShare) || next.trivial() {
			return nil
		}
		p = p.learner.named(next)
		if p.place = refused; !refusedIn(semantics, p) {
			return p
		}
	}
	return nil
}

func refusedIn(semantics string, p *Proposal) bool {
	return strings.Contains("\n"+semantics, "\n"+refusal+p.ID()+":")
}
