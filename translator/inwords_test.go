package translator

import (
	"testing"

	"askpg/catalog"
	"askpg/translator/sentence"
)

// TestState_InWords joins relations by a key: it is told where there is another one, and where none is known.
func TestState_InWords(t *testing.T) {
	relation := func(name string, columns ...string) *catalog.Relation {
		r := &catalog.Relation{}
		r.Schema, r.Name.Name = "public", name
		for _, c := range columns {
			r.Columns = append(r.Columns, &catalog.Column{Relation: r, Name: c, NotNull: c == "id"})
		}
		r.PrimaryKey = r.Columns[:1]
		return r
	}
	doctors, departments, beds := relation("doctors", "id", "dept_id", "name"), relation("departments", "id", "head_id", "name"), relation("beds", "id", "dept_id", "name")
	key := func(from, to *catalog.Relation) *catalog.ForeignKey {
		return &catalog.ForeignKey{From: from, To: to, FromCols: from.Columns[1:2], ToCols: to.Columns[:1]}
	}
	s := &sentenceSchema{&catalog.Snapshot{Relations: []*catalog.Relation{doctors, departments, beds},
		ForeignKeys: []*catalog.ForeignKey{key(doctors, departments), key(departments, doctors), key(beds, departments)}}, []string{"public"}}
	for sql, want := range map[string]string{
		"SELECT b.name FROM beds b JOIN departments d ON d.id = b.dept_id":                           "name of beds from beds and departments",
		"SELECT o.name FROM doctors o JOIN departments d ON d.id = o.dept_id":                        "name of doctors from doctors and departments where id of departments is dept_id of doctors",
		"SELECT o.name FROM doctors o JOIN departments d ON d.head_id = o.id":                        "name of doctors from doctors and departments where head_id of departments is id of doctors",
		"SELECT b.name FROM beds b JOIN departments d ON d.name = b.name":                            "name of beds from beds and departments where name of departments is name of beds",
		"SELECT o.name FROM doctors o JOIN beds b USING (dept_id)":                                   "name of doctors from doctors and beds",
		"SELECT d.name FROM departments d LEFT JOIN beds b ON b.dept_id = d.id WHERE b.id IS NULL":   "name of departments from departments, with or without beds where there are no beds",
		"SELECT d.name FROM departments d LEFT JOIN beds b ON b.dept_id = d.id WHERE b.name IS NULL": "name of departments from departments, with or without beds where name of beds is empty",
	} {
		if got, ok := sentence.Of(sql, s); got != want || !ok {
			t.Errorf("%s\n got %q, %v\nwant %q", sql, got, ok, want)
		}
	}
}
