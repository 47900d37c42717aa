package admin_test

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"askpg/ask"
)

var votesPicture = regexp.MustCompile(`(?s)<svg class="votes".*?</svg>`)

// TestTranslation_Votes: the picture of the votes tells results apart, says why a smaller group won, and lists as without a
// result only what has none.
func TestTranslation_Votes(t *testing.T) {
	st := openStore(t)
	base := serve(t, st, nil, nil)
	e := entry("how many orders")
	made := func(sql, print string, votes int, rows int64, fate ask.Fate) ask.Candidate {
		return ask.Candidate{SQL: sql, Origin: ask.Origin{Model: "m", Prompt: "ddl"}, Fingerprint: print, Votes: votes, Rows: rows, Fate: fate}
	}
	e.Translation.Candidates = []ask.Candidate{
		made("select 1", "one", 1, 1, ask.FateChosen), made("select 2 where false", "two", 2, 0, ask.FateOutvoted), made("select 2 where 1 = 0", "two", 2, 0, ask.FateOutvoted),
		made("select 3 where false", "", 0, 0, ask.FateRepaired), made("select nothing", "", 0, -1, ask.FateInvalid),
	}
	e.Translation.Chosen, e.Translation.SQL, e.Translation.Won = 0, "select 1", ask.WonByBlank
	id := add(t, st, e)
	_, text, _ := fetch(t, base+"/translations/"+id)
	picture := votesPicture.FindString(text)
	for _, want := range []string{"1 with result A, 2 with result B,", "1 with a result that had no vote,", "1 without a result"} {
		if !strings.Contains(picture, want) {
			t.Errorf("the picture does not say %q: %s", want, picture)
		}
	}
	var x []float64
	for _, m := range regexp.MustCompile(` x="([0-9.]+)"`).FindAllStringSubmatch(picture, -1) {
		n, _ := strconv.ParseFloat(m[1], 64)
		x = append(x, n)
	}
	if len(x) != 5 || x[1]-x[0] <= x[2]-x[1]+1 || x[3]-x[2] <= x[2]-x[1]+1 {
		t.Errorf("the gaps between results are not wider: %v", x)
	}
	if !strings.Contains(text, "the other is empty or NULL") {
		t.Error("the page does not say why the smaller group won")
	}
	none := text[strings.Index(text, "<h3>Without a result"):]
	if strings.Contains(none, "where false") || !strings.Contains(text, "With a result that had no vote") {
		t.Error("a candidate with a result is listed as without one")
	}
	r, err := st.Get(context.Background(), id)
	if err != nil || r.Won != ask.WonByBlank {
		t.Errorf("the log has %q, %v", r.Won, err)
	}
}
