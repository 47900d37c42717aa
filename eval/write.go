package eval

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"text/tabwriter"
	"time"
)

// write writes report.json, report.csv and report.html, each whole or not at all.
func (r *Report) write(dir string) error {
	for name, f := range map[string]func(io.Writer) error{
		"report.json": r.writeJSON,
		"report.csv":  r.writeCSV,
		"report.html": r.writeHTML,
	} {
		if err := writeWhole(filepath.Join(dir, name), f); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return nil
}

func writeWhole(path string, f func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if err := f(file); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Chmod(file.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

func (r *Report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(r)
}

// writeCSV writes one line for each outcome.
func (r *Report) writeCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	header := []string{"set", "question", "db", "difficulty", "system", "answered", "right", "strict", "perm", "contained", "bird", "suite", "soft_f1",
		"any_right", "confidence", "code", "message", "cause", "calls", "prompt_tokens", "completion_tokens", "cost", "ms", "text", "sql"}
	if err := c.Write(header); err != nil {
		return err
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }
	for _, o := range r.outcomes {
		if err := c.Write([]string{o.Set, o.Question, o.q.Database, o.q.Difficulty, o.System, strconv.FormatBool(o.Answered), number(o.right(o.q)),
			number(o.Strict), number(o.Perm), number(o.Contained), number(o.BIRD), number(o.Suite), number(o.SoftF1),
			strconv.FormatBool(o.AnyRight), number(o.Confidence), o.Code, o.Message, string(o.Cause), strconv.Itoa(o.Usage.Calls),
			strconv.Itoa(o.Usage.PromptTokens), strconv.Itoa(o.Usage.CompletionTokens), number(o.Usage.Cost),
			number(float64(o.Elapsed) / float64(time.Millisecond)), o.q.Text, o.SQL}); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// WriteText writes the figures as a table for a terminal.
func (r *Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "set\tsystem\tquestions\tstrict\tperm\t95 %\tcontained\tcoverage\tprecision\tany right\trefused\tdeclined\tfailed\tcalls\ttokens\tECE\tat 95 %\tp50")
	for _, s := range r.Systems {
		refused := "–"
		if s.Unanswerable > 0 {
			refused = fmt.Sprintf("%.3f", s.Refused)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t%.3f\t%.3f–%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%s\t%.3f\t%d\t%.1f\t%.0f\t%.3f\t%.3f\t%s\n", s.Set, s.System, s.Questions, s.Strict, s.Perm, s.PermLow, s.PermHigh,
			s.Contained, s.Coverage, s.Precision, s.AnyRight, refused, s.Declined, s.Failed, s.Calls, s.Tokens, s.ECE, s.Sure, s.P50.Round(100*time.Microsecond))
	}
	return t.Flush()
}
