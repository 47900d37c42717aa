package catalog

import "testing"

func TestSetBounds(t *testing.T) {
	for _, test := range []struct {
		class             Class
		distinct          float64
		common, histogram string
		min, max          string
	}{
		{Number, 7, "{1,10}", "{5,7,9}", "1", "10"},
		{Number, 4, "{7}", "{5,8,9}", "5", "9"},
		{Number, 2, "{3,-2.5}", "", "-2.5", "3"},
		{Number, 4, "{1,2,3}", "", "", ""}, // the fourth may be any
		{Date, 9, "{2023-12-31,2025-01-01}", "{2024-02-01,2024-03-01}", "2023-12-31", "2025-01-01"},
		{Date, 9, `{infinity}`, "{2024-02-01,2024-03-01}", "", ""},
		{Timestamp, 9, `{"2024-03-01 10:00:01"}`, `{"2024-02-01 00:00:00","2024-03-01 10:00:00"}`, "2024-02-01 00:00:00", "2024-03-01 10:00:01"},
		{Text, 9, "{a,z}", "{b,c}", "b", "c"},
		{Text, 2, "{a,b}", "", "", ""},
	} {
		p := Profile{Distinct: test.distinct}
		if setBounds(&p, test.class, test.common, test.histogram); p.Min != test.min || p.Max != test.max {
			t.Errorf("%v, %v distinct, %s and %s: %q to %q, want %q to %q", test.class, test.distinct, test.common, test.histogram, p.Min, p.Max, test.min, test.max)
		}
	}
}
