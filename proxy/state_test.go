package proxy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// String returns the name that the diagram has for the state.
func (s state) String() string {
	names := [states]string{"Login", "Relaying", "Answering", "ClientLeft", "ServerLeft", "Released", "Ended"}
	if s < states {
		return names[s]
	}
	return fmt.Sprintf("state %d", s)
}

// TestStates_Diagram holds the transitions to those that docs/sessions.md draws.
func TestStates_Diagram(t *testing.T) {
	text, err := os.ReadFile("../docs/sessions.md")
	if err != nil {
		t.Fatal(err)
	}
	var drawn, made []string
	for _, m := range regexp.MustCompile(`(?m)^    (\w+) --> (\w+):`).FindAllStringSubmatch(string(text), -1) {
		drawn = append(drawn, m[1]+" to "+m[2])
	}
	for from, list := range transitions {
		for _, to := range list {
			made = append(made, state(from).String()+" to "+to.String())
		}
	}
	slices.Sort(drawn)
	slices.Sort(made)
	if !slices.Equal(drawn, made) {
		t.Errorf("the diagram draws\n%s\nand the code makes\n%s", strings.Join(drawn, "\n"), strings.Join(made, "\n"))
	}
	if !strings.Contains(string(text), "[*] --> "+state(0).String()) {
		t.Error("the diagram begins elsewhere")
	}
}

// TestSession_Become goes from each state to each, and gets only where the diagram draws it.
func TestSession_Become(t *testing.T) {
	for from := range states {
		for to := range states {
			s := &session{state: from}
			want := from == to || slices.Contains(transitions[from], to)
			if got := s.become(to); got != want {
				t.Errorf("from %s to %s: %v", from, to, got)
			}
			if end := s.state; want && end != to || !want && end != from {
				t.Errorf("from %s to %s: it is %s", from, to, end)
			}
		}
	}
}

// TestSession_StateIsChangedInOnePlace looks for assignments to a session's state.
func TestSession_StateIsChangedInOnePlace(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	assignment := regexp.MustCompile(`\.state\s*=[^=]`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := len(assignment.FindAll(text, -1))
		want := 0
		if name == "state.go" {
			want = 1
		}
		if found != want && !strings.HasSuffix(name, "_test.go") {
			t.Errorf("%s assigns to a state %d times, not %d", name, found, want)
		}
	}
}

// TestSession_Booleans holds the number of booleans that a session has, each of which doubles what can be.
func TestSession_Booleans(t *testing.T) {
	const most = 8
	n := 0
	field := regexp.MustCompile(`(?m)^\t(\w+(?:, \w+)*)\s+bool\b`)
	for _, name := range []string{"session.go", "downstream.go", "upstream.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range field.FindAllStringSubmatch(string(text), -1) {
			n += 1 + strings.Count(m[1], ",")
			if line := "// " + m[1] + ":"; !strings.Contains(string(text), line) {
				t.Errorf("%s: what %s is for is not said (%s …)", name, m[1], line)
			}
		}
	}
	if n > most {
		t.Errorf("a session has %d booleans, more than %d", n, most)
	}
}
