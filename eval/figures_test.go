package eval

import (
	"math"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
)

func rows(oid uint32, rows ...[]string) *ask.Result {
	r := &ask.Result{Complete: true}
	for i, row := range rows {
		var values [][]byte
		for _, v := range row {
			if i == 0 {
				r.Columns = append(r.Columns, ask.Column{TypeOID: oid})
			}
			if v == "NULL" {
				values = append(values, nil)
			} else {
				values = append(values, []byte(v))
			}
		}
		r.Rows = append(r.Rows, values)
	}
	return r
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// The expected figures are those of BIRD mini-dev's own scripts.
func TestBIRD(t *testing.T) {
	const text, number = pgtype.TextOID, pgtype.NumericOID
	for _, test := range []struct {
		name      string
		gold, got *ask.Result
		ex        bool
		f1        float64
	}{
		{"Equal", rows(text, []string{"a", "b"}), rows(text, []string{"a", "b"}), true, 1},
		{"Duplicates", rows(text, []string{"a"}, []string{"a"}), rows(text, []string{"a"}), true, 1},
		{"Order", rows(text, []string{"a"}, []string{"b"}), rows(text, []string{"b"}, []string{"a"}), true, 0},
		{"Columns", rows(text, []string{"a", "b"}), rows(text, []string{"b", "a"}), false, 1},
		{"OneOfTwo", rows(text, []string{"a", "b"}), rows(text, []string{"a", "c"}), false, .5},
		{"MissingRow", rows(text, []string{"a"}, []string{"b"}), rows(text, []string{"a"}), false, 2. / 3},
		{"FurtherRow", rows(text, []string{"a"}), rows(text, []string{"a"}, []string{"b"}), false, 2. / 3},
		{"FurtherColumn", rows(text, []string{"a"}), rows(text, []string{"a", "b"}), false, 2. / 3},
		{"BothEmpty", rows(text), rows(text), true, 1},
		{"NothingFound", rows(text, []string{"a"}), rows(text), false, 0},
		{"Scale", rows(number, []string{"1.50"}), rows(number, []string{"1.5"}), true, 1},
		{"Exactly", rows(number, []string{"0.3333333"}), rows(number, []string{"0.3333334"}), false, 0},
		{"NumberAndText", rows(number, []string{"1"}), rows(text, []string{"1"}), false, 0},
		{"Null", rows(text, []string{"NULL"}), rows(text, []string{""}), false, 0},
		{"NaN", rows(number, []string{"NaN"}), rows(number, []string{"NaN"}), true, 1},
	} {
		if got := birdEX(test.gold, test.got); got != test.ex {
			t.Errorf("%s: EX %v, want %v", test.name, got, test.ex)
		}
		if got := softF1(test.gold, test.got); !near(got, test.f1) {
			t.Errorf("%s: Soft-F1 %v, want %v", test.name, got, test.f1)
		}
	}
}

func TestReward(t *testing.T) {
	for ratio, want := range map[float64]float64{2.5: 1.25, 2: 1.25, 1: 1, .5: .75, .25: .5, .1: .25} {
		if got := reward(ratio); got != want {
			t.Errorf("reward of %v is %v, want %v", ratio, got, want)
		}
	}
	values := []float64{100}
	for range 50 {
		values = append(values, 1)
	}
	if got := meanWithoutOutliers(values); got != 1 {
		t.Errorf("mean without the outlier is %v, want 1", got)
	}
}

// The p-values are those of R's binom.test(b, b + c).
func TestMcNemar(t *testing.T) {
	for _, test := range []struct {
		b, c int
		p    float64
	}{{0, 0, 1}, {5, 5, 1}, {0, 5, .0625}, {1, 9, .021484375}, {10, 20, .0987371467}} {
		if got := mcNemar(test.b, test.c); math.Abs(got-test.p) > 1e-8 {
			t.Errorf("%d to %d: p %v, want %v", test.b, test.c, got, test.p)
		}
	}
}

func TestBootstrap(t *testing.T) {
	values := make([]float64, 400)
	for i := range values {
		values[i] = float64(i % 2)
	}
	low, high := bootstrap(values)
	// The normal approximation gives .451 to .549.
	if math.Abs(low-.451) > .01 || math.Abs(high-.549) > .01 {
		t.Errorf("interval %v to %v", low, high)
	}
	if l, h := bootstrap(values); l != low || h != high {
		t.Error("another call gives another interval")
	}
}

func TestCalibration(t *testing.T) {
	bins, ece, brier := Calibration([]float64{.95, .95, .95, .95, .25, 1}, []float64{1, 1, 1, 0, 0, 1})
	// Five answers of mean .96 and accuracy .8, one of .25 that is wrong.
	if !near(ece, 5./6*.16+1./6*.25) {
		t.Errorf("ECE %v", ece)
	}
	if !near(brier, (3*.0025+.9025+.0625)/6) {
		t.Errorf("Brier score %v", brier)
	}
	if bins[9].N != 5 || !near(bins[9].Accuracy, .8) || bins[2].N != 1 {
		t.Errorf("bins %+v", bins)
	}
}

func TestCoverageRisk(t *testing.T) {
	points := CoverageRisk([]float64{.5, .9, .9, .1}, []float64{1, 1, 0, 0}, 5)
	want := []calibrationPoint{{.9, .4, .5}, {.5, .6, 2. / 3}, {.1, .8, .5}}
	if len(points) != len(want) {
		t.Fatalf("points %+v, want %+v", points, want)
	}
	for i := range want {
		if !near(points[i].Coverage, want[i].Coverage) || !near(points[i].Accuracy, want[i].Accuracy) || points[i].Confidence != want[i].Confidence {
			t.Errorf("point %+v, want %+v", points[i], want[i])
		}
	}
	for precision, want := range map[float64]float64{.5: .8, .6: .6, .7: 0} {
		if got := CoverageAt(precision, points); !near(got, want) {
			t.Errorf("coverage at a precision of %v: %v, want %v", precision, got, want)
		}
	}
}

func TestCause(t *testing.T) {
	q := Question{Gold: []string{"SELECT name FROM city WHERE country = 'France'"}}
	for _, test := range []struct {
		q    Question
		o    Outcome
		want Cause
	}{
		{q, Outcome{Answered: true, figures: figures{Perm: 1}, SQL: "SELECT 1"}, ""},
		{q, Outcome{Code: ask.CodeNoCandidate}, causeRefused},
		{q, Outcome{Code: ask.CodeNoModel}, causeFailed},
		{q, Outcome{SQL: "SELEC", Code: "42601"}, causeInvalid},
		{q, Outcome{NoGold: true}, causeNoGold},
		{q, Outcome{Answered: true, SQL: "SELECT name FROM town WHERE country = 'France'"}, causeLinking},
		{q, Outcome{Answered: true, SQL: "SELECT name FROM city c WHERE continent = 'France'"}, causeColumns},
		{q, Outcome{Answered: true, SQL: "SELECT name FROM city WHERE country = 'france'"}, causeLiteral},
		{q, Outcome{Answered: true, SQL: "SELECT DISTINCT name FROM city WHERE country = 'France'"}, causeStruct},
		{q, Outcome{Answered: true, figures: figures{Contained: 1}, SQL: "SELECT name, country FROM city WHERE country = 'France'"}, causeOutput},
		{q, Outcome{Answered: true, SQL: "WITH city AS (SELECT * FROM town) SELECT name FROM city"}, causeLinking},
		{Question{Gold: q.Gold, Tie: true}, Outcome{Answered: true, SQL: "SELECT 1"}, causeTie},
		{Question{Gold: q.Gold, GoldEmpty: true}, Outcome{Answered: true, SQL: "SELECT 1"}, causeDoubtful},
		{Question{Unanswerable: true}, Outcome{Answered: true, SQL: "SELECT 1"}, causeAnswered},
		{Question{Unanswerable: true}, Outcome{Code: ask.CodeNoModel}, ""},
	} {
		if got := causeOf(&test.q, &test.o); got != test.want {
			t.Errorf("%+v: cause %q, want %q", test.o, got, test.want)
		}
	}
}
