package eval

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
)

// birdEX reports whether the sets of rows are equal, columns by position and
// values exactly: BIRD's execution accuracy (Li et al. 2023, evaluation_ex.py).
func birdEX(gold, got *ask.Result) bool {
	set := func(r *ask.Result) map[string]bool {
		rows := map[string]bool{}
		for _, row := range exactRows(r) {
			rows[strings.Join(row, "\x01")] = true
		}
		return rows
	}
	return maps.Equal(set(gold), set(got))
}

// softF1 is BIRD mini-dev's Soft-F1 (evaluation_f1.py): duplicates dropped, row
// i is compared with row i by the values that it holds in any column.
func softF1(gold, got *ask.Result) float64 {
	truth, found := distinct(exactRows(gold)), distinct(exactRows(got))
	if len(truth) == 0 && len(found) == 0 {
		return 1
	}
	var both, foundOnly, truthOnly float64
	for i, row := range truth {
		if i >= len(found) {
			truthOnly++
			continue
		}
		width := float64(len(row))
		for _, v := range found[i] {
			if slices.Contains(row, v) {
				both += 1 / width
			} else {
				foundOnly += 1 / width
			}
		}
		for _, v := range row {
			if !slices.Contains(found[i], v) {
				truthOnly += 1 / width
			}
		}
	}
	if extra := len(found) - len(truth); extra > 0 {
		foundOnly += float64(extra)
	}
	if both == 0 {
		return 0
	}
	precision, recall := both/(both+foundOnly), both/(both+truthOnly)
	return 2 * precision * recall / (precision + recall)
}

func distinct(rows [][]string) [][]string {
	seen := map[string]bool{}
	var kept [][]string
	for _, row := range rows {
		if key := strings.Join(row, "\x01"); !seen[key] {
			seen[key] = true
			kept = append(kept, row)
		}
	}
	return kept
}

// exactRows writes values so that those are equal that Python, in which BIRD's
// scripts are written, takes for equal: numbers by value, never equal to text.
func exactRows(r *ask.Result) [][]string {
	rows := make([][]string, len(r.Rows))
	for i, row := range r.Rows {
		for c, v := range row {
			rows[i] = append(rows[i], exactValue(v, r.Columns[c].TypeOID))
		}
	}
	return rows
}

func exactValue(v []byte, oid uint32) string {
	switch {
	case v == nil:
		return nullValue
	case oid == pgtype.BoolOID && string(v) == "t":
		return "number 1"
	case oid == pgtype.BoolOID:
		return "number 0"
	}
	switch oid {
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.OIDOID, pgtype.NumericOID, pgtype.Float4OID, pgtype.Float8OID:
		// A float's exponent is at most 308; numeric may hold what is no number.
		if f, ok := new(big.Rat).SetString(string(v)); ok {
			return "number " + f.RatString()
		}
	}
	return string(v)
}

// reward is R-VES's of one right answer, given how many times faster than the
// gold it is (BIRD mini-dev, evaluation_ves.py).
func reward(ratio float64) float64 {
	switch {
	case ratio >= 2:
		return 1.25
	case ratio >= 1:
		return 1
	case ratio >= 0.5:
		return 0.75
	case ratio >= 0.25:
		return 0.5
	}
	return 0.25
}

// meanWithoutOutliers is the mean of the values within three standard
// deviations, as R-VES takes it of the time ratios.
func meanWithoutOutliers(values []float64) float64 {
	mean, deviation := meanAndDeviation(values)
	within := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v < mean-3*deviation || v > mean+3*deviation })
	if len(within) > 0 {
		mean, _ = meanAndDeviation(within)
	}
	return mean
}

// percentile returns the p-th of the values, which it sorts; 0 if there are none.
func percentile[T int64 | float64](values []T, p float64) T {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(int(p*float64(len(values))), len(values)-1)]
}
