package admin

import (
	"testing"
	"time"
)

// TestAgo: a time is told as people do, and the day of it if it is long ago.
func TestAgo(t *testing.T) {
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	for want, at := range map[string]time.Time{
		"":             {},
		"just now":     now.Add(time.Second), // clocks differ
		"5 min ago":    now.Add(-5*time.Minute - 59*time.Second),
		"1 hour ago":   now.Add(-time.Hour),
		"23 hours ago": now.Add(-24*time.Hour + time.Second),
		"1 day ago":    now.Add(-24 * time.Hour),
		"13 days ago":  now.Add(-14*24*time.Hour + time.Second),
		"6 Mar":        now.Add(-14 * 24 * time.Hour),
		"31 Dec 2025":  time.Date(2026, 1, 1, 0, 30, 0, 0, time.FixedZone("CET", 3600)),
	} {
		if got := ago(at, now); got != want {
			t.Errorf("%s is %q, want %q", at, got, want)
		}
	}
}
