package translator

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// stage is one step of a strategy. One without a name notes the time that its parts take itself.
type stage struct {
	name string
	run  func(ctx context.Context, s *state) error
}

// strategies are lists of stages by name. A strategy ends at the first stage that chooses an answer; else what they found is decided upon
// at the end.
var strategies = map[string][]stage{
	"grammar": {
		{"catalog question", catalogQuestion},
		{"interpret", interpretStage},
		{"grammar", grammarAlone},
	},
	"auto": {
		{"catalog question", catalogQuestion},
		{"", readAndAsk},
		{"widen", widen},
		{"more", moreWaves},
		{"select", selectDisputed},
		{"explore", exploreDisputed},
	},
	"mcs": {
		{"prepare", prepareMCS},
		{"link tables", linkTables},
		{"link columns", linkColumns},
		{"generate", generateMCS},
		{"select", selectMCS},
	},
	"full": {
		{"augment, generate, correct", chains},
	},
	"pet": {
		{"presql", preSQL},
		{"link", linkByPreSQL},
		{"finsql", finSQL},
	},
	"interactive": {
		{"explore", explore},
	},
}

// Strategies returns the names of the strategies.
func Strategies() []string { return slices.Sorted(maps.Keys(strategies)) }

func strategyNames() string { return strings.Join(Strategies(), ", ") }
