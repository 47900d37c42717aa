package main

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"time"

	"askpg/admin"
	"askpg/ask"
	"askpg/cache"
	"askpg/catalog"
	"askpg/proxy"
	"askpg/replica"
	"askpg/store"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// Config is the whole configuration; each section is its package's own.
type Config struct {
	proxy.Config                   // [listen], [primary], [tls], [auth], [ask]
	Replica      replica.Config    `toml:"replica"`
	Catalog      catalog.Config    `toml:"catalog"`
	Privacy      prompt.Privacy    `toml:"privacy"`
	Translator   translator.Config `toml:"translator"`
	Models       []llm.Config      `toml:"model"`
	Cache        cache.Config      `toml:"cache"`
	Store        store.Config      `toml:"store"`
	Admin        admin.Config      `toml:"admin"`
	Log          LogConfig         `toml:"log"`
	Shutdown     ShutdownConfig    `toml:"shutdown"`
}

// ShutdownConfig is [shutdown].
type ShutdownConfig struct {
	// DrainTimeout is how long SIGTERM waits for sessions to reach an idle
	// point outside a transaction before it ends them.
	DrainTimeout ask.Duration `toml:"drain_timeout"`
}

// elementDefaults holds what an entry of an array of tables is before it is
// read, by its type.
var elementDefaults = map[reflect.Type]reflect.Value{reflect.TypeFor[llm.Config](): reflect.ValueOf(llm.DefaultConfig())}

func defaultConfig() Config {
	return Config{
		Config:     proxy.DefaultConfig(),
		Replica:    replica.DefaultConfig(),
		Catalog:    catalog.DefaultConfig(),
		Privacy:    prompt.DefaultPrivacy(),
		Translator: translator.DefaultConfig(),
		Cache:      cache.DefaultConfig(),
		Store:      store.DefaultConfig(),
		Admin:      admin.DefaultConfig(),
		Log:        LogConfig{Level: "info", Format: "text"},
		Shutdown:   ShutdownConfig{DrainTimeout: ask.Duration(5 * time.Minute)},
	}
}

// validate returns every setting that can't be used, one error a section.
func (c *Config) validate() error {
	errs := []error{
		c.Config.Validate(), c.Replica.Validate(), c.Catalog.Validate(), c.Privacy.Validate(), c.Translator.Validate(),
		c.Cache.Validate(), c.Store.Validate(), c.Admin.Validate(),
	}
	names := map[string]bool{}
	for i := range c.Models {
		errs = append(errs, c.Models[i].Validate())
		if names[c.Models[i].Name] {
			errs = append(errs, fmt.Errorf("model: two models are called %q", c.Models[i].Name))
		}
		names[c.Models[i].Name] = true
	}
	if c.Shutdown.DrainTimeout < 0 {
		errs = append(errs, fmt.Errorf("shutdown.drain_timeout is %s: it must not be negative", c.Shutdown.DrainTimeout))
	}
	_, err := newLogger(c.Log, os.Stderr)
	return errors.Join(append(errs, err)...)
}

// loadConfig reads the file that --config names, or config.toml here if there
// is one and nothing is named, and the environment. The error joins all that is wrong.
func loadConfig(path string) (Config, error) {
	if path == "" {
		if _, err := os.Stat("config.toml"); err == nil {
			path = "config.toml"
		}
	}
	c := defaultConfig()
	err := decodeConfig(path, os.Environ(), &c)
	if errors.As(err, new(unreadable)) {
		return c, err
	}
	c.Translator.Privacy = c.Privacy
	return c, errors.Join(err, c.validate())
}

// configured returns what loadConfig reads, and its logger.
func configured(path string, s streams) (Config, *slog.Logger, error) {
	c, err := loadConfig(path)
	if err != nil {
		return c, nil, err
	}
	log, err := newLogger(c.Log, s.err)
	return c, log, err
}

func configFlag(fs *flag.FlagSet) *string {
	return fs.String("config", "", "configuration `file`; config.toml in this folder if there is one")
}
