package store_test

import (
	"testing"

	"askpg/ask"
)

// Only what was answered before, in a log that need not be complete, is not synced to the disk by its own commit.
func TestAppend_Sync(t *testing.T) {
	const normal, full = 1, 2
	for _, tt := range []struct {
		source   ask.Source
		required bool
		during   int
	}{
		{ask.SourceModel, false, full}, {ask.SourceCache, false, normal}, {ask.SourceExample, false, normal}, {ask.SourceCache, true, full},
	} {
		cfg := sqliteConfig(t)
		cfg.Required = tt.required
		s := open(t, cfg)
		e := entry("how many?")
		e.Translation.Source = tt.source
		during, after, err := s.SyncOf(t.Context(), e)
		if err != nil || during != tt.during || after != full {
			t.Errorf("%s, required %v: level %d, then %d, %v", tt.source, tt.required, during, after, err)
		}
	}
}
