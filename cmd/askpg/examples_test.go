package main

import (
	"fmt"
	"strings"
	"testing"

	"askpg/internal/shop"
)

// TestLog_Import: what is imported in a terminal is planned first, and signed.
func TestLog_Import(t *testing.T) {
	config, address, admin := writeConfig(t, "")
	p := serveProcess(t, config, address, admin)
	importing := func(file string, args ...string) string {
		cmd := askpgCommand(t, append([]string{"log", "--config", config, "import", "-by", "rita"}, args...)...)
		cmd.Stdin = strings.NewReader(file)
		out, err := cmd.CombinedOutput()
		return fmt.Sprint(string(out), err)
	}
	good := fmt.Sprintf(`{"database":"shop","question":"how many xylophones","sql":"select 42","role":%q}`+"\n", shop.Analyst)
	for _, tt := range []struct{ file, want string }{
		{good + `{"database":"shop","question":"b","sql":"select 1"}`, "line 2: it names no role"},
		{good + fmt.Sprintf(`{"database":"shop","question":"b","sql":"select cost from products","role":%q}`, shop.Support), "line 2: this SQL can't answer for support at shop"},
		{good + fmt.Sprintf(`{"database":"shop","question":"b","sql":"delete from orders","role":%q}`, shop.Analyst), "nothing is imported: 1 of 2"},
	} {
		if out := importing(tt.file); !strings.Contains(out, tt.want) {
			t.Errorf("%s: want %q in\n%s", tt.file, tt.want, out)
		}
	}
	const question = "-- ask: how many xylophones"
	if got, err := asked(testContext(t), connect(t, p.url(shop.Analyst)), question); err == nil || err.Code != "ASK01" {
		t.Fatalf("%q, %v", got, err)
	}
	if out := importing(good+`{"database":"shop","question":"how many yaks","sql":"select 43"}`, "-user", shop.Analyst); !strings.Contains(out, "2 examples imported, 0 retired") {
		t.Fatal(out)
	}
	eventually(t, "the example answers", func() bool { // of another process
		got, err := asked(testContext(t), connect(t, p.url(shop.Analyst)), question)
		return err == nil && got == "42"
	})
	if out := importing(good, "-replace"); !strings.Contains(out, "0 examples imported, 1 retired") {
		t.Fatal(out)
	}
}
