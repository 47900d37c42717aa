package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"askpg/admin"
	"askpg/store"
	"askpg/translator/llm"
)

// setting matches a setting that config.toml comments out because it is the
// default, and the header of a table of which it does so.
var setting = regexp.MustCompile(`(?m)^#(\w+ = |\[)`)

// TestConfigFile holds config.toml to the code: it has every setting, each
// with its default, and none that there is not.
func TestConfigFile(t *testing.T) {
	text, err := os.ReadFile("../../config.toml")
	if err != nil {
		t.Fatal(err)
	}
	full := setting.ReplaceAllString(string(text), "$1")
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(full), 0o600); err != nil {
		t.Fatal(err)
	}
	got := defaultConfig()
	if err := decodeConfig(path, nil, &got); err != nil {
		t.Fatal(err)
	}
	want := defaultConfig()
	want.Replica.URL = got.Replica.URL
	want.Models = []llm.Config{llm.DefaultConfig()}
	want.Admin.Access = got.Admin.Access
	if len(got.Admin.Access) != 1 {
		t.Fatalf("config.toml has %d times [[admin.access]]", len(got.Admin.Access))
	}
	want.Store.Budget.For = got.Store.Budget.For
	if len(got.Store.Budget.For) != 1 {
		t.Fatalf("config.toml has %d times [[store.budget.for]]", len(got.Store.Budget.For))
	}
	compareSettings(t, "store.budget.for", reflect.ValueOf(got.Store.Budget.For[0]), reflect.ValueOf(store.Team{}))
	compareSettings(t, "admin.access", reflect.ValueOf(got.Admin.Access[0]), reflect.ValueOf(admin.Access{}))
	compareSettings(t, "", reflect.ValueOf(got), reflect.ValueOf(want))

	present := map[string]bool{}
	table := ""
	for line := range strings.SplitSeq(full, "\n") {
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[]")
		} else if name, _, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(line, "#") {
			present[table+"."+name] = true
		}
	}
	for _, key := range settingKeys(reflect.TypeFor[Config](), "") {
		if !present[key] {
			t.Errorf("config.toml lacks %s", key)
		}
	}
}

func compareSettings(t *testing.T, path string, got, want reflect.Value) {
	t.Helper()
	switch {
	case got.Kind() == reflect.Struct:
		for i := range got.NumField() {
			if name := tomlName(got.Type().Field(i)); name != "" {
				compareSettings(t, path+"."+name, got.Field(i), want.Field(i))
			}
		}
	case got.Kind() == reflect.Slice && got.Len() == want.Len():
		for i := range got.Len() {
			compareSettings(t, path, got.Index(i), want.Index(i))
		}
	case !reflect.DeepEqual(got.Interface(), want.Interface()):
		t.Errorf("config.toml says %s is %v, the default is %v", strings.TrimPrefix(path, "."), got, want)
	}
}

