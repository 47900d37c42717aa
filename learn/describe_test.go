package learn_test

import (
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/learn"
)

// TestReport_Describe: what a model says is proposed where nobody has said anything, as text of the semantics file, and as words of
// the model. What is refused is not proposed again in other words.
func TestReport_Describe(t *testing.T) {
	snap := snapshot(t, "[[column]]\nname = 'fees.due'\ndescription = 'when it is to be paid'\n")
	describe := func(words string) *learn.Report {
		report := learn.Learn(snap, []string{"public"}, nil)
		report.Proposals = nil
		report.Describe(snap, snap.Lookup("public", "fees"), "m1", "a fee of a member\n[[table]]", map[string]string{
			"state": words, "due": "something else", "amount": strings.Repeat("long ", 100), "paid": " ", "unknown": "no column",
		})
		report.Describe(snap, snap.Lookup("public", "lockers"), "m1", "", map[string]string{"pin_token": "the PIN, such as 1234"})
		return report
	}
	report := describe("0 draft, 2 paid")
	text := report.Fragment()
	if want := "# description fees: words of model m1, which has seen the table as prompts show it\n[[table]]\nname = \"fees\"\ndescription = \"a fee of a member [[table]]\"\n"; len(report.Proposals) != 2 || !strings.Contains(text, want) || !strings.Contains(text, "name = \"fees.state\"\ndescription = \"0 draft, 2 paid\"\n") {
		t.Errorf("%s", text)
	}
	if err := catalog.CheckSemantics(text); err != nil {
		t.Error(err)
	}
	other := describe("another word for it")
	other.Refuse(report.Proposals[1].Refused("today"))
	if len(other.Proposals) != 1 || other.Proposals[0].Name != "fees" {
		t.Errorf("after the refusal: %s", other.Fragment())
	}
}
