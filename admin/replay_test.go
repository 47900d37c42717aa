package admin_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"askpg/admin"
	"askpg/store"
)

// replays stands in for the process that replays.
type replays struct {
	began chan admin.ReplayOptions
	run   func(ctx context.Context, each func(admin.Replayed)) error
}

func (r *replays) Choices() (models, strategies []string, maxCalls int, err error) {
	return []string{"small", "large"}, []string{"auto", "grammar"}, 32, nil
}

func (r *replays) Run(ctx context.Context, o admin.ReplayOptions, each func(admin.Replayed)) error {
	r.began <- o
	return r.run(ctx, each)
}

// TestReplay: one replay runs at a time, can be stopped, and its page says what would change for whom.
func TestReplay(t *testing.T) {
	st := openStore(t)
	for _, q := range []string{"how many apples", "how many pears", "how many plums", "how many figs", "how many dates"} {
		if _, err := st.Approve(context.Background(), add(t, st, entry(q)), nil, store.Reviewer{Name: "rita"}, ""); err != nil {
			t.Fatal(err)
		}
	}
	end := make(chan error)
	job := &replays{began: make(chan admin.ReplayOptions, 1)}
	outcome := func(question string) admin.Replayed {
		return admin.Replayed{Database: "shop", Role: "analyst", Question: question, Verified: "select a from t", Calls: 3, Cost: 0.5, Elapsed: 7}
	}
	job.run = func(ctx context.Context, each func(admin.Replayed)) error {
		same, differs, none, unknown := outcome("how many apples"), outcome("how many pears <b>"), outcome("how many plums"), outcome("how many figs")
		same.Right, same.Answer = true, "select a from t"
		differs.Answer, differs.Role, differs.Used = "select b from t", "clerk", 12
		none.Message = "ASK01: <script>"
		unknown.Unknown, unknown.Answer = "the verified SQL does not run", "select 1"
		for _, o := range []admin.Replayed{same, differs, none, unknown} {
			each(o)
		}
		select {
		case err := <-end:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	b := administered(t, st, func(p *admin.Parts) { p.Replays = job })
	b.signIn(adminToken)
	_, page := b.get("/examples")
	contains(t, "the examples", page, `href="/replay"`)
	_, page = b.get("/replay")
	contains(t, "the page", page, "Replay 5 examples", `name="calls" min="1" max="10000" required value="40"`, "go over by 32", `<option value="large">`, `<option value="grammar">`)
	if strings.Contains(page, "Would change") {
		t.Error("nothing ran, and the page has a result")
	}
	csrf := csrfOf(t, page)
	post := func(want int, form url.Values) string {
		t.Helper()
		form.Set("csrf", csrf)
		status, body := b.post("/replay", form)
		if status != want {
			t.Errorf("%v: %d, want %d:\n%.2000s", form, status, want, body)
		}
		return body
	}
	start := func(model, strategy, calls string) url.Values {
		return url.Values{"do": {"start"}, "model": {model}, "strategy": {strategy}, "calls": {calls}}
	}
	for _, wrong := range []url.Values{start("other", "", "9"), start("", "other", "9"), start("", "", "0"), start("", "", "99999"), start("", "", "x")} {
		post(422, wrong)
	}
	post(200, start("large", "auto", "17"))
	if o := <-job.began; o.Model != "large" || o.Strategy != "auto" || o.Calls != 17 || o.Limit < 5 || o.Within <= 0 {
		t.Errorf("%+v", o)
	}
	contains(t, "a second one", post(422, start("", "", "17")), "one at a time")
	running := func() bool { _, page = b.get("/replay"); return strings.Contains(page, "A replay runs") }
	for deadline := time.Now().Add(time.Minute); !strings.Contains(page, "4 examples, 1 to go"); _, page = b.get("/replay") {
		if time.Now().After(deadline) {
			t.Fatalf("%.3000s", page)
		}
	}
	if !running() {
		t.Fatal("it does not run")
	}
	end <- errors.New("the child died")
	for running() {
	}
	contains(t, "the result", page, "<dt>Same rows</dt><dd>1</dd>", "<dt>Other rows</dt><dd>1</dd>", "<dt>No answer</dt><dd>1</dd>", "<dt>Not known</dt><dd>1</dd>", "<dt>Not asked</dt><dd>1</dd>",
		"<dt>Calls</dt><dd>12</dd>", "<dt>Cost</dt><dd>2.00</dd>", "It broke off: the child died", "asked by <bdi>clerk</bdi> at <bdi>shop</bdi>, 12 answers", "how many pears &lt;b&gt;",
		"<del>a</del> <ins>b</ins>", "ASK01: &lt;script&gt;", "started by <bdi>Rita</bdi>", "<bdi>large</bdi> alone")

	// Another one forgets the one before, and can be stopped.
	post(200, start("", "", "5"))
	<-job.began
	post(200, url.Values{"do": {"stop"}})
	for running() {
	}
	contains(t, "the result", page, "It was stopped.", "the models of the configuration")

	// The end of the server ends what runs.
	post(200, start("", "", "5"))
	<-job.began

	for token, level := range map[string]string{viewerToken: "viewer", reviewerToken: "reviewer"} {
		if status, _ := b.post("/replay", start("", "", "5"), "Authorization", "Bearer "+token); status != http.StatusForbidden {
			t.Errorf("a %s replays: %d", level, status)
		}
	}
}

// TestReplay_None: where nothing replays, as in the demo, no page offers it.
func TestReplay_None(t *testing.T) {
	st := openStore(t)
	b := administered(t, st, func(p *admin.Parts) { p.Replays = nil })
	b.signIn(adminToken)
	if _, page := b.get("/examples"); strings.Contains(page, "/replay") {
		t.Error("the examples offer a replay")
	}
	if status, page := b.get("/replay"); status != http.StatusNotFound || !strings.Contains(page, "configuration file") {
		t.Errorf("the page of the replay: %d %s", status, page)
	}
}
