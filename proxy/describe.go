package proxy

import (
	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
)

// describe answers a Describe of a statement or portal that is here.
func (t *turn) describe(d pgproto3.Describe) error {
	var b []byte
	st, formats := t.statements[d.Name], []int16(nil)
	if d.ObjectType == 'P' {
		p := t.portals[d.Name]
		st, formats = p.statement, p.formats
		if p.source != nil {
			p.tell(p.source.rows.Columns())
			return t.writeClient(describe(b, p.source.rows.Columns(), formats, st.info))
		}
	} else {
		if st.open {
			return t.describeOpen(st)
		}
		b = encode(b, &pgproto3.ParameterDescription{ParameterOIDs: st.parameters})
	}
	if st.forgets != "" {
		return t.writeClient(encode(b, &pgproto3.NoData{}))
	}
	if st.columns == nil {
		if err := t.learnColumns(st); err != nil {
			return err
		}
	}
	if d.ObjectType == 'P' {
		t.portals[d.Name].tell(st.columns)
	} else {
		st.clientColumns = st.columns
	}
	return t.writeClient(describe(b, st.columns, formats, st.info))
}

// learnColumns finds the columns of a query that has not run yet.
func (t *turn) learnColumns(st *statement) error {
	t.think()
	t.about = st.question.ID
	src, err := t.open(st.answered, nil, 0)
	if err != nil {
		return err
	}
	columns := src.rows.Columns()
	src.close()
	if err := t.room(ask.ColumnBytes(columns)); err != nil {
		return err
	}
	st.columns = columns
	t.endThinking()
	return nil
}
