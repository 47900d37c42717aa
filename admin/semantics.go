package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"askpg/store"
)

// Semantics is the semantics file, and the catalog that reads it.
type Semantics interface {
	File() (SemanticsFile, error)
	// Problems returns what of a text does not fit a database as a role sees it; an empty database is none. The error says why
	// the text is no semantics file, or why that cannot be told.
	Problems(ctx context.Context, database, role, text string) ([]string, error)
	// With returns a text with a definition at its end, and a note of who gives it.
	With(ctx context.Context, text, role string, d Definition, by string) (string, error)
	// Replace puts a text in the file's place, and has the catalog read it. It returns ErrSemanticsChanged if the file does
	// not hold was any more.
	Replace(was, text string) error
	// Suggest returns the tables and columns that a definition may be about, those of a translation's SQL first. It also
	// returns what SQL that was verified in its answer's place may define. It may find nothing.
	Suggest(ctx context.Context, r *store.Record, verified string) (objects []string, list []Definition)
	// Propose returns what SQL in use defines at a database as a role sees it, and a summary of what was read. It reads
	// pg_stat_statements too if that is wanted.
	Propose(ctx context.Context, database, role, sql string, statistics bool) (summary []string, list []Proposal, err error)
}

// SemanticsFile is the semantics file as it is now.
type SemanticsFile struct {
	Path  string
	Text  string
	Fixed string // why it cannot be changed here, a sentence; empty if it can
}

// Definition is an entry of the semantics file that an administrator gives.
type Definition struct {
	Kind       string // synonym, description, measure, term, filter or private
	Database   string // that it is about
	Of         string // the table or column that it is about
	Words      string // synonyms, with commas; the description; the name of the measure or term
	Expression string // of a measure
	Condition  string // a filter, or that of a term; of a measure it may be empty
}

// ErrSemanticsChanged says that somebody else has changed the semantics file meanwhile.
var ErrSemanticsChanged = errors.New("the semantics file has changed meanwhile")

// maxSemantics is how long the semantics file may become here, in bytes.
const maxSemantics = 256 << 10

// teaches says whether somebody may change the semantics file: it is for all databases and roles, so a role for a part of the log
// does not do.
func (w *who) teaches() bool { return w.scope(administrator) == nil }

// semanticsFile returns the file. Without a sign-in nobody changes it: it says what is private, and no history could name who did.
func (s *Server) semanticsFile() (SemanticsFile, error) {
	f, err := s.Semantics.File()
	if err == nil && f.Fixed == "" && !s.config().requiresSignIn() {
		f.Fixed = "Nobody signs in here, so nobody could be named for a change: [[admin.access]] with the role admin lets people sign in."
	}
	return f, err
}

// saveSemantics checks a new text of the semantics file, logs it, and puts it in the file's place. Its error is a refusal if the text is
// not accepted, and ErrSemanticsChanged if the file is not was any more.
func (s *Server) saveSemantics(r *http.Request, database, role, was, text string, said *store.Remark) error {
	if err := s.checkSemantics(r.Context(), database, role, was, text); err != nil {
		return err
	}
	by := sender(r)
	return s.store.EditSemantics(r.Context(), store.SemanticsEdit{By: by.name, How: by.how, Old: was, New: text}, said, func() error {
		if err := s.Semantics.Replace(was, text); err != nil {
			return err
		}
		s.log.InfoContext(r.Context(), "the semantics file was changed", "by", by.name, "how", by.how, "client", r.RemoteAddr, "before", digestOf(was), "after", digestOf(text))
		return nil
	})
}

// checkSemantics refuses a text that is no semantics file, or that does not fit a database where the one before did.
func (s *Server) checkSemantics(ctx context.Context, database, role, was, text string) error {
	if len(text) > maxSemantics {
		return &refusal{fmt.Sprintf("The file would have %d bytes; here it may have %d.", len(text), maxSemantics)}
	}
	ctx, cancel := context.WithTimeout(ctx, planTimeout)
	defer cancel()
	problems, err := s.Semantics.Problems(ctx, database, role, text)
	if err != nil {
		return &refusal{"The text is not accepted: " + err.Error() + "."}
	}
	before, err := s.Semantics.Problems(ctx, database, role, was)
	if err != nil { // a file that is none may be mended
		before = nil
	}
	problems = slices.DeleteFunc(problems, func(p string) bool { return slices.Contains(before, p) })
	if len(problems) > 0 {
		return &refusal{fmt.Sprintf("It does not fit database %q as role %q sees it: %s.", database, role, strings.Join(problems, "; "))}
	}
	return nil
}

// digestOf tells texts apart.
func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// definitionsPage is the page of the semantics file.
type definitionsPage struct {
	SemanticsFile
	Was            string // digest of the file's text when the editor was opened; empty for the one of now
	Database, Role string // that the text is checked against
	Facets         *store.Facets
	Problem        string
	Fits           string // what came of the check
	Difference     []change
	History        []shownEdit
	Done           bool
}

// shownEdit is a change of the semantics file.
type shownEdit struct {
	store.SemanticsEdit
	Difference []change
}

// shownEdits is how many changes the page shows; the export has all.
const shownEdits = 20

func (s *Server) showDefinitions(w http.ResponseWriter, r *http.Request) {
	s.renderDefinitions(w, r, http.StatusOK, definitionsPage{Done: r.URL.Query().Get("done") != ""})
}

