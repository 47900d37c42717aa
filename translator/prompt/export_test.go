package prompt

import (
	"maps"
	"slices"
)

// Styles are all styles, which tests go through.
var Styles = slices.Sorted(maps.Keys(renderers))
