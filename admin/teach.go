package admin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"askpg/ask"
	"askpg/store"
)

// teachPart is what the page of a translation has for an administrator who teaches what its words mean.
type teachPart struct {
	Forms   []teachForm
	Objects []string // tables and columns that the question or its SQL is about
	Fixed   string   // why the file cannot be changed here
	Problem string
	Entry   string // to be added by hand
	Done    bool
}

// teachForm is the form of one kind of definition.
type teachForm struct {
	Kind, Title, Button string
	Open                bool
	Fields              []teachField
}

// teachField is an input of a form.
type teachField struct {
	Name, Label, Value string
	Object             bool // it takes a table or column
	Optional           bool
}

// suggestTimeout bounds what is looked up in the catalog for the page of a translation.
const suggestTimeout = 2 * time.Second

// maxTaught is how long an input may be, in bytes.
const maxTaught = 4 << 10

// teachForms are the forms with what stands in them: fill chooses for each kind.
func teachForms(fill func(kind string) (d Definition, open bool)) (forms []teachForm) {
	for _, f := range []teachForm{
		{"synonym", "A synonym", "Add the synonym", false, []teachField{{Name: "words", Label: "Word, or several with commas"}, {Name: "of", Label: "means the table or column", Object: true}}},
		{"measure", "A measure", "Add the measure", false, []teachField{{Name: "words", Label: "Name"}, {Name: "of", Label: "of the rows of table", Object: true},
			{Name: "expression", Label: "Expression, as in sum(total)"}, {Name: "condition", Label: "Only rows where", Optional: true}}},
		{"term", "A term for some rows", "Add the term", false, []teachField{{Name: "words", Label: "Name, as in overdue invoices"}, {Name: "of", Label: "are the rows of table", Object: true}, {Name: "condition", Label: "where"}}},
		{"filter", "A default filter", "Add the filter", false, []teachField{{Name: "of", Label: "Of table", Object: true}, {Name: "condition", Label: "only these rows count, unless asked otherwise: where"}}},
		{"description", "A description", "Add the description", false, []teachField{{Name: "of", Label: "Of table or column", Object: true}, {Name: "words", Label: "Description, in place of its comment"}}},
		{"private", "A private column", "Make it private", false, []teachField{{Name: "of", Label: "Column whose values no model and no index gets", Object: true}}},
	} {
		d, open := fill(f.Kind)
		f.Open = open
		for i := range f.Fields {
			f.Fields[i].Value = map[string]string{"of": d.Of, "words": d.Words, "expression": d.Expression, "condition": d.Condition}[f.Fields[i].Name]
		}
		forms = append(forms, f)
	}
	return forms
}

// fillTeach fills in what an administrator may teach on the page of a translation: what was not understood, and what the verified
// SQL of a correction, or the reading that the asker took, defines.
func (s *Server) fillTeach(ctx context.Context, p *translationPage) {
	t := p.Teach
	if file, err := s.semanticsFile(); err != nil {
		t.Fixed = err.Error() + "."
	} else {
		t.Fixed = file.Fixed
	}
	verified := ""
	switch {
	case p.Review == store.Corrected && p.Example != nil && p.Example.Translation == p.ID:
		verified = p.Example.SQL
	case p.Source == string(ask.SourceChoice):
		verified = p.SQL
	}
	ctx, cancel := context.WithTimeout(ctx, suggestTimeout)
	defer cancel()
	var suggested []Definition
	t.Objects, suggested = s.Semantics.Suggest(ctx, p.Record, verified)
	if t.Forms != nil { // as they were sent
		return
	}
	synonym := Definition{Kind: "synonym", Words: strings.Join(notUnderstood(p.Detail), ", ")}
	if verified != "" && len(t.Objects) > 0 {
		synonym.Of = t.Objects[0]
	}
	if synonym.Words != "" {
		suggested = append(suggested, synonym)
	}
	t.Forms = teachForms(func(kind string) (Definition, bool) {
		at := slices.IndexFunc(suggested, func(d Definition) bool { return d.Kind == kind })
		if at < 0 || t.Done { // what was suggested is in the file
			return Definition{}, false
		}
		return suggested[at], true
	})
}

// understood matches what the built-in engine says of words that go with nothing.
var understood = regexp.MustCompile(`^Not understood: ("(?:[^"\\]|\\.)*"(?:, "(?:[^"\\]|\\.)*")*)[;.]`)