// renderDefinitions renders the page. The fields of p that are set stay.
func (s *Server) renderDefinitions(w http.ResponseWriter, r *http.Request, status int, p definitionsPage) {
	file, err := s.semanticsFile()
	if err != nil {
		s.problem(w, r, err)
		return
	}
	if p.Facets, err = s.store.Facets(r.Context(), nil); err != nil {
		s.problem(w, r, err)
		return
	}
	if len(p.Facets.Databases) == 1 && r.Method == http.MethodGet {
		p.Database = p.Facets.Databases[0]
	}
	edits, err := s.store.SemanticsEdits(r.Context(), shownEdits)
	if err != nil {
		s.problem(w, r, err)
		return
	}
	for _, e := range edits {
		p.History = append(p.History, shownEdit{e, lineDifferences(e.Old, e.New)})
	}
	p.Path, p.Fixed = file.Path, file.Fixed
	if p.Was == "" {
		p.Was = digestOf(file.Text)
	}
	if p.Text == "" {
		p.Text = file.Text
	} else if p.Text != file.Text {
		p.Difference = lineDifferences(file.Text, p.Text)
	}
	s.render(w, r, status, "definitions", "Definitions", p)
}

// editDefinitions checks or saves what stands in the editor.
func (s *Server) editDefinitions(w http.ResponseWriter, r *http.Request) {
	text := strings.ReplaceAll(r.PostFormValue("text"), "\r\n", "\n")
	database, role := r.PostFormValue("database"), r.PostFormValue("role")
	p := definitionsPage{Database: database, Role: role, Was: r.PostFormValue("was")}
	p.Text = text
	file, err := s.semanticsFile()
	facets, facetsErr := s.store.Facets(r.Context(), nil)
	save := r.PostFormValue("do") == "save"
	switch {
	case err != nil || facetsErr != nil:
		s.problem(w, r, errors.Join(err, facetsErr))
		return
	case database != "" && (!slices.Contains(facets.Databases, database) || !slices.Contains(facets.Roles, role)):
		err = &refusal{"There is no such database or role to check it against."}
	case !save:
		err = s.checkSemantics(r.Context(), database, role, "", text)
		if p.Fits = "It is a semantics file. It was not checked against a database."; database != "" {
			p.Fits = fmt.Sprintf("It fits database %q as role %q sees it.", database, role)
		}
	case file.Fixed != "":
		err = &refusal{file.Fixed + " Nothing was saved."}
	case digestOf(file.Text) != p.Was:
		err = ErrSemanticsChanged
	case text == file.Text:
		err = &refusal{"The text is that of the file, so there is nothing to save."}
	default:
		err = s.saveSemantics(r, database, role, file.Text, text, nil)
	}
	var refused *refusal
	switch {
	case err == nil && save:
		http.Redirect(w, r, "/definitions?done=saved", http.StatusSeeOther)
	case err == nil:
		s.renderDefinitions(w, r, http.StatusOK, p)
	case errors.Is(err, ErrSemanticsChanged):
		p.Was, p.Fits, p.Problem = "", "", "The file has changed since you opened it, so nothing was saved. Below is what your text would change in the file as it is now: take over what you want to keep, and save again."
		s.renderDefinitions(w, r, http.StatusConflict, p)
	case errors.As(err, &refused):
		p.Fits, p.Problem = "", refused.Error()
		s.renderDefinitions(w, r, http.StatusUnprocessableEntity, p)
	default:
		p.Fits, p.Problem = "", "Nothing was saved: "+err.Error()+"."
		s.log.ErrorContext(r.Context(), "the semantics file was not changed", "by", sender(r).name, "error", err)
		s.renderDefinitions(w, r, http.StatusInternalServerError, p)
	}
}

// exportDefinitions is the semantics file itself.
func (s *Server) exportDefinitions(w http.ResponseWriter, r *http.Request) {
	file, err := s.semanticsFile()
	if err != nil {
		s.problem(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/toml; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="semantics.toml"`)
	_, _ = w.Write([]byte(file.Text))
}

// exportSemanticsEdits is the history of the semantics file: who has changed it, how he had signed in, and its text before and after.
func (s *Server) exportSemanticsEdits(w http.ResponseWriter, r *http.Request) {
	s.download(w, r, "definitions", store.JSONL, func() error { return s.store.ExportSemanticsEdits(r.Context(), w) })
}

// lineDifferences returns how b differs from a, line by line, with a line or two of what stands around it.
func lineDifferences(a, b string) []change {
	const around = 2
	lines := func(text string) []string { return strings.SplitAfter(strings.TrimSuffix(text, "\n")+"\n", "\n") }
	x, y := lines(a), lines(b)
	same := 0
	for same < len(x) && same < len(y) && x[same] == y[same] {
		same++
	}
	x, y = x[max(0, same-around):], y[max(0, same-around):]
	end := 0
	for end < len(x) && end < len(y) && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	end = max(0, end-around)
	x, y = x[:len(x)-end], y[:len(y)-end]
	var out changes
	add := func(op, line string) { out.add(op, spaced{text: line}) }
	if len(x) > maxCompared || len(y) > maxCompared {
		add("del", strings.Join(x, ""))
		add("ins", strings.Join(y, ""))
		return out
	}
	compare(x, y, func(a, b string) bool { return a == b }, add)
	return out
}
