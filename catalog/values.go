package catalog

// Values finds the columns that hold what a question mentions.
type Values struct{}

// Hit is a value of the database found in a question.
type Hit struct {
	Column     *Column
	Value      string // as the column holds it
	Start, End int    // byte offsets in the question
	Exact      bool   // equal but for case and accents; false for stemmed or fuzzy matches
}

// Find returns the values mentioned in the question, longest match first; an
// ambiguous value gives one hit for each of its columns.
func (v *Values) Find(question string) []Hit { return nil }
