// Literals and identifiers as SQL.

package grammar

import "strings"

// literal writes a text as an SQL literal that standard_conforming_strings
// does not change the meaning of.
func literal(s string) string {
	s = strings.ReplaceAll(s, "\x00", "")
	q := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return "E" + strings.ReplaceAll(q, `\`, `\\`)
	}
	return q
}

func likeEscape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(s)
}

// quoteIdentifier quotes an identifier where PostgreSQL would not read it as it is.
// reserved are the keywords that can't be a name without quotes, in a column
// list or after FROM (PostgreSQL documentation, appendix C).
func quoteIdentifier(s string) string {
	plain := s != "" && !reserved[s]
	for i, r := range s {
		if r >= 'a' && r <= 'z' || r == '_' || i > 0 && (r >= '0' && r <= '9' || r == '$') {
			continue
		}
		plain = false
	}
	if plain {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

var reserved = wordSet(strings.Fields(`all analyse analyze and any array as asc asymmetric authorization binary both case cast check
collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full grant group
having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not
notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar some
symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when where window with
between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping inout int integer interval
least national nchar none normalize nullif numeric out overlay position precision real row setof smallint substring time timestamp
treat trim values varchar xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`))
