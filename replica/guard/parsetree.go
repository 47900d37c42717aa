package guard

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// shape is a message type of the parse tree.
type shape struct {
	name   string
	node   bool // Node, which wraps one of all the others
	rule   rule
	known  bool // to the policy
	fields map[string]*shape
}

// scalar is the shape of numbers, strings, enumerations and booleans.
var scalar = &shape{}

// shapes returns the message types of pg_query.proto, by the root of all trees.
var shapes = sync.OnceValues(func() (*shape, error) {
	r, err := builtinRules()
	if err != nil {
		return nil, err
	}
	all := map[protoreflect.FullName]*shape{}
	var of func(protoreflect.MessageDescriptor) *shape
	of = func(d protoreflect.MessageDescriptor) *shape {
		if s := all[d.FullName()]; s != nil {
			return s
		}
		s := &shape{name: string(d.Name()), fields: map[string]*shape{}}
		s.node = s.name == "Node"
		s.rule, s.known = r.nodes[s.name]
		all[d.FullName()] = s
		for i := range d.Fields().Len() {
			f := d.Fields().Get(i)
			s.fields[f.JSONName()] = scalar
			if f.Kind() == protoreflect.MessageKind {
				s.fields[f.JSONName()] = of(f.Message())
			}
		}
		return s
	}
	return of((*pg_query.ParseResult)(nil).ProtoReflect().Descriptor()), nil
})

// element is a value in a parse tree: a message with its children, or a
// scalar. The wrappers around nodes and lists are left out: a list is several
// children of one name.
type element struct {
	shape *shape
	field string // of the message that it stands in
	text  string // of a scalar, as in the JSON, strings without their quotes
	child int    // the first, 0 if there is none
	next  int    // the next of the same parent, 0 if there is none
}

// parseTree is a parse tree as ask.ParseJSON gives it. Element 0 is the root.
type parseTree struct {
	elements []element
	text     string
	at       int
	err      error
}

var trees = sync.Pool{New: func() any { return &parseTree{} }}

// readTree reads a tree, with an error where the text is anything but
// libpg_query's JSON of the messages known here.
func readTree(json string) (*parseTree, error) {
	root, err := shapes()
	if err != nil {
		return nil, err
	}
	t := trees.Get().(*parseTree)
	t.elements, t.text, t.at, t.err = t.elements[:0], json, 0, nil
	t.message(root, "")
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
	clear(t.elements)
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
	if t.peek() != c {
		return false
	}
	t.at++
	return true
}

// message reads an object of the shape and returns its element, -1 for a node
// that is absent.
func (t *parseTree) message(s *shape, field string) int {
	if !t.skip('{') {
		t.fail("an object")
		return -1
	}
	if s.node {
		i := -1
		switch {
		case t.peek() != '}':
			name := t.key()
			inner := s.fields[name]
			if inner == nil || inner == scalar {
				t.fail("a known node and not " + name)
				return -1
			}
			i = t.message(inner, field)
		case field != "items" && field != "distinctClause":
			// Lists there have empty places. Elsewhere it is a node that
			// libpg_query has no name for.
			t.fail("a node in " + field)
		}
		if !t.skip('}') {
			t.fail("the end of a node")
		}
		return i
	}
	i := len(t.elements)
	t.elements = append(t.elements, element{shape: s, field: field})
	last := 0
	add := func(child int) {
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
	for !t.skip('}') {
		name := t.key()
		f := s.fields[name]
		if f == nil {
			t.fail("a known field of " + s.name + " and not " + name)
			return -1
		}
		if t.skip('[') {
			for !t.skip(']') {
				add(t.value(f, name))
				if !t.skip(',') && t.peek() != ']' {
					t.fail("the end of a list")
					return -1
				}
			}
		} else {
			add(t.value(f, name))
		}
		if !t.skip(',') && t.peek() != '}' {
			t.fail("the end of an object")
			return -1
		}
	}
	return i
}

func (t *parseTree) key() string {
	if !t.skip('"') {
		t.fail("a name")
		return ""
	}
	end := strings.IndexByte(t.text[t.at:], '"')
	if end < 0 {
		t.fail("the end of a name")
		return ""
	}
	name := t.text[t.at : t.at+end]
	t.at += end + 1
	if !t.skip(':') {
		t.fail("a value")
	}
	return name
}

func (t *parseTree) value(s *shape, field string) int {
	if s != scalar {
		return t.message(s, field)
	}
	start, end := t.at, 0
	if t.skip('"') {
		start = t.at
		for {
			n := strings.IndexAny(t.text[t.at:], `"\`)
			if n < 0 {
				t.fail("the end of a string")
				return -1
			}
			t.at += n + 1
			if t.text[t.at-1] == '"' {
				break
			}
			t.at++ // what the backslash escapes; of \u0041 the rest is plain
			if t.at >= len(t.text) {
				t.fail("the end of a string")
				return -1
			}
		}
		end = t.at - 1
	} else {
		for c := t.peek(); c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E'; c = t.peek() {
			t.at++
		}
		if end = t.at; end == start {
			t.fail("a value")
			return -1
		}
	}
	t.elements = append(t.elements, element{shape: scalar, field: field, text: t.text[start:end]})
	return len(t.elements) - 1
}

// get returns the first child of the name, 0 if there is none.
func (t *parseTree) get(i int, field string) int {
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		if t.elements[c].field == field {
			return c
		}
	}
	return 0
}

// count returns how many children of the name there are.
func (t *parseTree) count(i int, field string) (n int) {
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		if t.elements[c].field == field {
			n++
		}
	}
	return n
}

// scalar returns the text of a scalar child, empty if it is absent, which is
// how the JSON has empty strings, zeros and false.
func (t *parseTree) scalar(i int, field string) string {
	c := t.get(i, field)
	if c == 0 {
		return ""
	}
	return t.elements[c].text
}

// string returns the text that a scalar child stands for, in memory of its own.
func (t *parseTree) string(i int, field string) string {
	raw := t.scalar(i, field)
	if strings.IndexByte(raw, '\\') < 0 {
		return strings.Clone(raw)
	}
	// The escapes that libpg_query writes mean the same in Go.
	s, err := strconv.Unquote(`"` + raw + `"`)
	if err != nil {
		t.fail("a string")
	}
	return s
}
