package ask_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"askpg/ask"
)

// The keys of a login are in no text that a question is written to, and nowhere
// once its session has ended.
func TestLogin(t *testing.T) {
	client, server := ask.LoginKey{1, 2, 3, 250, 31: 77}, ask.LoginKey{9, 8, 7, 201, 31: 66}
	l := ask.NewLogin("ann", client, server)
	q := ask.Question{Text: "how many?", Session: ask.Session{Role: "ann", Login: l}}
	asJSON, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{string(asJSON), fmt.Sprint(q), fmt.Sprintf("%+v", q), fmt.Sprintf("%#v", q), fmt.Sprint(l), fmt.Sprintf("%+v", l), fmt.Sprintf("%#v", q.Session)}
	for _, k := range []ask.LoginKey{client, server} {
		numbers := strings.Trim(fmt.Sprint(k), "[]")
		golang := strings.NewReplacer("0x1, 0x2", "", "0x9, 0x8", "") // of %#v
		for _, text := range texts {
			if golang.Replace(text) != text {
				t.Errorf("a key is in %q", text)
			}
		}
		for _, form := range []string{numbers[:9], hex.EncodeToString(k[:4]), base64.StdEncoding.EncodeToString(k[:3])} {
			for _, text := range texts {
				if strings.Contains(text, form) {
					t.Errorf("a key is in %q", text)
				}
			}
		}
	}
	if c, s, held := l.Keys(); !held || c != client || s != server {
		t.Error("the keys are not what they were: ", c, s, held)
	}
	l.Forget()
	if c, s, held := l.Keys(); held || c != (ask.LoginKey{}) || s != (ask.LoginKey{}) {
		t.Error("the keys are still there: ", c, s, held)
	}
	(*ask.Login)(nil).Forget()
}
