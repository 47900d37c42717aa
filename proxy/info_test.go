package proxy

import (
	"testing"
	"time"
)

func TestSettingTime(t *testing.T) {
	for v, want := range map[string]time.Duration{
		"0": 0, "": 0, "250ms": 250 * time.Millisecond, "30s": 30 * time.Second, "5min": 5 * time.Minute, "2h": 2 * time.Hour,
		"1d": 24 * time.Hour, "1500": 1500 * time.Millisecond, "nonsense": 0,
	} {
		if got := settingTime(v); got != want {
			t.Errorf("%q is %s, want %s", v, got, want)
		}
	}
}
