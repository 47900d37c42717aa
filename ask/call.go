package ask

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Call is an ask('…') in the FROM clause of a statement.
type Call struct {
	Start, End int // byte offsets of ask(…) in the statement
	Form       Form
	Alias      bool // the statement names it, as in ask('…') AS r
	Embedded   bool // it stands in the place of an ask comment or of ASK '…'
	Parameter  int  // the number of the parameter that is the question, as in ask($1); 0 if it is a constant
}

// MayCall says whether a text holds "ask" followed by an opening parenthesis:
// only such texts are worth parsing for FindCalls. It does not allocate.
func MayCall(text []byte) bool {
	// Parentheses are rarer than letters, so they lead.
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '(')
		if i < 0 {
			return false
		}
		if endsWithAsk(text[:at+i]) || bytes.HasSuffix(text[:at+i], []byte(`"ask"`)) {
			return true
		}
		at += i + 1
	}
}

// FindCalls returns the calls of ask in the FROM clauses of a statement, at any depth and in the order of the text. It
// also returns the text in which they stand. That is the statement itself, or one with calls in the
// place of ask comments and of ASK '…'. They are replaced only in a statement that is no SQL
// otherwise, as where a program has written one around a question.
//
// The error is an *Error if a call has a form that can't be answered. A text that does not parse has no calls: the
// server says what is wrong with it.
func FindCalls(sql string) (text string, calls []Call, err error) {
	embedded := map[int]Form{}
	if MayHold([]byte(sql)) {
		var b strings.Builder
		for _, s := range statements(sql) {
			text, places, err := s.embed()
			if err != nil {
				return sql, nil, err
			}
			for _, p := range places {
				embedded[b.Len()+p.start] = p.form
			}
			b.WriteString(text)
		}
		if len(embedded) > 0 {
			sql = b.String()
		}
	}
	calls, err = findCalls(sql, embedded)
	return sql, calls, err
}

func findCalls(sql string, embedded map[int]Form) ([]Call, error) {
	tree, err := Parse(sql)
	if err != nil {
		return nil, nil
	}
	scan, err := Scan(sql)
	if err != nil {
		return nil, nil
	}
	var calls []Call
	var failed *Error
	Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		rf, ok := m.Interface().(*pg_query.RangeFunction)
		if !ok || failed != nil {
			return
		}
		for _, item := range rf.Functions {
			parts := item.GetList().GetItems()
			if len(parts) == 0 {
				continue
			}
			call := parts[0].GetFuncCall()
			if call == nil || len(call.Funcname) != 1 || call.Funcname[0].GetString_().GetSval() != "ask" {
				continue
			}
			var c Call
			if form, ok := embedded[int(call.Location)]; ok {
				c, failed = Call{Form: form, Alias: rf.Alias != nil, Embedded: true}, cmp.Or(form.Err, form.inFrom())
			} else {
				c, failed = readCall(rf, call)
			}
			if failed != nil {
				return
			}
			c.Start, c.End = extent(scan, int(call.Location))
			calls = append(calls, c)
		}
	})
	if failed != nil {
		return nil, failed
	}
	slices.SortStableFunc(calls, func(a, b Call) int { return a.Start - b.Start })
	return calls, nil
}

func readCall(rf *pg_query.RangeFunction, call *pg_query.FuncCall) (Call, *Error) {
	if rf.Ordinality || rf.IsRowsfrom || len(rf.Coldeflist) > 0 {
		return Call{}, Errorf(CodeFeatureNotSupported, "ask(…) takes neither WITH ORDINALITY nor ROWS FROM nor a column definition list").
			WithHint("Its columns are those of the answer; name them by an alias, as in ask('…') AS r(a, b).")
	}
	if len(call.Args) < 1 || len(call.Args) > 2 {
		return Call{}, errArguments()
	}
	args, parameter, err := arguments(call)
	if err != nil {
		return Call{}, err
	}
	if args[0] == "" && parameter == 0 && len(call.Args) == 1 && call.Args[0].GetNamedArgExpr() != nil {
		return Call{}, errArguments()
	}
	var f Form
	f.options(args[1])
	if f.Err != nil {
		return Call{}, f.Err
	}
	if err := f.inFrom(); err != nil {
		return Call{}, err
	}
	if f.read(splitHints(args[0])); parameter == 0 {
		f.placeholders(nil)
	}
	if f.Err != nil {
		return Call{}, f.Err
	}
	if f.Parameters > 0 { // in a string $1 is no parameter for the server
		return Call{}, ErrUnbound().WithHint("Bind the whole question, as in ask($1), or write the value into it.")
	}
	return Call{Form: f, Alias: rf.Alias != nil, Parameter: parameter}, nil
}

