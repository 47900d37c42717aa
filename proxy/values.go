package proxy

import (
	"fmt"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
	"askpg/wire"
)

// keepOpen keeps a question with parameters. It is translated when Bind brings their values.
func (t *turn) keepOpen(name string, message []byte, form ask.Form, info *sessionInfo) error {
	st := &statement{
		answered: &answered{question: ask.Question{Text: form.Text, Hint: form.Hint, Session: info.session}, info: info},
		form:     &form, parameters: make([]uint32, form.Parameters),
	}
	copy(st.parameters, parameterTypes(message)) // 0 where the client declares none
	st.weigh(len(message))
	if err := t.keep(name, st); err != nil {
		return err
	}
	t.endThinking()
	return t.writeClient(encode(nil, &pgproto3.ParseComplete{}))
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
func (t *turn) boundQuestion(st *statement, m *pgproto3.Bind) (*statement, error) {
	if n := len(m.Parameters); n != len(st.parameters) {
		return nil, ask.Errorf(ask.CodeProtocolViolation, "bind message supplies %d parameters, but the question requires %d", n, len(st.parameters)).
			WithHint("$1, $2 … in a question are parameters; one that is glued to its last word is a question mark. Write money as 1 dollar or $1.00.")
	}
	if err := checkValueFormats(m); err != nil {
		return nil, err
	}
	t.think()
	info, err := t.readInfo(t.ctx, "")
	if err != nil {
		return nil, err
	}
	form, err := t.filled(*st.form, st.parameters, m, info)
	if err != nil {
		return nil, err
	}
	var bound *statement
	err = t.measured(func() error {
		a, err := t.translate(form, info)
		if err == nil && info.oneColumn() {
			a.rows.drop()
			sql := a.composed()
			a.table, a.annotation, a.rows = nil, nil, nil
			a.sql, err = t.inOneColumn(info, sql, nil)
		}
		if err != nil {
			return err
		}
		bound = &statement{answered: a, columns: a.columns(), parameters: st.parameters, of: st}
		if info.oneColumn() {
			bound.columns = rowColumn
		}
		bound.weigh(len(form.Text) + len(form.Hint))
		return nil
	})
	t.endThinking()
	return bound, err
}

// filled returns a question with the values of a Bind in it.
func (t *turn) filled(form ask.Form, types []uint32, m *pgproto3.Bind, info *sessionInfo) (ask.Form, error) {
	values := make([]string, min(form.Parameters, len(m.Parameters)))
	for i := range values {
		oid := typeOf(types, i)
		array := elementType(oid) != 0
		text, err := valueText(m.Parameters[i], oid, formatOf(m.ParameterFormatCodes, i), info.encoding, array)
		if e := ask.AsError(err); e != nil {
			return form, e.Copied().WithDetail("It is $%d.", i+1)
		} else if err != nil {
			return form, err
		}
		if values[i] = ask.QuoteValue(text, oid); !array {
			continue
		}
		if values[i], array = ask.QuoteList(text, elementType(oid)); !array {
			return form, ask.Errorf(ask.CodeFeatureNotSupported, "the array %s can't be put into a question", text).
				WithDetail("It is $%d.", i+1).WithHint("Bind an array of one dimension that is not empty and has no nulls.")
		}
	}
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
func valueText(v []byte, oid uint32, format int16, e *encoding, array bool) (string, error) {
	if v == nil {
		return "", ask.Errorf("22004", "a question can't have a null value").WithHint("Ask for what is missing in words, or bind an empty text.")
	}
	types := pgtype.NewMap()
	typ, known := types.TypeForOID(oid)
	isText := oid == 0 || oid == pgtype.TextOID || oid == pgtype.VarcharOID || oid == pgtype.BPCharOID || oid == pgtype.UnknownOID
	if elementType(oid) != 0 && !array || format != pgproto3.TextFormat && !isText && !known {
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
func elementType(oid uint32) uint32 {
	if t, ok := pgtype.NewMap().TypeForOID(oid); ok {
		if array, ok := t.Codec.(*pgtype.ArrayCodec); ok {
			return array.ElementType.OID
		}
	}
	return 0
}

// tell takes note that the client knows the columns of a portal.
func (p *portal) tell(columns []ask.Column) {
	p.described = true
	if of := p.of; of != nil && of.isOpen() {
		of.told = columns
	}
}

// asTold makes sure that an answer to a question with parameters has the columns that the client knows from
// an earlier answer, if it has not asked for those of this one. Drivers describe a prepared statement once.
func (p *portal) asTold(columns []ask.Column) error {
	if p.described || p.of == nil || !p.of.isOpen() || p.of.told == nil {
		return nil
	}
	same := len(columns) == len(p.of.told)
	for i := 0; same && i < len(columns); i++ {
		same = columns[i].TypeOID == p.of.told[i].TypeOID && columns[i].Name == p.of.told[i].Name
	}
	if !same {
		return errOtherColumns()
	}
	return nil
}
