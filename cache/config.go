package cache

import (
	"fmt"
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
	switch {
	case c.MaxBytes < 1<<20:
		return fmt.Errorf("cache.max_bytes is %d; it must be at least %d", c.MaxBytes, 1<<20)
	case c.TTL < 0:
		return fmt.Errorf("cache.ttl is %s; it must not be negative", c.TTL)
	case c.FallbackTTL < 0:
		return fmt.Errorf("cache.fallback_ttl is %s; it must not be negative", c.FallbackTTL)
	case c.MaxFlights < 1:
		return fmt.Errorf("cache.max_flights is %d; it must be at least 1", c.MaxFlights)
	}
	return nil
}
