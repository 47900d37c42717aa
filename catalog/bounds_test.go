package catalog

import "testing"

func TestProfile_Widen(t *testing.T) {
	for _, test := range []struct {
		class    Class
		min, max string
		common   string
		wantMin  string
		wantMax  string
	}{
		{Number, "5", "9", "{1,10}", "1", "10"},
		{Number, "5", "9", "{7}", "5", "9"},
		{Number, "", "", "{3,-2.5}", "-2.5", "3"},
		{Number, "5", "9", "{NaN}", "5", "9"},
		{Date, "2024-02-01", "2024-03-01", "{2023-12-31,2025-01-01}", "2023-12-31", "2025-01-01"},
		{Date, "2024-02-01", "2024-03-01", `{infinity,"0044-03-15 BC"}`, "2024-02-01", "2024-03-01"},
		{Timestamp, "2024-02-01 00:00:00", "2024-03-01 10:00:00", `{"2024-03-01 10:00:01"}`, "2024-02-01 00:00:00", "2024-03-01 10:00:01"},
		{Text, "", "", "{a,b}", "", ""},
	} {
		p := Profile{Min: test.min, Max: test.max}
		if p.widen(test.class, test.common); p.Min != test.wantMin || p.Max != test.wantMax {
			t.Errorf("%v %q–%q with %s: %q–%q, want %q–%q", test.class, test.min, test.max, test.common, p.Min, p.Max, test.wantMin, test.wantMax)
		}
	}
}
