package ask

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestLastComment compares with an expression whose time is no bound: texts from whoever connects are not read by it.
func TestLastComment(t *testing.T) {
	expression := regexp.MustCompile(`(?s)(?:^|[^/*-])(/\*(?:[^*]|\*+[^/*])*\*+/|--[^\n]*)$`)
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 200_000 {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString([]string{"/*", "*/", "--", "a", " ", "\n", "-", "*"}[random.IntN(8)])
		}
		s := b.String()
		if strings.Contains(s, "/*/") || strings.Contains(s, "*/*") { // comments that touch may be told apart otherwise
			continue
		}
		want := -1
		if at := expression.FindStringSubmatchIndex(s); at != nil {
			want = at[2]
			found++
		}
		if got := lastComment(s); got != want {
			t.Fatalf("%q: %d, want %d", s, got, want)
		}
	}
	if found < 10_000 {
		t.Errorf("only %d of the texts end with a comment", found)
	}
}

// TestParseForm_ManyComments has more comments behind a question than are taken off.
func TestParseForm_ManyComments(t *testing.T) {
	for n, want := range map[int]string{maxDecorations - 1: "", maxDecorations + 1: CodeProgramLimit, 13_000: CodeProgramLimit} {
		f, ok := ParseForm("ASK how many bands" + strings.Repeat(" /**/", n))
		if !ok || CodeOf(f.Err) != want {
			t.Errorf("%d comments: %v, %v", n, ok, f.Err)
		}
	}
}

func TestMayHold(t *testing.T) {
	for text, want := range map[string]bool{
		"select * from (ask 'a')": true, "select * from t where ask (sql) 'a'": true, "ask ( sql, explain ) $$a$$": true, "x (1) ask '": true,
		"ask (sql) /* 'x' */ 'a'": false, "select f('a'), ask(1)": false, "task 'a'": false, "select (ask), 'a'": false, "a ')')')'": false, "ask(')'": true,
		"x ('a') ask ('b')": false, "-- ask: x": true, "/** ask */": true, "select 1": false, "select 1;\n ASK how many": true, "select 1; task": false, "a; b ask": false,
	} {
		if got := MayHold([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// BenchmarkMayHold has texts as long as a question may be, some of which were made to be slow.
func BenchmarkMayHold(b *testing.B) {
	for name, part := range map[string]string{"plain": "select a, b from t ", "quotes": ")'", "options": "(" + strings.Repeat(" ", 60) + ")'", "comments": "--", "blanks": "  '"} {
		text := []byte("select 1 /* " + strings.Repeat(part, 64<<10/len(part)) + "*/")
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if MayHold(text) {
					b.Fatal("it holds none")
				}
			}
		})
	}
}