// arguments reads the question and the options, which are constants, or the number of the parameter that is the question.
func arguments(call *pg_query.FuncCall) (args [2]string, parameter int, _ *Error) {
	for i, a := range call.Args {
		if named := a.GetNamedArgExpr(); named != nil {
			if i = slices.Index([]string{"question", "options"}, named.Name); i < 0 {
				return args, 0, errArguments()
			}
			a = named.Arg
		}
		for a.GetTypeCast() != nil && isTextType(a.GetTypeCast().TypeName) {
			a = a.GetTypeCast().Arg
		}
		if p := a.GetParamRef(); p != nil && i == 0 && p.Number > 0 {
			if p.Number > maxPlaceholders {
				return args, 0, Errorf(CodeProgramLimit, "there is no parameter $%d", p.Number).
					WithHint("A statement has at most %d parameters.", maxPlaceholders)
			}
			parameter = int(p.Number)
			continue
		}
		c := a.GetAConst()
		if c == nil || c.Isnull || c.GetSval() == nil {
			return args, 0, Errorf(CodeFeatureNotSupported, "the arguments of ask(…) must be string constants, and the question may be a parameter").
				WithDetail("A question is translated before the statement runs, so it can't depend on a column.").
				WithHint("Write ask('how many orders') or ask($1).")
		}
		args[i] = c.GetSval().Sval
	}
	return args, parameter, nil
}

func errArguments() *Error {
	return Errorf(CodeSyntax, "ask(…) takes the question and, if need be, options").
		WithHint("Write ask('how many orders', 'strategy=grammar'), or name them: ask(question => '…', options => '…').")
}

// isTextType says whether a type is one of PostgreSQL's for texts, to which a question may be cast. N'…' is one of bpchar.
func isTextType(n *pg_query.TypeName) bool {
	if n == nil || len(n.ArrayBounds) > 0 || n.Setof || n.PctType || len(n.Names) == 0 || len(n.Names) == 2 && n.Names[0].GetString_().GetSval() != "pg_catalog" || len(n.Names) > 2 {
		return false
	}
	if len(n.Typmods) > 0 {
		return false // it would cut the question off
	}
	switch n.Names[len(n.Names)-1].GetString_().GetSval() {
	case "text", "varchar", "bpchar":
		return true
	}
	return false
}

// inFrom returns why a question can't stand in FROM: it is a word on an earlier one.
func (f *Form) inFrom() *Error {
	if f.Action == ActionRun || f.Feedback != nil {
		return Errorf(CodeFeatureNotSupported, "ask(…) in FROM takes neither run nor good nor bad").
			WithHint("Write -- ask(run 2), -- ask(good) or -- ask(bad: why) as a statement of its own.")
	}
	return nil
}

// extent returns where the call that begins at start ends.
func extent(scan *pg_query.ScanResult, start int) (int, int) {
	depth := 0
	for _, t := range scan.Tokens {
		if int(t.Start) < start {
			continue
		}
		switch t.Token {
		case pg_query.Token_ASCII_40:
			depth++
		case pg_query.Token_ASCII_41:
			if depth--; depth == 0 {
				return start, int(t.End)
			}
		}
	}
	return start, start
}

// ReplaceCalls puts a query in the place of each call, as a derived table.
func ReplaceCalls(sql string, calls []Call, queries []string) string {
	var b strings.Builder
	at := 0
	for i, c := range calls {
		b.WriteString(sql[at:c.Start])
		// The newline ends a comment that the query may end with.
		b.WriteString("(" + queries[i] + "\n)")
		if !c.Alias {
			b.WriteString(" AS ask")
		}
		at = c.End
	}
	b.WriteString(sql[at:])
	return b.String()
}
