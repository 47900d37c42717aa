package replica_test

import (
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// searchScript has text search objects of a stranger's, and what names them.
const searchScript = roles + loud + `
do $$ begin create role searcher login; exception when duplicate_object then null; end $$;
grant searcher to askpg, askpg_loud;
create schema strange authorization stranger;
grant usage on schema strange to public;
create schema mine;
grant usage on schema mine to public;
set role stranger;
create text search dictionary strange.plain (template = simple);
create text search dictionary strange.thesaurus (template = thesaurus, dictfile = thesaurus_sample, dictionary = pg_catalog.simple);
create text search configuration strange.config (copy = pg_catalog.english);
create table strange.things (id int);
reset role;
create text search configuration mine.mapped (copy = pg_catalog.english);
alter text search configuration mine.mapped alter mapping for asciiword with strange.plain;
create text search configuration mine.config (copy = pg_catalog.english);
create text search dictionary mine.thesaurus (template = thesaurus, dictfile = thesaurus_sample, dictionary = pg_catalog.simple);
create table documents (id int, language regconfig, body text);
insert into documents values (1, 'english', 'the bands');
create view searched as select to_tsvector(language, body) as words from documents;
create view fixed as select to_tsvector('mine.config', body) as words from documents;
create view strangely as select to_tsvector('strange.config', body) as words from documents;
grant select on all tables in schema public to searcher;
`

// TestOwners_TextSearch names text search configurations and dictionaries, and other objects, by constants, by values and by the
// session's default. What a stranger has made runs in no session of the service login, and no
// thesaurus of his in any: two that name each other crash the server.
func TestOwners_TextSearch(t *testing.T) {
	db := pgtest.NewDatabase(t, searchScript)
	c := pgtest.Shared(t)
	const refused = "42501"
	type want struct{ relay, loud, own string }
	tests := []struct {
		sql string
		want
	}{
		{"select to_tsvector('the bands')", want{}},
		{"select to_tsvector('english', body) @@ 'band' from documents", want{"", refused, ""}},
		{"select to_tsvector('mine.config', 'the bands')", want{"", refused, ""}},
		{"select * from fixed", want{}},
		{"select ts_lexize('simple', 'a')", want{"", refused, ""}},
		{"select ts_lexize('strange.plain', 'a')", want{refused, refused, ""}},
		{"select ts_lexize('strange.thesaurus', 'a')", want{refused, refused, refused}},
		{"select ts_lexize('mine.thesaurus', 'a')", want{refused, refused, refused}},
		{"select to_tsvector('strange.config', 'a')", want{refused, refused, ""}},
		{"select to_tsvector('mine.mapped', 'a')", want{refused, refused, ""}},
		{"select ts_debug('strange.config', 'a')", want{refused, refused, ""}},
		{"select * from strangely", want{refused, refused, ""}},
		{"select * from searched", want{refused, refused, refused}},
		{"select to_tsvector(language, body) from documents", want{refused, refused, refused}},
		{"select ts_lexize('strange.plain'::text::regdictionary, 'a')", want{refused, refused, refused}},
		{"select ts_lexize((select oid from pg_ts_dict where dictname = 'plain')::regdictionary, 'a')", want{refused, refused, refused}},
		{"select ts_lexize(d, 'a') from unnest('{simple}'::regdictionary[]) as d", want{refused, refused, refused}},
		{"select 'strange.things'::regclass::text", want{refused, "", ""}},
		{"select 'documents'::regclass::text, null::regconfig, 'int4'::regtype", want{}},
	}
	alone := func(t *testing.T, m ownedMode, sql string) error {
		snap := begin(t, m.replica(t, c.Standby), m.session(db, "public"))
		_, err := snap.Run(deadline(t), sql)
		return err
	}
	for _, m := range []ownedMode{{"relay", "askpg", "searcher", false, false}, {"loud", "askpg_loud", "searcher", false, false}, {"own", "askpg_loud", "searcher", true, false}} {
		t.Run(m.name, func(t *testing.T) {
			pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "alter role searcher set log_min_messages = 'fatal'; alter database \""+db+"\" reset default_text_search_config")
			pgtest.CatchUp(t)
			snap := begin(t, m.replica(t, c.Standby), m.session(db, "public"))
			for _, tt := range tests {
				code := map[string]string{"relay": tt.relay, "loud": tt.loud, "own": tt.own}[m.name]
				_, err := snap.Run(deadline(t), tt.sql)
				if ask.CodeOf(err) != code || code != "" && !strings.Contains(err.Error(), `"stranger" is not trusted`) {
					t.Errorf("%s: got %v, want %q", tt.sql, err, code)
				}
			}
			for config, code := range map[string]string{"strange.config": refused, "mine.config": ""} {
				pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "alter database \""+db+"\" set default_text_search_config = '"+config+"'")
				pgtest.CatchUp(t)
				if m.own {
					code = ""
				}
				if err := alone(t, m, "select to_tsvector('the bands')"); ask.CodeOf(err) != code {
					t.Errorf("default %s: got %v, want %q", config, err, code)
				}
			}
		})
	}
}
