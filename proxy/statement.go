package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
)

// answerStatement answers a client's own statement around chosen SQL, which only reads,
// as a question whose SQL it is. sent is the statement as the client wrote it.
func (t *turn) answerStatement(name, sent string, a *answered) error {
	if t.simple {
		if used, ok := ask.UsedParameters(a.sql); !ok || used[1] { // said before columns are
			return ask.Errorf(ask.CodeUndefinedParameter, "there is no parameter $1")
		}
		return t.sendAll(a)
	}
	st := &statement{answered: a, calls: sent}
	st.weigh(len(sent))
	if err := t.vacant(name, a.info, st.size); err != nil {
		return err
	}
	var err error
	if st.parameters, st.columns, err = t.describeOnReplica(a.info, a.sql, a.statement.Types); err != nil {
		return elsewhere(err)
	}
	return t.endParse(name, st)
}

// temporaryQuery returns the nonce $2 and the names of $1, an array in JSON, that
// are those of temporary relations of the session.
const temporaryQuery = `SELECT $2::pg_catalog.text, pg_catalog.json_agg(c.relname) FROM pg_catalog.pg_class c, pg_catalog.json_array_elements_text($1::pg_catalog.json) n (name)` +
	` WHERE c.relname OPERATOR(pg_catalog.=) n.name::pg_catalog.name AND c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()`

// onlyInSession returns why a statement can't be answered on the replica: it names
// what only the session itself has.
func (t *turn) onlyInSession(r *ask.Reading, info *sessionInfo) error {
	name := r.Temporary
	if name == "" && info.temporary && len(r.Names) > 0 {
		names, err := json.Marshal(r.Names)
		if err != nil {
			return err
		}
		row, err := t.askServer(temporaryQuery, 2, info.encoding.encode(string(names)))
		if err != nil {
			return err
		}
		var found []string
		if row[1] != nil {
			if err := json.Unmarshal([]byte(info.encoding.lenient(row[1])), &found); err != nil {
				return err
			}
			name = found[0]
		}
	}
	if name == "" {
		return nil
	}
	return ask.Errorf(ask.CodeFeatureNotSupported, "relation %q is a temporary one of your session", name).
		WithDetail("SQL is chosen for the replica, which does not have it.").
		WithHint("Keep the answer first, as in CREATE TEMPORARY TABLE answer AS SELECT * FROM ask('…') AS r, and read both tables without ask('…').")
}

// mayRunOnReplica says why a prepared statement can't be answered on the replica any
// more.
func (t *turn) mayRunOnReplica(a *answered, info *sessionInfo) error {
	switch asker := &a.question.Session; {
	case !a.shown() && (a.table != nil || a.annotation != nil) && (asker.Role != info.session.Role || asker.RoleOID != info.session.RoleOID):
		return errOtherColumns().WithDetail("The question was prepared in another role, and the answer tells what that role was told.")
	case a.statement == nil:
		return nil
	case info.written:
		return ask.Errorf(ask.CodeFeatureNotSupported, "a statement with ask('…') that was prepared before the transaction wrote can't be executed in it").
			WithDetail("It was prepared for the replica, which does not have what the transaction wrote.").
			WithHint("Prepare it again in the transaction, or COMMIT first.")
	}
	return t.onlyInSession(&a.reading, info)
}

// elsewhere adds to an error of a client's own statement what its being run on
// the replica has to do with it.
func elsewhere(err error) error {
	if e := ask.AsError(err); e != nil && e.Code == ask.CodeUndefinedTable && e.Hint == "" {
		return e.Copied().WithHint("A statement with ask('…') that only reads runs on the replica. The replica has no temporary tables of your session. What was committed a moment ago may not be there yet.")
	}
	return err
}

// bound returns a copy of the statement with the values of a Bind.
func (st *statement) bound(m *pgproto3.Bind) (*statement, error) {
	if n, want := len(m.Parameters), len(st.parameters); n != want {
		e := ask.Errorf(ask.CodeProtocolViolation, "bind message supplies %d parameters, but prepared statement %q requires %d", n, m.PreparedStatement, want)
		if st.statement == nil {
			e.Message, e.Hint = fmt.Sprintf("bind message supplies %d parameters, but a question takes none", n), "Where a value belongs, write $1 behind a blank; one at the end of a word is taken for a question mark. A driver that finds no ? in comments finds it in ASK … ? and in ask(?)."
		}
		return nil, e
	}
	if err := checkValueFormats(m); err != nil {
		return nil, err
	}
	if len(m.Parameters) == 0 {
		return st, nil
	}
	s, a := *st.statement, *st.answered
	s.Formats, s.Values = m.ParameterFormatCodes, make([][]byte, len(m.Parameters))
	for i, v := range m.Parameters {
		s.Values[i] = bytes.Clone(v) // the message's memory is used again
	}
	a.statement = &s
	return &statement{
		answered: &a, columns: st.columns, parameters: st.parameters,
		of: st, size: overhead + valueBytes(s.Values) + 2*len(s.Formats),
	}, nil
}
