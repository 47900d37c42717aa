package eval_test

import (
	"os"
	"testing"

	"askpg/eval"
)

// What the built-in engine reaches on the shop's questions. A change may raise
// these figures, never lower them.
const (
	minAccuracy  = 0.94
	minPrecision = 0.97
	minRefused   = 0.97
)

// The built-in engine stays at its figures, on the whole of askpg but the wire.
func TestShop_Thresholds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PostgreSQL servers, which -short leaves out")
	}
	out := os.Getenv("ASKPG_EVAL_OUT") // a folder to keep the report in
	if out == "" {
		out = t.TempDir()
	}
	r, err := eval.Run(t.Context(), eval.Options{Sets: []string{shopSet}, Out: out, Strategies: []string{"grammar"}, Open: openTranslator})
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Summary("shop", "grammar")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("accuracy %.3f of %d, precision %.3f, refused %.3f of %d, median %s", s.Perm, s.Questions, s.Precision, s.Refused, s.Unanswerable, s.P50)
	for _, f := range []struct {
		name      string
		got, want float64
	}{{"accuracy", s.Perm, minAccuracy}, {"precision", s.Precision, minPrecision}, {"refused", s.Refused, minRefused}} {
		if f.got < f.want {
			t.Errorf("%s is %.3f, it has to be %.3f", f.name, f.got, f.want)
		}
	}
	for _, f := range r.Failures {
		t.Logf("%s %-14s %s\n    %s %s", f.Question, f.Cause, f.Text, f.SQL, f.Message)
	}
}