func TestDecodeConfig_Errors(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		env        []string
		says       []string
	}{
		{name: "a misspelt key", text: "[listen]\nadress = \"x\"", says: []string{`"listen.adress"`, `"listen.address"`}},
		{name: "a key of another table", text: "[listen]\nmax_lag = \"5s\"", says: []string{`"listen.max_lag"`, `"replica.max_lag"`}},
		{name: "a misspelt table", text: "[replika]\nurl = \"x\"", says: []string{`"replika`, `did you mean "replica.url"`}},
		{name: "a misspelt key of a model", text: "[[model]]\nname = \"m\"\nbase_ulr = \"x\"", says: []string{`"model.base_ulr"`, `"model.base_url"`}},
		{name: "a number for a text", text: "[listen]\naddress = 5", says: []string{"line 2: listen.address is a whole number"}},
		{name: "true for a number", text: "[store]\nkeep_prompts = true", says: []string{"line 2: store.keep_prompts is set to true; it must be a whole number"}},
		{name: "several, with their lines", text: "[listen]\nmax_sessions = \"many\"\n[[model]]\nname = \"a\"\ntimeout = \"5s\"\n[[model]]\nname = \"b\"\ntimeout = 5\n[replica]\nallow_schemas = \"x\"\nurl = \"postgres://x/\"\n",
			says: []string{"line 2: listen.max_sessions is a text", "line 8: model.timeout is a whole number", "line 10: replica.allow_schemas is a text; it must be a list"}},
		{name: "a key that is twice there", text: "[listen]\nmax_sessions = 1\nmax_sessions = 2", says: []string{"line 3", "at listen.max_sessions"}},
		{name: "a table that is none", text: "listen = 1", says: []string{"line 1: listen is a whole number; it must be a table: [listen]"}},
		{name: "a wrong duration", text: "[replica]\nmax_lag = \"soon\"", says: []string{"soon"}},
		{name: "no TOML", text: "listen", says: []string{"line 1"}},
		{name: "a wrong number in the environment", env: []string{"ASKPG_LISTEN_MAX_SESSIONS=many"}, says: []string{"ASKPG_LISTEN_MAX_SESSIONS", "many"}},
		{name: "an abbreviated key", text: "[replica]\nsuper_role = \"x\"", says: []string{`did you mean "replica.superuser_role"`}},
		{name: "a misspelt variable", env: []string{"ASKPG_REPLICA_URLL=x"}, says: []string{"ASKPG_REPLICA_URLL", "did you mean ASKPG_REPLICA_URL?"}},
		{name: "a misspelt variable of a model", env: []string{"ASKPG_MODEL_1_NAME=m", "ASKPG_MODEL_1_BASE_URI=x"}, says: []string{"ASKPG_MODEL_1_BASE_URI", "did you mean ASKPG_MODEL_1_BASE_URL?"}},
		{name: "a model without a number", env: []string{"ASKPG_MODEL_NAME=m"}, says: []string{"ASKPG_MODEL_NAME", "did you mean ASKPG_MODEL_1_NAME?"}},
		{name: "a gap between models", env: []string{"ASKPG_MODEL_2_NAME=m"}, says: []string{"ASKPG_MODEL_2_NAME", "did you mean ASKPG_MODEL_1_NAME?"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			c := defaultConfig()
			err := decodeConfig(path, tt.env, &c)
			if err == nil {
				t.Fatal("no error")
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %s", err, s)
				}
			}
		})
	}
}

func TestDecodeConfig_Environment(t *testing.T) {
	c := defaultConfig()
	err := decodeConfig("", []string{
		"ASKPG_LISTEN_ADDRESS=0.0.0.0:7000", "ASKPG_REPLICA_URL=postgres://x/", "ASKPG_REPLICA_ALLOW_PRIMARY=true", "ASKPG_REPLICA_MAX_LAG=7s",
		"ASKPG_REPLICA_ALLOW_SCHEMAS=a, b", "ASKPG_MODEL_1_NAME=first", "ASKPG_MODEL_2_NAME=second", "ASKPG_TRANSLATOR_MIN_CONFIDENCE=0.75", "OTHER=1",
		"ASKPG_SERVICE_HOST=10.0.0.1", "ASKPG_TLS_PORT=tcp://10.0.0.1:6432", "ASKPG_STORE_PASSWORD=x", // for something else
	}, &c)
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen.Address != "0.0.0.0:7000" || c.Replica.URL != "postgres://x/" || !c.Replica.AllowPrimary || c.Replica.MaxLag.String() != "7s" ||
		!reflect.DeepEqual(c.Replica.AllowSchemas, []string{"a", "b"}) || c.Translator.MinConfidence != 0.75 {
		t.Errorf("got %+v", c)
	}
	if len(c.Models) != 2 || c.Models[1].Name != "second" || c.Models[1].Timeout != llm.DefaultConfig().Timeout {
		t.Errorf("models: %+v", c.Models)
	}
}
