package translator

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"askpg/ask"
)

// settings are what is in force for one question: the configuration, under
// the session's askpg.* settings and the question's own options.
type settings struct {
	strategy      string
	minConfidence float64
	maxCalls      int
	maxTokens     int     // 0 for any number
	maxCost       float64 // 0 for any cost
	maxSamples    int
	timeout       time.Duration
	modelTime     time.Duration
	searchPath    []string
	location      *time.Location
	zone          string
}

// configured returns what is in force for a question whose session has set nothing.
func (t *Translator) configured() settings {
	return settings{
		strategy: t.cfg.Strategy, minConfidence: t.cfg.MinConfidence, maxCalls: t.cfg.MaxCalls, maxTokens: t.cfg.MaxTokens, maxCost: t.cfg.MaxCost, maxSamples: t.cfg.MaxSamples,
		timeout: t.cfg.Timeout.Duration(), modelTime: t.cfg.ModelTime.Duration(), location: time.UTC,
	}
}

// askedSetting is a setting that a session or a question may have. set reports whether a value was one of it.
type askedSetting struct {
	name, want string
	set        func(value string) bool
}

func (s *settings) asked() []askedSetting {
	return []askedSetting{
		{"strategy", "one of " + strategyNames(), s.setStrategy},
		{"min_confidence", "a number between 0 and 1", s.setMinConfidence},
		// A session can ask for less than the configuration allows, not for more.
		{"max_calls", "a whole number, 0 or more", func(v string) bool { return lower(&s.maxCalls, v, 0) }},
		{"max_samples", "a whole number, 0 or more", func(v string) bool { return lower(&s.maxSamples, v, 0) }},
		{"max_tokens", "a whole number above 0", s.setMaxTokens},
		{"max_cost", "a number above 0", s.setMaxCost},
		{"timeout", "a time such as 20s", s.setTimeout},
	}
}

// CheckSetting returns what a value of a session's setting must be if this one is not; "" if it is, and for a setting that is not
// the translator's.
func (t *Translator) CheckSetting(name, value string) (want string) {
	s := t.configured()
	for _, n := range s.asked() {
		if n.name == name && value != "" && !n.set(value) {
			return n.want
		}
	}
	return ""
}

// settings returns what is in force for a question. Its error is an *ask.Error
// that names the setting whose value can't be read.
func (t *Translator) settings(q *ask.Question) (settings, error) {
	s := t.configured()
	s.searchPath = SearchPath(q.Session.Settings["search_path"], q.Session.Role)
	s.zone = q.Session.Settings["TimeZone"]
	for _, n := range s.asked() {
		if v, ok := q.Setting(n.name); ok && v != "" && !n.set(v) {
			return s, ask.Errorf(ask.CodeInvalidParameter, "invalid value for askpg.%s: %q", n.name, v).WithHint("It must be %s. RESET askpg.%s takes back what the session has set.", n.want, n.name)
		}
	}
	if loc, err := time.LoadLocation(s.zone); err == nil && s.zone != "" {
		s.location = loc
	}
	return s, nil
}

// Accepts says whether an answer that was given before is sure enough for a question by the settings in force. The
// cache asks it for each answer, so it reads no other setting.
func (t *Translator) Accepts(q *ask.Question, tr *ask.Translation) bool {
	s := settings{minConfidence: t.cfg.MinConfidence}
	if v, ok := q.Setting("min_confidence"); ok && v != "" && !s.setMinConfidence(v) {
		return false
	}
	return tr.Confidence >= s.minConfidence
}

func (s *settings) setStrategy(v string) bool {
	v = strings.ToLower(v)
	if _, ok := strategies[v]; !ok {
		return false
	}
	s.strategy = v
	return true
}

func (s *settings) setMinConfidence(v string) bool {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return false
	}
	s.minConfidence = f
	return true
}

func (s *settings) setMaxTokens(v string) bool {
	s.maxTokens = cmp.Or(s.maxTokens, math.MaxInt)
	return lower(&s.maxTokens, v, 1)
}

func (s *settings) setMaxCost(v string) bool {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(f > 0 && f <= math.MaxFloat64) {
		return false
	}
	if s.maxCost == 0 || f < s.maxCost {
		s.maxCost = f
	}
	return true
}

func (s *settings) setTimeout(v string) bool {
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		return false
	}
	s.timeout = min(d, s.timeout)
	s.modelTime = min(s.modelTime, s.timeout*4/5)
	return true
}

// lower sets a limit to a smaller whole number, and says whether the value is one
// of at least least.
func lower(limit *int, value string, least int) bool {
	n, err := strconv.Atoi(value)
	if err != nil || n < least {
		return false
	}
	*limit = min(n, *limit)
	return true
}

// SearchPath splits the search_path setting of a session. "$user" stands for the
// role; an empty setting is PostgreSQL's default, and an empty name in it is no schema.
func SearchPath(setting, role string) []string {
	if strings.TrimSpace(setting) == "" {
		return []string{role, "public"}
	}
	out := []string{}
	for _, name := range ask.SplitIdentifiers(setting) {
		if name == "$user" {
			name = role
		}
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}

func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0
}
