package ask

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Type OIDs of the columns of Table (PostgreSQL's pg_type.dat).
const (
	oidInt8   = 20
	oidText   = 25
	oidFloat8 = 701
)

// Ranked returns the indexes of the candidates in the order in which ask(candidates) lists them
// and ask(run N) counts them. The chosen one comes first, then one of each other result by votes,
// then the rest. The readings of ASK02 have these numbers, too.
func (t *Translation) Ranked() []int {
	order := make([]int, len(t.Candidates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.rank(a), t.rank(b)), cmp.Compare(t.Candidates[b].Votes, t.Candidates[a].Votes))
	})
	seen := map[string]bool{}
	further := make([]bool, len(order)) // it has the result of one before it, or none
	for _, i := range order {
		f := t.Candidates[i].Fingerprint
		further[i], seen[f] = f == "" || seen[f], true
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case further[a] == further[b]:
			return 0
		case further[a]:
			return 1
		}
		return -1
	})
	return order
}

func (t *Translation) rank(i int) int {
	fate := t.Candidates[i].Fate
	if fate == FateChosen && i == t.Chosen {
		return -1
	}
	if at := slices.Index([]Fate{FateOutvoted, FateAgreed, FateDuplicate}, fate); at >= 0 {
		return at
	}
	return 3
}

// FromCatalog says whether the answer is what the catalog says of the schema.
func (t *Translation) FromCatalog() bool {
	return t.Chosen >= 0 && t.Chosen < len(t.Candidates) && t.Candidates[t.Chosen].Origin.Model == string(SourceCatalog)
}

// Table returns what ask(sql), ask(candidates) and ask(explain) show, or nil
// for the other actions.
func (t *Translation) Table(a Action) *Result {
	switch a {
	case ActionSQL:
		sql := NewTable(TextColumn("sql"))
		sql.Add(t.SQL)
		return &sql.Result
	case ActionCandidates:
		return t.candidates()
	case ActionExplain:
		lines := NewTable(TextColumn("explanation"))
		for _, line := range t.explain() {
			lines.Add(line)
		}
		return &lines.Result
	}
	return nil
}

func (t *Translation) candidates() *Result {
	table := NewTable(IntColumn("rank"), FloatColumn("confidence"), IntColumn("votes"), TextColumn("fate"),
		TextColumn("sql"), IntColumn("rows"), FloatColumn("ms"), FloatColumn("plan_cost"),
		TextColumn("model"), TextColumn("prompt"), TextColumn("error"))
	total := len(t.Candidates)
	for rank, i := range t.Ranked() {
		c := t.Candidates[i]
		confidence := 0.0
		if total > 0 {
			confidence = float64(c.Votes) / float64(total)
		}
		if i == t.Chosen && c.Fate == FateChosen {
			confidence = t.Confidence
		}
		row := []any{rank + 1, strconv.FormatFloat(confidence, 'f', 2, 64), c.Votes, c.Fate, c.SQL, nil, nil, nil, c.Origin.Model, c.Origin.Prompt, nil}
		if c.Rows >= 0 && c.Fingerprint != "" {
			row[5] = c.Rows
			row[6] = strconv.FormatFloat(float64(c.Elapsed)/float64(time.Millisecond), 'f', 1, 64)
		}
		if c.Cost > 0 {
			row[7] = strconv.FormatFloat(c.Cost, 'f', 2, 64)
		}
		if c.Err != nil {
			row[10] = c.Err.Error()
		}
		table.Add(row...)
	}
	return &table.Result
}

// lines is a text that grows by lines.
type lines []string

func (l *lines) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

