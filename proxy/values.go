package proxy

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
	"askpg/wire"
)

// keepOpen keeps a question with parameters. It is translated when Bind brings their values.
func (t *turn) keepOpen(name string, message []byte, form ask.Form, info *sessionInfo) error {
	st := &statement{
		answered: &answered{question: ask.Question{Text: form.Text, Hint: form.Hint, Session: info.session}, info: info},
		open:     true, form: &form, parameters: make([]uint32, form.Parameters),
	}
	copy(st.parameters, parameterTypes(message)) // 0 where the client declares none
	st.weigh(len(message))
	return t.endParse(name, st)
}

// parameterTypes reads the types of a Parse.
func parameterTypes(message []byte) []uint32 {
	_, rest, ok := wire.CutString(message[wire.HeaderLen:])
	if !ok {
		return nil
	}
	if _, rest, ok = wire.CutString(rest); !ok {
		return nil
	}
	return oids(rest)
}

// checkValueFormats says whether a Bind has as many formats as PostgreSQL takes: none, one for all, or one for each value.
func checkValueFormats(m *pgproto3.Bind) error {
	if n := len(m.ParameterFormatCodes); n > 1 && n != len(m.Parameters) {
		return ask.Errorf(ask.CodeProtocolViolation, "bind message has %d parameter formats but %d parameters", n, len(m.Parameters))
	}
	return nil
}

// boundQuestion translates a question with the values of a Bind.
func (t *turn) boundQuestion(st *statement, m *pgproto3.Bind, info *sessionInfo) (*statement, error) {
	if n := len(m.Parameters); n != len(st.parameters) {
		return nil, ask.Errorf(ask.CodeProtocolViolation, "bind message supplies %d parameters, but the question requires %d", n, len(st.parameters)).
			WithHint("$1, $2 … in a question are parameters; one that is glued to its last word is a question mark. Write money as 1 dollar or $1.00.")
	}
	if err := checkValueFormats(m); err != nil {
		return nil, err
	}
	values, err := t.values(st.form.Parameters, st.parameters, m, info)
	if err != nil {
		return nil, err
	}
	form, err := t.filled(*st.form, values)
	if err != nil {
		return nil, err
	}
	var bound *statement
	err = t.measured(func() error {
		a, err := t.translate(form, info)
		if err == nil && st.open && info.oneColumn() {
			a.rows.drop()
			sql := a.composed()
			a.table, a.annotation, a.rows = nil, nil, nil
			a.sql, err = t.inOneColumn(info, sql, nil)
		}
		if err != nil {
			return err
		}
		bound = &statement{answered: a, columns: a.columns(), parameters: st.parameters, of: st}
		if st.open && info.oneColumn() {
			bound.columns = rowColumn
		}
		bound.weigh(len(form.Text) + len(form.Hint))
		return nil
	})
	return bound, err
}

// values returns the first n values of a Bind, as they stand in a question.
func (t *turn) values(n int, types []uint32, m *pgproto3.Bind, info *sessionInfo) ([]string, error) {
	known := pgtype.NewMap()
	values := make([]string, min(n, len(m.Parameters)))
	for i := range values {
		if t.ctx.Err() != nil {
			return nil, context.Cause(t.ctx)
		}
		oid := typeOf(types, i)
		element := elementType(known, oid)
		text, err := valueText(known, m.Parameters[i], oid, formatOf(m.ParameterFormatCodes, i), info.encoding, true)
		if e := ask.AsError(err); e != nil {
			return nil, e.Copied().WithDetail("It is $%d.", i+1)
		} else if err != nil {
			return nil, err
		}
		if element == 0 {
			values[i] = ask.QuoteValue(text, oid)
			continue
		}
		var ok bool
		if values[i], ok = ask.QuoteList(text, element); !ok {
			return nil, ask.Errorf(ask.CodeFeatureNotSupported, "the array %s can't be put into a question", text).
				WithDetail("It is $%d.", i+1).WithHint("Bind an array of one dimension that is not empty and has no nulls.")
		}
	}
	return values, nil
}

// filled returns a question with values in it.
func (t *turn) filled(form ask.Form, values []string) (ask.Form, error) {
	form.Annotations = append([]string(nil), form.Annotations...)
	for i, v := range values {
		form.Annotations = append(form.Annotations, fmt.Sprintf("$%d = %s", i+1, v))
	}
	form = form.Filled(values)
	if n := len(form.Text) + len(form.Hint); n > t.inForce().Listen.MaxQuestion {
		return form, t.errTooLong()
	}
	return form, nil
}

func typeOf(types []uint32, i int) uint32 {
	if i < len(types) {
		return types[i]
	}
	return 0
}

// valueText returns a bound value as PostgreSQL would write it. array says that it may be one.
func valueText(types *pgtype.Map, v []byte, oid uint32, format int16, e *encoding, array bool) (string, error) {
	if v == nil {
		return "", ask.Errorf("22004", "a question can't have a null value").WithHint("Ask for what is missing in words, or bind an empty text.")
	}
	typ, known := types.TypeForOID(oid)
	isText := oid == 0 || oid == pgtype.TextOID || oid == pgtype.VarcharOID || oid == pgtype.BPCharOID || oid == pgtype.UnknownOID
	if elementType(types, oid) != 0 && !array || format != pgproto3.TextFormat && !isText && !known {
		return "", ask.Errorf(ask.CodeFeatureNotSupported, "a value of type %d can't be put into a question", oid).WithHint("Bind it as a text, and each element of an array by itself.")
	}
	if format == pgproto3.TextFormat || isText {
		return e.decode(v)
	}
	value, err := typ.Codec.DecodeValue(types, oid, pgtype.BinaryFormatCode, v)
	if err == nil {
		v, err = types.Encode(oid, pgtype.TextFormatCode, value, []byte{})
	}
	if err != nil {
		return "", ask.Errorf("22P03", "incorrect binary data format in a value of the question").Because(err)
	}
	return string(v), nil
}

// elementType returns the type of the elements of an array of a type that askpg knows, 0 for any other type.
func elementType(types *pgtype.Map, oid uint32) uint32 {
	if t, ok := types.TypeForOID(oid); ok {
		if array, ok := t.Codec.(*pgtype.ArrayCodec); ok {
			return array.ElementType.OID
		}
	}
	return 0
}

// tell takes note that the client knows the columns of a portal.
func (p *portal) tell(columns []ask.Column) {
	p.described = true
	p.prepared().clientColumns = columns
}

// prepared returns the statement of the client's Parse.
func (st *statement) prepared() *statement { return cmp.Or(st.of, st) }

// checkColumns makes sure that an answer has the columns that the client knows: of the prepared statement, unless it has asked for
// those of the portal. Drivers describe a prepared statement once.
func (p *portal) checkColumns(columns []ask.Column) error {
	known := p.statement.columns
	if of := p.prepared(); of.clientColumns != nil && !p.described {
		known = of.clientColumns
	}
	if known != nil && !slices.EqualFunc(known, columns, func(a, b ask.Column) bool { return a.TypeOID == b.TypeOID && a.Name == b.Name }) {
		return errOtherColumns()
	}
	p.statement.columns = columns
	return nil
}
