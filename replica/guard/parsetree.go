package guard

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// element is a value in a parse tree: a message with its children, or a
// scalar. The wrappers around nodes and lists are left out: a list is several
// children of one name.
type element struct {
	shape      int32 // number of its shape, 0 for a scalar
	child      int32 // the first, 0 if there is none
	next       int32 // the next of the same parent, 0 if there is none
	start, end int32 // of a scalar in the JSON, strings without their quotes
	field      fieldID
}

// parseTree is a parse tree as ask.ParseJSON gives it. Element 0 is the root.
type parseTree struct {
	elements []element
	shapes   []*shape
	text     string
	at       int
	err      error
}

var trees = sync.Pool{New: func() any { return &parseTree{} }}

// readTree reads a tree, with an error where the text is anything but
// libpg_query's JSON of the messages known here.
func readTree(json string) (*parseTree, error) {
	if len(json) > math.MaxInt32 {
		return nil, fmt.Errorf("the parse tree has %d bytes", len(json))
	}
	g, t := shapes(), trees.Get().(*parseTree)
	t.elements, t.shapes, t.text, t.at, t.err = t.elements[:0], g.all, json, 0, nil
	t.message(g.root, 0)
	if t.err == nil && t.at != len(t.text) {
		t.fail("its end")
	}
	if t.err != nil {
		err := t.err
		t.release()
		return nil, err
	}
	return t, nil
}

// release gives the tree's memory back; nothing of it may be used any more.
func (t *parseTree) release() {
	t.text = ""
	trees.Put(t)
}

func (t *parseTree) fail(want string) {
	if t.err == nil {
		t.err = fmt.Errorf("the parse tree is not understood at byte %d: want %s", t.at, want)
	}
	t.at = len(t.text)
}

// peek returns the next byte, 0 at the end.
func (t *parseTree) peek() byte {
	if t.at < len(t.text) {
		return t.text[t.at]
	}
	return 0
}

func (t *parseTree) skip(c byte) bool {
	if t.at < len(t.text) && t.text[t.at] == c {
		t.at++
		return true
	}
	return false
}

var (
	fieldItems          = idOf("items")
	fieldDistinctClause = idOf("distinctClause")
)

// message reads an object of the shape and returns its element, -1 for a node
// that is absent.
func (t *parseTree) message(s *shape, of fieldID) int32 {
	if !t.skip('{') {
		t.fail("an object")
		return -1
	}
	if s.nodes != nil {
		return t.node(s.nodes, of)
	}
	i := int32(len(t.elements))
	t.elements = append(t.elements, element{shape: s.number, field: of})
	last := int32(0)
	add := func(child int32) {
		switch {
		case child < 0:
			return
		case last == 0:
			t.elements[i].child = child
		default:
			t.elements[last].next = child
		}
		last = child
	}
	expected := 0
	for !t.skip('}') {
		f := t.key(s.fields, &expected)
		if f == nil {
			t.fail("a known field of " + s.name)
			return -1
		}
		if t.skip('[') {
			for !t.skip(']') {
				add(t.value(f))
				if !t.skip(',') && t.peek() != ']' {
					t.fail("the end of a list")
					return -1
				}
			}
		} else {
			add(t.value(f))
		}
		if !t.skip(',') && t.peek() != '}' {
			t.fail("the end of an object")
			return -1
		}
	}
	return i
}

// key reads a key, nil if it is none of the fields. They come in their order,
// with some left out, so that the search begins behind the last one.
func (t *parseTree) key(fields []field, expected *int) *field {
	rest := t.text[t.at:]
	if len(rest) < 2 {
		return nil
	}
	for range fields {
		if *expected == len(fields) {
			*expected = 0
		}
		f := &fields[*expected]
		*expected++
		if rest[1] == f.key[1] && strings.HasPrefix(rest, f.key) {
			t.at += len(f.key)
			return f
		}
	}
	return nil
}

// node reads what is in a Node behind its brace: one of the messages, or
// nothing.
func (t *parseTree) node(all map[string]*field, of fieldID) int32 {
	i := int32(-1)
	switch {
	case t.peek() != '}':
		rest := t.text[t.at:]
		end := 0
		if rest[:min(1, len(rest))] == `"` {
			end = strings.IndexByte(rest[1:], '"')
		}
		if end < 1 {
			t.fail("the name of a node")
			return -1
		}
		f := all[rest[1:1+end]]
		if f == nil || f.shape == scalar || !strings.HasPrefix(rest, f.key) {
			t.fail("a known node")
			return -1
		}
		t.at += len(f.key)
		i = t.message(f.shape, of)
	case of != fieldItems && of != fieldDistinctClause:
		// Lists there have empty places. Elsewhere it is a node that
		// libpg_query has no name for.
		t.fail("a node")
	}
	if !t.skip('}') {
		t.fail("the end of a node")
	}
	return i
}

// value reads a field's value, or one of those in its list.
func (t *parseTree) value(f *field) int32 {
	if f.shape != scalar {
		return t.message(f.shape, f.id)
	}
	start, end := t.at, 0
	if t.skip('"') {
		start = t.at
		for end = start; end < len(t.text) && t.text[end] != '"'; end++ {
			if t.text[end] == '\\' {
				end++ // what the backslash escapes; of \u0041 the rest is plain
			}
		}
		if end >= len(t.text) {
			t.fail("the end of a string")
			return -1
		}
		t.at = end + 1
	} else {
		for c := t.peek(); c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E'; c = t.peek() {
			t.at++
		}
		if end = t.at; end == start {
			t.fail("a value")
			return -1
		}
	}
	t.elements = append(t.elements, element{field: f.id, start: int32(start), end: int32(end)})
	return int32(len(t.elements) - 1)
}

// shape returns the message type of an element, scalar if it is no message.
func (t *parseTree) shape(i int32) *shape { return t.shapes[t.elements[i].shape] }

// get returns the first child of the name, 0 if there is none.
func (t *parseTree) get(i int32, field fieldID) int32 {
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		if t.elements[c].field == field {
			return c
		}
	}
	return 0
}

// count returns how many children of the name there are.
func (t *parseTree) count(i int32, field fieldID) (n int) {
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		if t.elements[c].field == field {
			n++
		}
	}
	return n
}

// scalar returns the text of a scalar child, empty if it is absent, which is
// how the JSON has empty strings, zeros and false.
func (t *parseTree) scalar(i int32, field fieldID) string {
	c := t.get(i, field)
	if c == 0 {
		return ""
	}
	return t.text[t.elements[c].start:t.elements[c].end]
}

// string returns the text that a scalar child stands for. It may be a part of
// the tree's own.
func (t *parseTree) string(i int32, field fieldID) string {
	raw := t.scalar(i, field)
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	// The escapes that libpg_query writes mean the same in Go.
	s, err := strconv.Unquote(`"` + raw + `"`)
	if err != nil {
		t.fail("a string")
	}
	return s
}
