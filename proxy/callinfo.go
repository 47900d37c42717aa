package proxy

import (
	"encoding/json"
	"slices"

	"askpg/ask"
)

// callInfo is what a statement with ask('…') in FROM depends on beside what
// every question does.
type callInfo struct {
	// Written says that the transaction has been given an id: it has written,
	// or locked rows, and what it wrote is nowhere but on the primary.
	Written bool `json:"written"`
	// Escapes says that standard_conforming_strings is off: a backslash in '…'
	// escapes what follows.
	Escapes bool `json:"escapes"`
	// Temporary are relations of the session's own, which the replica does
	// not have; at most maxTemporary.
	Temporary []string `json:"temporary"`
}

// maxTemporary bounds the names of temporary relations that are read; a session that has so
// many may have any.
const maxTemporary = 1000

// callColumn reads a callInfo. Temporary relations are found by the index on what
// depends on their schema.
const callColumn = ` pg_catalog.json_build_object('written', pg_catalog.txid_current_if_assigned() IS NOT NULL,` +
	` 'escapes', pg_catalog.current_setting('standard_conforming_strings') OPERATOR(pg_catalog.=) 'off'::pg_catalog.text,` +
	` 'temporary', (SELECT pg_catalog.json_agg(n.relname) FROM (SELECT c.relname FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) d.objid` +
	` WHERE d.refclassid OPERATOR(pg_catalog.=) 2615::pg_catalog.oid AND d.refobjid OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()` +
	` AND d.classid OPERATOR(pg_catalog.=) 1259::pg_catalog.oid LIMIT 1000) n))`

func newCallInfo(text string) callInfo {
	c := callInfo{Written: true, Escapes: true}
	if json.Unmarshal([]byte(text), &c) != nil {
		return callInfo{Written: true, Escapes: true} // the most careful reading
	}
	return c
}

// temporary returns a relation of the statement that may be a temporary one of
// the session; empty if there is none.
func (c *callInfo) temporary(r *ask.Reading) string {
	if r.Temporary != "" {
		return r.Temporary
	}
	for _, name := range r.Names {
		if len(c.Temporary) >= maxTemporary || slices.Contains(c.Temporary, name) {
			return name
		}
	}
	return ""
}
