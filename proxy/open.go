package proxy

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
)

func takesValues(c ask.Call) bool { return c.Parameter > 0 || c.Form.Parameters > 0 }

// keepOpenCalls keeps a statement with ask($1). Its questions are translated when Bind brings them.
func (t *turn) keepOpenCalls(name, text string, here bool, types []uint32, info *sessionInfo) error {
	switch {
	case t.simple:
		return ask.ErrUnbound()
	case !here:
		return ask.Errorf(ask.CodeFeatureNotSupported, "ask(…) takes no parameter in a statement that runs on the primary").
			WithHint("Write the question into the statement, or keep the answer first, by CREATE TEMPORARY TABLE … AS SELECT * FROM ask('…') AS r.")
	}
	st := &statement{
		answered: &answered{question: ask.Question{Session: info.session}, info: info, sql: text},
		open:     true, calls: text, parameters: types,
	}
	if err := t.vacant(name, info, len(text)); err != nil {
		return err
	}
	st.weigh(0)
	return t.endParse(name, st)
}

// boundCalls translates the questions of a statement with ask($1) and binds the statement.
func (t *turn) boundCalls(st *statement, m *pgproto3.Bind, info *sessionInfo) (*statement, error) {
	if err := checkValueFormats(m); err != nil {
		return nil, err
	}
	text, found, err := ask.FindCalls(st.calls)
	if err != nil {
		return nil, err
	}
	if found, _, err = t.meant(found, info); err != nil {
		return nil, err
	}
	reading, _ := ask.ReadStatement(text)
	if err := t.mayRunOnReplica(&answered{statement: &ask.Statement{}, reading: reading}, info); err != nil {
		return nil, err
	}
	types := slices.Clone(st.parameters)
	last, inForms := 0, 0
	for _, c := range found {
		last, inForms = max(last, c.Parameter, c.Form.Parameters), max(inForms, c.Form.Parameters)
	}
	values, err := t.values(inForms, types, m, info)
	if err != nil {
		return nil, err
	}
	for i := range found {
		if found[i].Form, err = t.boundForm(found[i], values, types, m, info); err != nil {
			return nil, err
		}
	}
	queries, err := t.queries(found, info, true)
	if err != nil {
		return nil, err
	}
	text = ask.ReplaceCalls(text, found, queries)
	used, ok := ask.UsedParameters(text)
	for i := range last { // PostgreSQL can't tell the type of one that is not used any more
		if i == len(types) {
			types = append(types, 0)
		}
		if types[i] == 0 && ok && !used[i+1] {
			types[i] = pgtype.TextOID
		}
	}
	if st.open && info.oneColumn() {
		if text, err = t.inOneColumn(info, text, types); err != nil {
			return nil, err
		}
	}
	full := &statement{answered: &answered{
		question: ask.Question{ID: t.about, Session: info.session}, info: info, sql: text,
		statement: &ask.Statement{SQL: text, Types: types}, reading: reading,
	}}
	if full.parameters, full.columns, err = t.describeOnReplica(info, text, types); err != nil {
		return nil, elsewhere(err)
	}
	bound, err := full.bound(m)
	if err != nil {
		return nil, err
	}
	bound.of = st
	bound.weigh(0)
	bound.size += valueBytes(bound.statement.Values)
	return bound, nil
}

// boundForm returns the form of a call with the question, or the values in it, that Bind brings.
func (t *turn) boundForm(c ask.Call, values []string, types []uint32, m *pgproto3.Bind, info *sessionInfo) (ask.Form, error) {
	switch {
	case c.Parameter > len(m.Parameters), c.Form.Parameters > len(m.Parameters):
		return c.Form, ask.Errorf(ask.CodeProtocolViolation, "bind message supplies %d parameters, but the question requires %d", len(m.Parameters), max(c.Parameter, c.Form.Parameters)).
			WithHint("Bind the question, or write it into the statement: ask('…').")
	case c.Parameter == 0:
		return t.filled(c.Form, values[:min(c.Form.Parameters, len(values))])
	}
	v, oid := m.Parameters[c.Parameter-1], typeOf(types, c.Parameter-1)
	asked, err := valueText(pgtype.NewMap(), v, oid, formatOf(m.ParameterFormatCodes, c.Parameter-1), info.encoding, false)
	if err != nil {
		return c.Form, err
	}
	if len(asked) > t.inForce().Listen.MaxQuestion {
		return c.Form, t.errTooLong()
	}
	return c.Form.Bound(asked), nil
}

