package ask

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// SplitList returns the items of a list with commas, without the blanks around them and without empty ones.
func SplitList(list string) []string {
	var items []string
	for item := range strings.SplitSeq(list, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// AtLeast returns an error that names a setting whose value is below the least one.
func AtLeast[T cmp.Ordered](name string, value, least T) error {
	var zero T
	switch {
	case value >= least:
		return nil
	case least == zero:
		return fmt.Errorf("%s is %v: it must not be negative", name, value)
	}
	return fmt.Errorf("%s is %v: it must be at least %v", name, value, least)
}

// Positive returns an error that names a setting whose value is not above 0.
func Positive[T cmp.Ordered](name string, value T) error {
	var zero T
	if value > zero {
		return nil
	}
	return fmt.Errorf("%s is %v: it must be more than 0", name, value)
}

// Between returns an error that names a setting whose value is outside of its bounds.
func Between[T cmp.Ordered](name string, value, least, most T) error {
	if value >= least && value <= most {
		return nil
	}
	return fmt.Errorf("%s is %v: it must be between %v and %v", name, value, least, most)
}

// OneOf returns an error that names a setting whose value is none of those that there are.
func OneOf(name, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	last := len(values) - 1
	return fmt.Errorf("%s is %q: it must be %s or %s", name, value, strings.Join(values[:last], ", "), values[last])
}
