package translator

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// stage is one step of a strategy. It says whether the question is answered.
// One without a name notes the time that its parts take itself.
type stage struct {
	name string
	run  func(ctx context.Context, s *state) (done bool, err error)
}

// strategy is a list of stages; what they found is decided upon at the end.
type strategy struct {
	name   string
	stages []stage
}

var strategies map[string]strategy

func init() {
	strategies = map[string]strategy{}
	for _, st := range []strategy{
		{"grammar", []stage{
			{"catalog question", catalogQuestion},
			{"interpret", interpretStage},
			{"grammar", grammarAlone},
		}},
		{"auto", []stage{
			{"catalog question", catalogQuestion},
			{"", readAndAsk},
			{"widen", widen},
			{"more", moreWaves},
			{"select", selectDisputed},
			{"explore", exploreDisputed},
		}},
		{"mcs", []stage{
			{"prepare", prepareMCS},
			{"link tables", linkTables},
			{"link columns", linkColumns},
			{"generate", generateMCS},
			{"select", selectMCS},
		}},
		{"full", []stage{
			{"augment, generate, correct", chains},
		}},
		{"pet", []stage{
			{"presql", preSQL},
			{"link", linkByPreSQL},
			{"finsql", finSQL},
		}},
		{"interactive", []stage{
			{"explore", explore},
		}},
	} {
		strategies[st.name] = st
	}
}

// Strategies returns the names of the strategies.
func Strategies() []string { return slices.Sorted(maps.Keys(strategies)) }

func strategyNames() string { return strings.Join(Strategies(), ", ") }
