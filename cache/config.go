package cache

import (
	"cmp"
	"time"

	"askpg/ask"
)

// Config bounds the cache.
type Config struct {
	// Enabled is false to translate every question anew.
	Enabled bool `toml:"enabled"`
	// MaxBytes is the memory that cached translations may take, estimated.
	MaxBytes int64 `toml:"max_bytes"`
	// TTL is how long a translation stays while schema and rights stand; 0 is for ever.
	TTL ask.Duration `toml:"ttl"`
	// FallbackTTL is how long the answer of a lesser engine stays that stood
	// in for one that could not answer; 0 is not at all.
	FallbackTTL ask.Duration `toml:"fallback_ttl"`
	// MaxFlights is how many different questions may be translated at once;
	// further ones are refused with SQLSTATE 53000.
	MaxFlights int `toml:"max_flights"`
}

// DefaultConfig returns the settings that a small server is well served by.
func DefaultConfig() Config {
	return Config{
		Enabled:     true,
		MaxBytes:    64 << 20,
		TTL:         ask.Duration(24 * time.Hour),
		FallbackTTL: ask.Duration(30 * time.Second),
		MaxFlights:  256,
	}
}

// Validate returns an error that names the first field that is wrong.
func (c *Config) Validate() error {
	return cmp.Or(
		ask.AtLeast("cache.max_bytes", c.MaxBytes, 1<<20),
		ask.AtLeast("cache.ttl", c.TTL, 0),
		ask.AtLeast("cache.fallback_ttl", c.FallbackTTL, 0),
		ask.AtLeast("cache.max_flights", c.MaxFlights, 1),
	)
}