// block adds a text of several lines below a heading.
func (l *lines) block(heading, text string) {
	l.add("%s", heading)
	for line := range strings.SplitSeq(text, "\n") {
		l.add("  %s", line)
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (t *Translation) explain() []string {
	var out lines
	out.add("Answered by %s (%s), confidence %.2f, in %s", t.Strategy, t.Source, t.Confidence, t.Elapsed.Round(time.Millisecond))
	if t.Understood != "" {
		out.add("Understood: %s", t.Understood)
	}
	t.explainLinks(&out)
	if len(t.Demos) > 0 {
		out.add("Demonstrations:")
		for _, d := range t.Demos {
			out.add("  %s", oneLine(d))
		}
	}
	t.explainCandidates(&out)
	if t.Usage.Calls > 0 {
		out.add("Models: %d calls, %d prompt and %d completion tokens, cost %.4f", t.Usage.Calls, t.Usage.PromptTokens, t.Usage.CompletionTokens, t.Usage.Cost)
	}
	if len(t.Stages) > 0 {
		parts := make([]string, len(t.Stages))
		for i, s := range t.Stages {
			parts[i] = fmt.Sprintf("%s %s", s.Name, s.Elapsed.Round(100*time.Microsecond))
		}
		out.add("Stages: %s", strings.Join(parts, ", "))
	}
	switch {
	case t.Replica.Name != "" && t.Replica.Lag < 0:
		out.add("Ran on %s", t.Replica.Name)
	case t.Replica.Name != "":
		out.add("Ran on %s, replay lag %s", t.Replica.Name, t.Replica.Lag.Round(time.Millisecond))
	}
	for _, n := range t.Notices {
		out.add("Note: %s", n)
	}
	out.block("SQL:", t.SQL)
	if t.Plan != "" {
		out.block("Plan:", strings.TrimRight(t.Plan, "\n"))
	}
	return out
}

func (t *Translation) explainLinks(out *lines) {
	if len(t.Linked) > 0 {
		out.add("Linked:")
	}
	for _, l := range t.Linked {
		switch {
		case l.Value != "":
			out.add("  %q is the value %q of %s (%s)", l.Words, l.Value, l.Object, l.Why)
		case l.Words != "":
			out.add("  %q is %s (%s)", l.Words, l.Object, l.Why)
		default:
			out.add("  %s (%s)", l.Object, l.Why)
		}
	}
}

func (t *Translation) explainCandidates(out *lines) {
	if len(t.Candidates) == 0 {
		return
	}
	group, n := t.groups()
	switch n {
	case 0:
		out.add("Candidates, none with a result:")
	case 1:
		out.add("Candidates, all results alike:")
	default:
		out.add("Candidates, in %d groups by their results:", n)
	}
	for rank, i := range t.Ranked() {
		c := t.Candidates[i]
		line := fmt.Sprintf("  %d. %s, %s/%s", rank+1, c.Fate, c.Origin.Model, c.Origin.Prompt)
		if c.Origin.Repair > 0 {
			line += fmt.Sprintf(", repair %d", c.Origin.Repair)
		}
		if g := group[c.Fingerprint]; g > 0 {
			line += fmt.Sprintf(", group %d", g)
		}
		if c.Votes > 0 {
			line += fmt.Sprintf(", votes %d, rows %d", c.Votes, c.Rows)
		}
		out.add("%s", line)
		if c.SQL != "" {
			out.add("     %s", oneLine(c.SQL))
		}
		if c.Err != nil {
			out.add("     %s", c.Err.Error())
		}
	}
}

// groups numbers the groups of candidates with one result in the order of
// Ranked, from 1, and says how many there are. It has none for the fingerprint of a
// candidate that did not run.
func (t *Translation) groups() (number map[string]int, n int) {
	number = map[string]int{}
	for _, i := range t.Ranked() {
		if f := t.Candidates[i].Fingerprint; f != "" && number[f] == 0 {
			n++
			number[f] = n
		}
	}
	return number, n
}

func column(name string, oid uint32) Column {
	c := Column{Name: name, TypeOID: oid, TypeLen: 8, TypeMod: -1}
	if oid == oidText {
		c.TypeLen = -1
	}
	return c
}

// Choose returns t as the answer that candidate i gives: with its SQL and its
// share of the votes, at no cost, as t was paid for.
func (t *Translation) Choose(i int) *Translation {
	c := *t
	c.Candidates = append([]Candidate(nil), t.Candidates...)
	if old := t.Chosen; old >= 0 && old < len(c.Candidates) && old != i && c.Candidates[old].Fate == FateChosen {
		c.Candidates[old].Fate = FateOutvoted
		if f := c.Candidates[old].Fingerprint; f != "" && f == c.Candidates[i].Fingerprint {
			c.Candidates[old].Fate = FateAgreed
		}
	}
	c.Chosen, c.SQL, c.Source, c.Columns, c.Result, c.Plan = i, c.Candidates[i].SQL, SourceChoice, nil, nil, ""
	c.Candidates[i].Fate = FateChosen
	c.Confidence = float64(c.Candidates[i].Votes) / float64(len(c.Candidates))
	if i == t.Chosen {
		c.Confidence, c.Columns, c.Plan = t.Confidence, t.Columns, t.Plan
	}
	c.Understood = c.Candidates[i].Understood
	c.Won, c.Usage, c.Spending, c.Stages, c.Notices, c.Key, c.Elapsed, c.Fallback = "", Usage{}, nil, nil, nil, "", 0, false
	return &c
}
