package admin_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"askpg/admin"
	"askpg/ask"
)

// TestPages_Waiting: each page says how many translations wait for who may judge them, and the queue why each is there.
func TestPages_Waiting(t *testing.T) {
	st := openStore(t)
	sure, unsure, failed := entry("how many paid orders"), entry("how many unpaid orders"), entry("what is love")
	sure.Translation.Confidence, unsure.Translation.Confidence = 0.9, 0.4
	unsure.Translation.Usage.Cost = 2
	failed.Translation, failed.Err = nil, ask.Errorf(ask.CodeNoCandidate, "no candidate survived")
	failed.Question.Session.Role = "clerk"
	add(t, st, sure)
	add(t, st, failed)
	if err := st.Feedback(context.Background(), add(t, st, unsure), false, "ann", "wrong year"); err != nil {
		t.Fatal(err)
	}
	base := serve(t, st, nil, func(c *admin.Config, _ *admin.Server) {
		tokens(c, nil)
	})
	page := func(token, path string) string {
		t.Helper()
		req, _ := http.NewRequest(http.MethodGet, base+path, nil)
		req.Header.Set("Authorization", "Bearer "+token)
		_, body := newBrowser(t, base).do(req)
		return body
	}
	for _, path := range []string{"/", "/translations", "/examples", "/nothing"} {
		if body := page(reviewerToken, path); !strings.Contains(body, `To review <span class="waiting">3<`) {
			t.Errorf("%s does not say how many wait", path)
		}
	}
	if strings.Contains(page(viewerToken, "/"), "waiting") {
		t.Error("a viewer is told that something waits")
	}
	body := page(viewerToken, "/review")
	for question, want := range map[string][]string{
		"how many unpaid orders": {"negative feedback", "low confidence", "expensive"}, "what is love": {"no answer"}, "how many paid orders": nil,
	} {
		_, row, _ := strings.Cut(body, question)
		row, _, _ = strings.Cut(row, "</tr>")
		var got []string
		for _, part := range strings.Split(row, `<small class="here">`)[1:] {
			why, _, _ := strings.Cut(part, "<")
			got = append(got, why)
		}
		if strings.Contains(row, "not judged yet") != (len(want) == 0) {
			t.Errorf("%s: a row of the queue says why it is there", question)
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s is in the queue for %q, want %q", question, got, want)
		}
	}
}
