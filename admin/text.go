package admin

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"askpg/ask"
	"askpg/store"
)

// How much of a text a page shows, in characters, and how much SQL it offers
// to correct, in bytes.
const (
	maxShown   = 20_000
	maxName    = 200
	maxRow     = 240 // in a row of a list
	maxPerson  = 60  // of the name of a person
	maxFormSQL = 64 << 10
)

// functions are the templates' own.
var functions = template.FuncMap{
	"text":   func(s string) string { return ask.Visible(truncate(s, maxName)) },
	"long":   func(s string) string { return ask.Visible(truncate(s, maxShown)) },
	"short":  func(s string) string { return ask.Visible(strings.Join(strings.Fields(truncate(s, maxRow)), " ")) },
	"hidden": func(s string) bool { return strings.ContainsFunc(s, ask.Hidden) },
	"sql":    highlight,
	"dense":  dense,
	"moment": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
	"ago":    func(t time.Time) string { return ago(t, time.Now()) },
	"said":   said,
	"seconds": func(ms float64) string {
		if ms == 0 {
			return ""
		}
		return strconv.FormatFloat(ms/1000, 'g', -1, 64)
	},
	"machine": func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) },
	"day": func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.DateOnly)
	},
	"lastDay": func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	},
	"lines":   func(s string) int { return min(max(strings.Count(s, "\n")+2, 5), 24) },
	"ms":      milliseconds,
	"percent": func(p float64) string { return fmt.Sprintf("%.0f %%", 100*p) },
	"hundred": func(p float64) float64 { return round(100 * p) },
	"number": func(p float64) string {
		if p == 0 {
			return ""
		}
		return fmt.Sprintf("%.0f", 100*p)
	},
	"money":   money,
	"planned": func(c float64) string { return fmt.Sprintf("%.0f", c) },
	"count":   grouped,
	"ratio": func(a, b float64) float64 {
		if b == 0 {
			return 0
		}
		return a / b
	},
	"float":    func(n int64) float64 { return float64(n) },
	"negative": func(n int64) int64 { return -n },
	"plus":     func(a, b int64) int64 { return a + b },
	"failures": meaning,
	"parts":    questionParts,
	"outcomes": func() []store.Outcome { return store.Outcomes },
	"sources":  func() []string { return []string{"model", "grammar", "catalog", "example", "cache"} },
	"periods":  func() []int { return []int{7, 30, 90, 365} },
	"statuses": func() []string { return []string{string(store.Verified), string(store.Stale), string(store.Retired)} },
	"reviews": func() []string {
		return []string{"none", string(store.Approved), string(store.Rejected), string(store.Corrected)}
	},
}

// ago says in few words how long before now a time was, or on which day (UTC).
func ago(t, now time.Time) string {
	count := func(n int, what string) string {
		if n != 1 {
			what += "s"
		}
		return fmt.Sprintf("%d %s ago", n, what)
	}
	switch d := now.Sub(t); {
	case t.IsZero():
		return ""
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return count(int(d.Hours()), "hour")
	case d < 14*24*time.Hour:
		return count(int(d.Hours()/24), "day")
	case t.UTC().Year() == now.UTC().Year():
		return t.UTC().Format("2 Jan")
	}
	return t.UTC().Format("2 Jan 2006")
}

// said is how a page calls what somebody said of a translation.
func said(kind string) string {
	return cmp.Or(map[string]string{"good": "positive feedback", "bad": "negative feedback", "approve": "approved", "reject": "rejected", "correct": "corrected",
		"retire": "example retired", "see rows": "rows seen", "teach": "taught"}[kind], kind)
}

// truncate returns the first n characters of s and says so if there are more.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + fmt.Sprintf(" … (%d more bytes)", len(s)-i)
		}
		count++
	}
	return s
}

func milliseconds(ms float64) string {
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	case ms < 60_000:
		return fmt.Sprintf("%.1f s", ms/1000)
	}
	return fmt.Sprintf("%.1f min", ms/60_000)
}

// money writes a cost to the cent, and what is less than one of the currency to its hundredth.
func money(c float64) string {
	switch cents := math.Round(c * 100); {
	case c == 0:
		return "0"
	case c < 1:
		return fmt.Sprintf("%.4f", c)
	default:
		return fmt.Sprintf("%s.%02d", grouped(int64(cents)/100), int64(cents)%100)
	}
}

// grouped writes a number with narrow spaces between groups of three.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// meaning says what a SQLSTATE stands for, where a person should not have to
// look it up.
func meaning(code string) string {
	return map[string]string{
		"ASK01": "no candidate survived", "ASK02": "confidence too low", "ASK03": "no model answered", "ASK04": "budget used up", "ASK05": "refused by the guard",
		"42501": "no right to read it", "42601": "syntax", "54000": "over a limit", "57014": "canceled or timed out", "53300": "too many at once", "53000": "out of resources",
		"08006": "replica or server unreachable", "57P03": "replica behind or starting", "55000": "not ready", "XX000": "internal error", "0A000": "not supported", "22021": "encoding",
	}[code]
}

// part is a piece of a question; Object is set if it was linked to something.
type part struct {
	Text   string
	Object string
	Why    string
}

// linkedWords is where the words of a link stand in a question.
type linkedWords struct {
	begin, end int
	link       *ask.Link
}

// markLinked cuts a question at the words that were linked to the schema.
func markLinked(question string, links []ask.Link) []part {
	folded := strings.ToLower(question)
	if len(folded) != len(question) {
		return []part{{Text: question}} // case folding moved the positions
	}
	var parts []part
	at := 0
	for _, w := range findLinked(folded, links) {
		if w.begin > at {
			parts = append(parts, part{Text: question[at:w.begin]})
		}
		object := w.link.Object
		if w.link.Value != "" {
			object += " = " + w.link.Value
		}
		parts = append(parts, part{Text: question[w.begin:w.end], Object: object, Why: w.link.Why})
		at = w.end
	}
	if at < len(question) {
		parts = append(parts, part{Text: question[at:]})
	}
	return parts
}

// findLinked returns where links stand in a question in lower case, in its order. Where two overlap, the first of the
// list counts.
func findLinked(folded string, links []ask.Link) []linkedWords {
	var found []linkedWords
	for i := range links {
		words := strings.ToLower(strings.TrimSpace(links[i].Words))
		at := strings.Index(folded, words)
		if words == "" || at < 0 {
			continue
		}
		end := at + len(words)
		if !slices.ContainsFunc(found, func(w linkedWords) bool { return at < w.end && w.begin < end }) {
			found = append(found, linkedWords{at, end, &links[i]})
		}
	}
	slices.SortFunc(found, func(a, b linkedWords) int { return a.begin - b.begin })
	return found
}

// percent reads a number from 0 to 100, perhaps with a percent sign, as a share.
func percent(s string) (float64, error) {
	p, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(s), "%"), 64)
	if err == nil && !(p >= 0 && p <= 100) {
		err = strconv.ErrRange
	}
	return p / 100, err
}