// notUnderstood returns the words that an error's detail says were not understood.
func notUnderstood(detail string) (words []string) {
	m := understood.FindStringSubmatch(detail)
	if m == nil {
		return nil
	}
	for rest := m[1]; rest != ""; rest = strings.TrimPrefix(rest, ", ") {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return words
		}
		if word, err := strconv.Unquote(quoted); err == nil {
			words = append(words, word)
		}
		rest = rest[len(quoted):]
	}
	return words
}

// teach adds a definition to the semantics file.
func (s *Server) teach(w http.ResponseWriter, r *http.Request) {
	rec, err := s.store.GetWithin(r.Context(), r.PathValue("id"), sender(r).scope(administrator))
	if err != nil {
		s.problem(w, r, err)
		return
	}
	text := func(name string) string {
		return strings.TrimSpace(strings.ReplaceAll(r.PostFormValue(name), "\r\n", "\n"))
	}
	d := Definition{Kind: r.PostFormValue("kind"), Database: rec.Database, Of: text("of"), Words: text("words"), Expression: text("expression"), Condition: text("condition")}
	t := &teachPart{Forms: teachForms(func(kind string) (Definition, bool) {
		if kind == d.Kind {
			return d, true
		}
		return Definition{}, false
	})}
	err = d.complete(t.Forms)
	if err == nil {
		t.Entry, err = s.addDefinition(r, rec, d)
	}
	var refused *refusal
	switch {
	case err == nil:
		http.Redirect(w, r, "/translations/"+url.PathEscape(rec.ID)+"?taught=1#teach", http.StatusSeeOther)
		return
	case errors.As(err, &refused), errors.Is(err, ErrSemanticsChanged):
		t.Problem = sentence(err)
	default:
		t.Problem = "Nothing was added: " + sentence(err)
		s.log.ErrorContext(r.Context(), "the semantics file was not changed", "by", sender(r).name, "error", err)
	}
	s.showTranslation(w, r, http.StatusUnprocessableEntity, translationPage{Teach: t})
}

// complete refuses a definition that lacks what the form of its kind takes.
func (d *Definition) complete(forms []teachForm) error {
	at := slices.IndexFunc(forms, func(f teachForm) bool { return f.Kind == d.Kind })
	if at < 0 {
		return &refusal{"There is no such definition."}
	}
	for _, f := range forms[at].Fields {
		if f.Value == "" && !f.Optional {
			return &refusal{"“" + f.Label + "” is empty."}
		}
		if strings.ContainsRune(f.Value, 0) { // which neither PostgreSQL nor a message of its protocol can hold
			return &refusal{"“" + f.Label + "” has a NUL byte."}
		}
		if len(f.Value) > maxTaught {
			return &refusal{"“" + f.Label + "” is longer than " + strconv.Itoa(maxTaught) + " bytes."}
		}
	}
	return nil
}

// addDefinition adds a definition to the end of the semantics file. The entry is empty if it is not accepted; else an error says why it
// is to be added by hand.
func (s *Server) addDefinition(r *http.Request, rec *store.Record, d Definition) (entry string, err error) {
	file, err := s.semanticsFile()
	if err != nil {
		return "", err
	}
	by := sender(r)
	ctx, cancel := context.WithTimeout(r.Context(), planTimeout)
	defer cancel()
	next, err := s.Semantics.With(ctx, file.Text, rec.Role, d, by.name)
	if err != nil {
		return "", &refusal{"The catalog of " + rec.Database + " cannot be read as " + rec.Role + ", so the definition cannot be checked: " + err.Error() + "."}
	}
	entry = strings.TrimSpace(next[len(file.Text):])
	if file.Fixed != "" {
		if err := s.checkSemantics(r.Context(), rec.Database, rec.Role, file.Text, next); err != nil {
			return "", err
		}
		return entry, &refusal{file.Fixed + " The definition is right; add it to the file by hand:"}
	}
	said := &store.Remark{Translation: rec.ID, Kind: "teach", By: by.name, How: by.how, Reason: entry}
	err = s.saveSemantics(r, rec.Database, rec.Role, file.Text, next, said)
	var refused *refusal
	if errors.As(err, &refused) || errors.Is(err, ErrSemanticsChanged) {
		entry = ""
	}
	return entry, err
}

// sentence is an error as one.
func sentence(err error) string {
	text := err.Error()
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ":") {
		text += "."
	}
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:]
}
