package warehouse

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Questions returns questions about a warehouse of n tables: of names and
// values that it has, of words that it has not, with typing mistakes, short
// and long. The same arguments give the same questions.
func Questions(n, count int) []string {
	all := tables(n)
	rnd := rand.New(rand.NewPCG(21, uint64(n)))
	words := func(name string) string { return strings.ReplaceAll(name, "_", " ") }
	pick := func(list []string) string { return list[rnd.IntN(len(list))] }
	out := make([]string, count)
	for i := range out {
		t := &all[rnd.IntN(len(all))]
		measure, label, value := pick(measures), "name", pick(towns)
		for _, c := range t.columns {
			switch {
			case c.typ == "numeric(12,2)":
				measure = words(c.name)
			case c.typ == "bigint" || rnd.IntN(2) == 0:
			default:
				if v := c.values(); v != nil {
					label, value = words(c.name), v[rnd.IntN(rows)]
				}
			}
		}
		switch i % 6 {
		case 0:
			out[i] = fmt.Sprintf("how many %ss are there", words(t.name))
		case 1:
			out[i] = fmt.Sprintf("total %s of %s by %s and month for each %s", measure, words(t.name), label, pick(subjects))
		case 2:
			out[i] = fmt.Sprintf("which %s of %s have the %s %s", pick(subjects), words(t.name), label, value)
		case 3:
			out[i] = fmt.Sprintf("how many %ss to Lisbin and %s were brought by %s in the last month", pick(subjects), pick(towns), typo(rnd, value))
		case 4:
			out[i] = fmt.Sprintf("average %s in 2025 for the ten largest %ss whose %s begins with A, sorted by %s", measure, pick(subjects), label, pick(moments))
		default:
			out[i] = fmt.Sprintf("compare the %s of every %s and %s in %s, %s and %s with what the %s of the same %s had planned for the quarter, "+
				"leave out those without a %s, and show the share of each in the total of %s together with the %s of the %s",
				pick(measures), pick(subjects), pick(subjects), pick(towns), typo(rnd, pick(towns)), value, pick(subjects), pick(parts),
				label, pick(subjects), pick(labels), pick(subjects))
		}
	}
	return out
}

// typo swaps two letters.
func typo(rnd *rand.Rand, word string) string {
	if len(word) < 5 {
		return word
	}
	i := 1 + rnd.IntN(3)
	return word[:i] + word[i+1:i+2] + word[i:i+1] + word[i+2:]
}
