package proxy_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/proxy"
)

// What programs and drivers send when a person has written a question into them, and what they get. Where a version is
// named the messages are those that it has sent to a recorder, or its driver in TestClients; the others are as the program's
// sources or documentation have them. docs/clients.md has the list.
func TestTools(t *testing.T) {
	b := start(t, nil)
	database := sampleDB(t)
	unnamed := func(text string, values ...string) []pgproto3.FrontendMessage {
		m := &pgproto3.Bind{}
		for _, v := range values {
			m.Parameters = append(m.Parameters, []byte(v))
		}
		return []pgproto3.FrontendMessage{parse("", text), m, describe('P', ""), execute("", 0), sync_}
	}
	simple := func(text string) []pgproto3.FrontendMessage {
		return []pgproto3.FrontendMessage{query(text)}
	}
	const one = "D \"100\""
	for _, tt := range []struct {
		name string
		sent [][]pgproto3.FrontendMessage
		want string // in the answer to the last message
	}{
		{"knex 3.3.0 raw, pg 8.23.1", [][]pgproto3.FrontendMessage{simple("-- ask: how many customers$1")}, "E ERROR ASK01 not understood: \"how many customers?\""},
		{"knex 3.3.0 raw with a binding", [][]pgproto3.FrontendMessage{unnamed("-- ask: run: select count(*) from customers where id <= $1", "100")}, one},
		{"knex 3.3.0 from(raw).limit", [][]pgproto3.FrontendMessage{unnamed("select * from (-- ask: how many customers\n) t limit $1", "5")}, one},
		{"node-postgres 8.23.1 with values", [][]pgproto3.FrontendMessage{unnamed("-- ask: run: select $1 || 'x' as x", "a")}, `D "ax"`},
		{"psycopg2 2.9.5", [][]pgproto3.FrontendMessage{simple("BEGIN"), simple("-- ask: how many customers")}, one},
		{"psycopg2 2.9.5 named cursor", [][]pgproto3.FrontendMessage{
			simple("BEGIN"), simple("DECLARE \"c\" CURSOR WITHOUT HOLD FOR -- ask: how many customers"), simple("FETCH FORWARD 2000 FROM \"c\"")}, one},
		{"psycopg 3.1.7 named cursor", [][]pgproto3.FrontendMessage{
			simple("BEGIN"), simple("DECLARE \"c\" CURSOR FOR -- ask: how many customers"), {describe('P', "c"), sync_}, simple("FETCH FORWARD ALL FROM \"c\"")}, one},
		{"psqlODBC 13.02 UseDeclareFetch", [][]pgproto3.FrontendMessage{
			simple("BEGIN;declare \"SQL_CUR1\" cursor with hold for SELECT * FROM ask('how many customers') AS r;fetch 100 in \"SQL_CUR1\"")}, one},
		{"psqlODBC 13.02 UseDeclareFetch, block comment", [][]pgproto3.FrontendMessage{
			simple("BEGIN;declare \"SQL_CUR1\" cursor with hold for /* ask: how many customers */;fetch 100 in \"SQL_CUR1\"")}, one},
		{"psqlODBC 13.02 UseDeclareFetch, line comment", [][]pgproto3.FrontendMessage{
			simple("BEGIN;declare \"SQL_CUR1\" cursor with hold for -- ask: how many customers;fetch 100 in \"SQL_CUR1\"")}, "E ERROR 42601 SQL stands behind the question"},
		{"PDO scrollable cursor", [][]pgproto3.FrontendMessage{
			unnamed("DECLARE pdo_crsr_1 SCROLL CURSOR WITH HOLD FOR -- ask: how many customers"), simple("FETCH FORWARD 1 FROM pdo_crsr_1")}, one},
		{"Hibernate's setMaxResults over JDBC 42.5.5", [][]pgproto3.FrontendMessage{unnamed("/* ask: how many customers */ fetch first $1 rows only", "5")}, one},
		{"Hibernate's setMaxResults over JDBC 42.5.5, no comment", [][]pgproto3.FrontendMessage{unnamed("ASK 'how many customers' limit $1", "5")}, one},
		{"DBeaver, a comment in its editor, over JDBC 42.5.5", [][]pgproto3.FrontendMessage{unnamed("-- ask: how many customers")}, one},
		{"DBeaver's count of all rows", [][]pgproto3.FrontendMessage{unnamed("SELECT COUNT(*) FROM (-- ask: which customers\n) dbvrcnt")}, one},
		{"Pony's select", [][]pgproto3.FrontendMessage{simple("select -- ask: how many customers")}, one},
		{"Superset's virtual dataset", [][]pgproto3.FrontendMessage{simple("SELECT count AS count\nFROM (\n-- ask: how many customers\n) AS virtual_table\nLIMIT 1000")}, one},
		{"Tableau's custom SQL, its columns", [][]pgproto3.FrontendMessage{simple("SELECT \"t\".\"count\" AS \"count\" FROM (\n  -- ask: how many customers\n) \"t\" WHERE 1=0")}, "C SELECT 0"},
		{"a LIMIT behind a line comment", [][]pgproto3.FrontendMessage{simple("-- ask: how many customers\nLIMIT 1001")}, one},
		{"Power BI's native query", [][]pgproto3.FrontendMessage{unnamed("select * from \n(\n-- ask: how many customers\n) \"_\"\nlimit 1000")}, one},
		{"dbt's table", [][]pgproto3.FrontendMessage{
			simple("/* {\"app\": \"dbt\"} */\n\n  create temporary table \"made__dbt_tmp\"\n  as\n  (\n    -- ask: how many customers\n  );"), simple("table made__dbt_tmp")}, one},
		{"dbt's view", [][]pgproto3.FrontendMessage{
			simple("BEGIN"), simple("/* {\"app\": \"dbt\", \"dbt_version\": \"1.8.0\"} */\n\n  create view \"made_view__dbt_tmp\"\n    \n    \n  as (\n    -- ask: how many customers\n  );"), simple("select * from made_view__dbt_tmp")}, one},
		{"Azure Data Studio, by psycopg2 2.9.5", [][]pgproto3.FrontendMessage{
			simple("DECLARE \"7b0e\" CURSOR WITH HOLD FOR SELECT * FROM ask('how many customers') AS r"), simple("FETCH FORWARD ALL FROM \"7b0e\"")}, one},
		{"Azure Data Studio, what is no SELECT", [][]pgproto3.FrontendMessage{simple("ASK 'how many customers'")}, one},
		{"pgAdmin, by psycopg 3.1.7, autocommit off", [][]pgproto3.FrontendMessage{simple("BEGIN;"), simple("-- ask: how many customers\n")}, one},
		{"pgcli 3.5.0, select before a comment", [][]pgproto3.FrontendMessage{simple("SELECT /* ask: how many customers */")}, one},
		{"sqlc's named query", [][]pgproto3.FrontendMessage{unnamed("-- name: Answer :many\nSELECT * FROM ask($1) AS r\n", "how many customers")}, one},
		{"Grafana's macros, filled in", [][]pgproto3.FrontendMessage{simple("SELECT floor(extract(epoch from joined)/86400)*86400 AS \"time\", count(*) FROM ask('run: select joined from customers where id = 1') AS r WHERE joined BETWEEN '2000-01-01T00:00:00Z' AND '2100-01-01T00:00:00Z' GROUP BY 1 ORDER BY 1")}, `"1"`},
		{"a parameter in a simple query", [][]pgproto3.FrontendMessage{simple("SELECT $1 FROM (-- ask: how many customers\n) t")}, "E ERROR 42P02 there is no parameter $1"},
		{"Mode", [][]pgproto3.FrontendMessage{simple("-- ask: how many customers\n-- {\"user\":\"@ann\",\"email\":\"a@b.c\",\"url\":\"https://modeanalytics.com/x\",\"scheduled\":false}")}, one},
		{"Sigma", [][]pgproto3.FrontendMessage{simple("-- ask: how many customers\n-- Sigma Σ {\"request-id\":\"1\",\"email\":\"a@b.c\"}")}, one},
		{"Hex", [][]pgproto3.FrontendMessage{simple("with \"dataframe\" as (-- ask: how many customers\n) select * from \"dataframe\" limit 10000\n-- Hex query metadata: {\"user_email\":\"a@b.c\"}")}, one},
		{"Redash", [][]pgproto3.FrontendMessage{simple("/* Username: a@b.c, query_id: adhoc, Queue: queries, Scheduled: False */ -- ask: how many customers")}, one},
		{"Metabase", [][]pgproto3.FrontendMessage{unnamed("-- Metabase:: userID: 1 queryType: native queryHash: 0a\n-- ask: how many customers")}, one},
		{"ActiveRecord's query log tags", [][]pgproto3.FrontendMessage{unnamed("-- ask: how many customers /*application:Shop,controller:orders*/")}, one},
		{"sqlcommenter", [][]pgproto3.FrontendMessage{simple("-- ask: how many customers /*application='Shop',route='%2Fx',traceparent='00-1'*/")}, one},
		{"Superset's limit of series, the text twice", [][]pgproto3.FrontendMessage{simple("SELECT count FROM (\n-- ask: how many customers\n) AS virtual_table JOIN (SELECT count AS count__ FROM (\n-- ask: how many customers\n) AS virtual_table GROUP BY count ORDER BY 1 DESC LIMIT 100) AS series_limit ON count = count__ GROUP BY count LIMIT 10000")}, one},
		{"Tableau's temporary table", [][]pgproto3.FrontendMessage{
			simple("CREATE LOCAL TEMPORARY TABLE \"#Tableau_1_Filter\" ON COMMIT PRESERVE ROWS AS (SELECT \"q\".\"count\" AS \"count\" FROM (\n-- ask: how many customers\n) \"q\")"), simple("TABLE \"#Tableau_1_Filter\"")}, one},
		{"Tableau's time zone", [][]pgproto3.FrontendMessage{simple("SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE; /* ask: how many customers */")}, one},
		{"Power Query's folding", [][]pgproto3.FrontendMessage{unnamed("select sum(\"rows\".\"count\") as \"a0\" from (select \"_\".\"count\" from (\n-- ask: how many customers\n) \"_\") \"rows\" limit 1000001")}, one},
		{"dbplyr's columns", [][]pgproto3.FrontendMessage{{parse("", "SELECT *\nFROM (/* ask: how many customers */) AS \"q01\"\nWHERE (0 = 1)"), describe('S', ""), bind("", ""), execute("", 0), sync_}}, "T count:20:0\nBindComplete\nC SELECT 0"},
		{"dbplyr's columns, line comment", [][]pgproto3.FrontendMessage{simple("SELECT *\nFROM (-- ask: how many customers) AS \"q01\"\nWHERE (0 = 1)")}, "E ERROR 42601 a parenthesis is closed within the comment"},
		{"Spark's partition", [][]pgproto3.FrontendMessage{unnamed("SELECT \"count\" FROM (/* ask: how many customers */) SPARK_GEN_SUBQ_0  WHERE \"count\" < 1000 or \"count\" is null")}, one},
		{"Sigma's workbook", [][]pgproto3.FrontendMessage{simple("with Q1 as (\n-- ask: how many customers\n) select count_1 \"Count\" from (select count count_1 from Q1 Q1) Q2 order by count_1 asc limit 10001\n\n-- Sigma Σ {\"request-id\":\"x\"}")}, one},
		{"Looker's derived table", [][]pgproto3.FrontendMessage{simple("-- Looker Query Context '{\"user_id\":7}' \n\nWITH q AS (-- ask: how many customers\n      )\nSELECT\n    COALESCE(SUM(q.count ), 0) AS \"q.total\"\nFROM q\nFETCH NEXT 500 ROWS ONLY")}, one},
		{"dbt show", [][]pgproto3.FrontendMessage{simple("/* {\"app\": \"dbt\"} */\n\n  select * from (\n        -- ask: how many customers\n    ) as model_limit_subq\n    limit 5")}, one},
		{"dbt's contract", [][]pgproto3.FrontendMessage{simple("select * from (\n        -- ask: how many customers\n    ) as __dbt_sbq\n    where false\n    limit 0")}, "T count:20:0\nC SELECT 0"},
		{"EF Core's FromSqlRaw", [][]pgproto3.FrontendMessage{unnamed("SELECT t.count\nFROM (\n    -- ask: how many customers\n) AS t\nWHERE t.count > $1\nLIMIT $2", "7", "5")}, one},
		{"jOOQ's fetchExists", [][]pgproto3.FrontendMessage{unnamed("select 1 as \"one\" where exists (/* ask: how many customers */)")}, `D "1"`},
		{"jOOQ's union", [][]pgproto3.FrontendMessage{unnamed("(-- ask: how many customers\n) union all (/* ask: how many customers */)")}, one + "\n" + one},
		{"ActiveRecord's exists?", [][]pgproto3.FrontendMessage{unnamed("SELECT 1 AS one FROM (/* ask: how many customers */) AS models LIMIT $1", "1")}, `D "1"`},
		{"Sequel's use_cursor", [][]pgproto3.FrontendMessage{
			simple("BEGIN"), simple("DECLARE sequel_cursor NO SCROLL CURSOR WITHOUT HOLD FOR /* ask: how many customers */"), simple("FETCH FORWARD 1000 FROM sequel_cursor")}, one},
		{"COPY in the binary format, of connectorx", [][]pgproto3.FrontendMessage{simple("COPY (/* ask: how many customers */) TO STDOUT WITH BINARY")}, "C COPY 1"},
		{"COPY by the extended protocol, of ADBC", [][]pgproto3.FrontendMessage{unnamed("COPY (/* ask: how many customers */) TO STDOUT (FORMAT binary)")}, "E ERROR 0A000 COPY and CREATE VIEW with ask('…') can't be prepared"},
		{"JDBC's {call ask(?)}", [][]pgproto3.FrontendMessage{unnamed("select * from ask($1) as result", "how many customers")}, one},
		{"Kafka Connect's query", [][]pgproto3.FrontendMessage{unnamed("/* ask: which customers */ WHERE \"id\" > $1 ORDER BY \"id\" ASC", "99")}, `D "100"`},
		{"pgAdmin's explain", [][]pgproto3.FrontendMessage{simple("EXPLAIN (FORMAT JSON, ANALYZE FALSE, VERBOSE FALSE, COSTS FALSE) -- ask: how many customers")}, `Aggregate`},
		{"Hasura's native query", [][]pgproto3.FrontendMessage{unnamed("WITH \"cte_1\" AS (/* ask: how many customers */) SELECT coalesce(json_agg(\"root\"), '[]') AS \"root\" FROM (SELECT row_to_json(\"_r\") AS \"root\" FROM (SELECT * FROM \"cte_1\" WHERE ('true')) AS \"_r\") AS \"_root\"")}, `100}]`},
		{"the ends of lines of Windows", [][]pgproto3.FrontendMessage{simple("SELECT * FROM (\r\n-- ask: how many customers\r\n) AS \"t\"\r\nLIMIT 1000")}, one},
		{"row security by set_config", [][]pgproto3.FrontendMessage{simple("SELECT set_config('app.user', '7', false); /* ask: how many customers */")}, "E ERROR 0A000 a question can't be answered beside"},
		{"an editor's commented out question", [][]pgproto3.FrontendMessage{simple("---- ask: how many customers")}, "EmptyQueryResponse"},
		{"settings of a pool", [][]pgproto3.FrontendMessage{simple("SET application_name = 'x'; SET search_path = public; -- ask: how many customers")}, one},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := dial(t, b.addr, database)
			got := ""
			for _, m := range tt.sent {
				f.send(m...)
				got = f.trace(1)
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	t.Run("cursor where nothing runs on the primary", func(t *testing.T) {
		b := start(t, func(c *proxy.Config) { c.Ask.OnPrimary = "refuse" })
		f := dial(t, b.addr, database)
		f.talk("BEGIN")
		if got := f.talk("DECLARE c CURSOR FOR -- ask: how many customers"); !strings.HasPrefix(got, "E ERROR 42501") {
			t.Error(got)
		}
	})
}
