package translator

import (
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

func (t *Translator) settings(q *ask.Question) (settings, error) {
	s := settings{
		strategy: t.cfg.Strategy, minConfidence: t.cfg.MinConfidence, maxCalls: t.cfg.MaxCalls, maxTokens: t.cfg.MaxTokens, maxCost: t.cfg.MaxCost, maxSamples: t.cfg.MaxSamples,
		timeout: t.cfg.Timeout.Duration(), modelTime: t.cfg.ModelTime.Duration(),
		searchPath: searchPath(q.Session.Settings["search_path"], q.Session.Role),
		zone:       q.Session.Settings["TimeZone"],
	}
	invalid := func(name, value, want string) error {
		return ask.Errorf(ask.CodeInvalidParameter, "invalid value for askpg.%s: %q", name, value).WithHint("It is %s.", want)
	}
	if v, ok := q.Setting("strategy"); ok && v != "" {
		if _, known := strategies[strings.ToLower(v)]; !known {
			return s, invalid("strategy", v, strategyNames())
		}
		s.strategy = strings.ToLower(v)
	}
	if v, ok := q.Setting("min_confidence"); ok && v != "" {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || !(f >= 0 && f <= 1) {
			return s, invalid("min_confidence", v, "a number between 0 and 1")
		}
		s.minConfidence = f
	}
	// A session can ask for less than the configuration allows, not for more.
	for _, n := range []struct {
		name string
		dst  *int
	}{{"max_calls", &s.maxCalls}, {"max_samples", &s.maxSamples}} {
		v, ok := q.Setting(n.name)
		if !ok || v == "" {
			continue
		}
		i, err := strconv.Atoi(v)
		if err != nil || i < 0 {
			return s, invalid(n.name, v, "a whole number, 0 or more, and at most "+strconv.Itoa(*n.dst))
		}
		*n.dst = min(i, *n.dst)
	}
	if v, ok := q.Setting("max_tokens"); ok && v != "" {
		i, err := strconv.Atoi(v)
		if err != nil || i < 1 {
			return s, invalid("max_tokens", v, "a whole number above 0")
		}
		if s.maxTokens == 0 || i < s.maxTokens {
			s.maxTokens = i
		}
	}
	if v, ok := q.Setting("max_cost"); ok && v != "" {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || !(f > 0 && f <= math.MaxFloat64) {
			return s, invalid("max_cost", v, "a number above 0")
		}
		if s.maxCost == 0 || f < s.maxCost {
			s.maxCost = f
		}
	}
	if v, ok := q.Setting("timeout"); ok && v != "" {
		d, err := time.ParseDuration(v)
		if err != nil || d <= 0 {
			return s, invalid("timeout", v, "a time such as 20s")
		}
		s.timeout = min(d, s.timeout)
		s.modelTime = min(s.modelTime, s.timeout*4/5)
	}
	s.location = time.UTC
	if loc, err := time.LoadLocation(s.zone); err == nil && s.zone != "" {
		s.location = loc
	}
	return s, nil
}

// SearchPath splits a search_path setting of a session; "$user" stands for the
// role.
func SearchPath(setting, role string) []string { return searchPath(setting, role) }

// searchPath splits a search_path setting; "$user" stands for the role.
func searchPath(setting, role string) []string {
	if strings.TrimSpace(setting) == "" {
		return []string{role, "public"}
	}
	var out []string
	for len(setting) > 0 {
		setting = strings.TrimLeft(setting, " ,\t")
		var name string
		if strings.HasPrefix(setting, `"`) {
			rest := setting[1:]
			for {
				i := strings.IndexByte(rest, '"')
				if i < 0 {
					name, rest = name+rest, ""
					break
				}
				name += rest[:i]
				rest = rest[i+1:]
				if !strings.HasPrefix(rest, `"`) {
					break
				}
				name, rest = name+`"`, rest[1:]
			}
			setting = rest
		} else {
			i := strings.IndexByte(setting, ',')
			if i < 0 {
				i = len(setting)
			}
			name, setting = strings.ToLower(strings.TrimSpace(setting[:i])), setting[i:]
		}
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
