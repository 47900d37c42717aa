package ask

import "slices"

// Setting is a setting askpg.… of a session or of one question. docs/asking.md tells users of each.
type Setting struct {
	Name       string   // without askpg.
	Session    bool     // SET takes it
	Question   bool     // ask(name=value) takes it
	AffectsSQL bool     // which SQL is chosen can depend on it: an answer is cached for questions with the same value
	Values     []string // all that it can be, the default first; nil if there are more than a few
}

// Settings are all of them. The values of one that has no Values are read by translator/settings.go.
var Settings = []Setting{
	{Name: "mode", Session: true, Values: []string{"comment", "auto", "off"}},
	{Name: "notices", Session: true, Values: []string{"on", "off"}},
	{Name: "describe", Session: true, Values: []string{"refuse", "jsonb"}},
	{Name: "annotate", Session: true, Question: true, Values: []string{"off", "columns"}},
	{Name: "strategy", Session: true, Question: true, AffectsSQL: true},
	{Name: "min_confidence", Session: true, Question: true, AffectsSQL: true},
	{Name: "max_calls", Session: true, Question: true, AffectsSQL: true},
	{Name: "max_samples", Session: true, Question: true, AffectsSQL: true},
	{Name: "max_tokens", Session: true, Question: true, AffectsSQL: true},
	{Name: "max_cost", Session: true, Question: true, AffectsSQL: true},
	{Name: "timeout", Session: true, Question: true, AffectsSQL: true},
}

// SessionSettings are the names of those that SET takes, and questionSettings of those that ask(name=value) takes.
var (
	SessionSettings  = settingNames(func(s *Setting) bool { return s.Session })
	questionSettings = settingNames(func(s *Setting) bool { return s.Question })
)

// SettingNamed returns the setting of a name; one without a name if there is none.
func SettingNamed(name string) Setting {
	if i := slices.IndexFunc(Settings, func(s Setting) bool { return s.Name == name }); i >= 0 {
		return Settings[i]
	}
	return Setting{}
}

func settingNames(has func(*Setting) bool) (names []string) {
	for i := range Settings {
		if has(&Settings[i]) {
			names = append(names, Settings[i].Name)
		}
	}
	return names
}
