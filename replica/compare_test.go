package replica

import "testing"

func TestCompare(t *testing.T) {
	h := &host{name: "standby"}
	for _, tt := range []struct {
		name     string
		v        cluster
		ok, note bool
	}{
		{"same", cluster{"1", 2, true}, true, false},
		{"on the timeline before the promotion", cluster{"1", 1, true}, false, false},
		{"ahead of its primary", cluster{"1", 3, true}, false, false},
		{"another", cluster{"2", 2, true}, false, false},
		{"the primary itself", cluster{"1", 2, false}, true, false},
		{"once a copy of the primary, promoted", cluster{"1", 3, false}, true, true},
		{"another primary, a logical replica", cluster{"2", 1, false}, true, true},
	} {
		f := (&Replica{}).compare(h, tt.v, cluster{system: "1", timeline: 2}, "primary")
		if (f.Problem == "") != tt.ok || f.Note != tt.note || (h.foreign.Load() == nil) != tt.ok {
			t.Errorf("%s: %+v, questions refused: %v", tt.name, f, h.foreign.Load() != nil)
		}
	}
}