// describeOnReplica returns the parameters and columns of a statement there.
func (t *turn) describeOnReplica(info *sessionInfo, sql string, types []uint32) (parameters []uint32, columns []ask.Column, err error) {
	st, err := timed(t, info, func(ctx context.Context) (st statement, err error) {
		st.parameters, st.columns, err = t.srv.executor.Describe(ctx, info.session, sql, types)
		return st, err
	})
	return st.parameters, st.columns, err
}

// describeJSON is the value of askpg.describe by which an answer to a question that is bound is one column.
const describeJSON = "jsonb"

// oneColumn says whether an answer to a question that is bound is one column.
func (info *sessionInfo) oneColumn() bool {
	return strings.EqualFold(info.session.Ask["describe"], describeJSON)
}

// rowColumn is what an answer has for columns whose question was not known when it was described.
var rowColumn = []ask.Column{{Name: "row", TypeOID: pgtype.JSONBOID, TypeLen: -1, TypeMod: -1}}

// describeOpen describes a prepared statement whose question is not known yet: with one column for all of its answer, if
// askpg.describe is jsonb.
func (t *turn) describeOpen(st *statement) error {
	t.think()
	info, err := t.readInfo("")
	if err != nil {
		return err
	}
	if !info.oneColumn() {
		return ask.Errorf(ask.CodeFeatureNotSupported, "the columns of a question with parameters are not known before they are bound").
			WithDetail("The client describes the prepared statement, not the portal.").
			WithHint("SET askpg.describe = 'jsonb': the answer then has one column, row. Or write the values into the question, or have the driver send them with the statement, unprepared.")
	}
	parameters := slices.Clone(st.parameters)
	if st.calls != "" {
		if parameters, err = t.openParameters(st); err != nil {
			return err
		}
	}
	for i, oid := range parameters {
		if oid == 0 {
			parameters[i] = pgtype.TextOID
		}
	}
	st.clientColumns, st.parameters = rowColumn, parameters
	t.endThinking()
	return t.writeClient(describe(encode(nil, &pgproto3.ParameterDescription{ParameterOIDs: parameters}), rowColumn, nil, info))
}

// openParameters returns the types of the parameters of a statement with ask($1), as far as the client declares them. The client gets
// texts for the others, which it must then bind.
func (t *turn) openParameters(st *statement) ([]uint32, error) {
	last := len(st.parameters)
	used, _ := ask.UsedParameters(st.calls)
	for used[last+1] {
		last++
	}
	_, found, err := ask.FindCalls(st.calls)
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		last = max(last, c.Parameter, c.Form.Parameters)
	}
	parameters := make([]uint32, last)
	copy(parameters, st.parameters)
	return parameters, nil
}

// inOneColumn returns SQL with each row of a query as one jsonb object. Columns of the same name would be lost in it.
func (t *turn) inOneColumn(info *sessionInfo, sql string, types []uint32) (string, error) {
	_, columns, err := t.describeOnReplica(info, sql, types)
	if err != nil {
		return "", err
	}
	seen := map[string]bool{}
	for _, c := range columns {
		if seen[c.Name] {
			return "", ask.Errorf(ask.CodeFeatureNotSupported, "the answer has two columns with the name %q, and askpg.describe is jsonb", c.Name).
				WithHint("Ask for other names, or bind the question before the statement is described.")
		}
		seen[c.Name] = true
	}
	return "SELECT pg_catalog.to_jsonb(answer) AS \"row\" FROM (" + sql + "\n) AS answer", nil
}
