package eval_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"askpg/eval"
)

// Figures that were computed elsewhere from the same recorded answers come out
// the same. The question sets are no part of the project: ASKPG_BENCH says
// where they are. A database of defog has sales of last Monday: on Mondays "the past 7 days, inclusive of today" is another count
// in one gold than in all answers, so that each figure is one question lower.
func TestRun_Anchors(t *testing.T) {
	bench := os.Getenv("ASKPG_BENCH")
	if bench == "" {
		t.Skip("ASKPG_BENCH does not say where the question sets are")
	}
	for _, test := range []struct {
		set, voters string
		want        map[string]string // by system: strict, perm, contained
	}{
		{"spider", "all", map[string]string{
			"codes_7b": ". .837 .", "codes_3b": ". .831 .", "c3_chatgpt": ". .784 .", "plain majority": ".807 .850 .",
		}},
		{"spider", "dail_sql_gpt4_sc,din_sql_gpt4,c3_chatgpt,codes_7b,dts_sql_deepseek_7b", map[string]string{"plain majority": ".794 .838 ."}},
		{"spider", "codes_1b,codes_3b,dts_sql_mistral_7b,graphix_t5_3b,dbgpthub_codellama", map[string]string{"plain majority": ".766 .809 ."}},
		{"spider", "gpt4_zero_shot,gpt4_few_shot,c3_chatgpt", map[string]string{"plain majority": ".718 .768 ."}},
		{"defog", "all", map[string]string{
			"live_a": ".946 .946 .982", "live_b": ".904 .922 .988", "live_c": ".904 .904 .964", "plain majority": ".928 .934 .988",
		}},
	} {
		t.Run(test.set+"/"+test.voters, func(t *testing.T) {
			monday := test.set == "defog" && time.Now().Weekday() == time.Monday
			report, err := eval.Run(t.Context(), eval.Options{
				Sets: []string{filepath.Join(bench, test.set)}, Out: t.TempDir(), Predictions: strings.Split(test.voters, ","),
			})
			if err != nil {
				t.Fatal(err)
			}
			for system, want := range test.want {
				s, err := report.Summary(test.set, system)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for i, part := range strings.Fields(want) {
					figure := "."
					if part != "." {
						share := []float64{s.Strict, s.Perm, s.Contained}[i]
						if monday {
							share += 1 / float64(s.Questions)
						}
						figure = strings.TrimPrefix(fmt.Sprintf("%.3f", share), "0")
					}
					got = append(got, figure)
				}
				if g := strings.Join(got, " "); g != want {
					t.Errorf("%s: got %s, want %s", system, g, want)
				}
			}
		})
	}
}
