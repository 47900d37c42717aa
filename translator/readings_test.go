package translator_test

import (
	"testing"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator"
)

// TestTranslate_FurtherReadings has the grammar read a question in three ways
// while no model is asked: all of them run and are listed, the best answers,
// and the next one does if the best fails.
func TestTranslate_FurtherReadings(t *testing.T) {
	const orders, shipped, customers, broken = "SELECT count(*) FROM orders", "SELECT count(*) FROM orders WHERE status = 'shipped'",
		"SELECT count(*) FROM customers", "SELECT nothing FROM orders"
	for _, tt := range []struct {
		name       string
		readings   []string
		want       string
		confidence float64
	}{
		{"the best answers", []string{orders, shipped, customers}, orders, 0.9},
		{"agreement of the others does not overrule it", []string{orders, shipped, shipped + " AND true"}, orders, 0.9},
		{"the best fails", []string{broken, shipped, customers}, shipped, 0.8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, func(string, string, *catalog.Snapshot, translator.InterpretOptions) ([]translator.Reading, error) {
				var list []translator.Reading
				for i, sql := range tt.readings {
					list = append(list, translator.Reading{SQL: sql, Score: 0.9 - float64(i)/10, Understood: sql})
				}
				return list, nil
			}, nil)
			tr, err := w.ask(t, "how many orders")
			if err != nil {
				t.Fatal(err)
			}
			if tr.SQL != tt.want || tr.Understood != tt.want || tr.Confidence < tt.confidence-1e-9 || tr.Confidence > tt.confidence+1e-9 || tr.Source != ask.SourceGrammar {
				t.Errorf("got %q, %q, confidence %v, source %s", tr.SQL, tr.Understood, tr.Confidence, tr.Source)
			}
			if len(tr.Candidates) != 3 {
				t.Fatalf("%d candidates", len(tr.Candidates))
			}
			for _, c := range tr.Candidates {
				if c.Fate == "" || c.SQL != broken && c.Fingerprint == "" {
					t.Errorf("a reading that was not run: %+v", c)
				}
			}
		})
	}
}
