package vote_test

import (
	"testing"

	"askpg/translator/vote"
)

func TestGradeOf(t *testing.T) {
	for sql, want := range map[string]vote.Grade{
		"select count(*) from singer":                                                                  vote.Easy,
		"select name from singer where age > 20":                                                       vote.Easy,
		"select name, country from singer where age > 20":                                              vote.Medium,
		"select name from singer where age > 20 order by age":                                          vote.Medium,
		"select a.x, b.y, count(*) from a join b on a.i = b.i where a.z = 1 and b.w = 2 group by 1, 2": vote.Extra,
		"select name from t where id in (select id from s)":                                            vote.Hard,
		"select x from a where y = 1 intersect select x from a where y = 2 and z like 'b%' order by 1": vote.Extra,
		"no sql": vote.Extra,
	} {
		if got := vote.GradeOf(sql); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}
