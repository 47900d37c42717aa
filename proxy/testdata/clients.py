"""Drives a proxy and a server side by side: what a question returns through the
proxy must be what its SQL returns directly. Prints one line for each check.

usage: clients.py psycopg2|psycopg|odbc|asyncpg PROXY_PORT SERVER_PORT DATABASE
"""
import sys, threading

driver, proxy, server, database = sys.argv[1:5]
SQL = "SELECT id, name, balance, joined, tags, NULL::int AS nothing, joined::timestamptz AS at, '{\"a\": 1}'::jsonb AS doc FROM customers ORDER BY id"
ASK = "-- ask: run: " + SQL.replace("\n", " ")
failed = 0


def check(name, got, want):
    global failed
    if got == want:
        print("ok", name)
    else:
        failed += 1
        print("FAILED", name, repr(got)[:300], "want", repr(want)[:300])


def psycopg2_checks():
    import psycopg2, psycopg2.extensions

    direct = psycopg2.connect(host="127.0.0.1", port=server, user="postgres", dbname=database)
    conn = psycopg2.connect(host="127.0.0.1", port=proxy, user="postgres", dbname=database)
    want = direct.cursor()
    want.execute(SQL)
    rows, types = want.fetchall(), [c.type_code for c in want.description]
    cur = conn.cursor()
    cur.execute(ASK)
    check("rows", cur.fetchall(), rows)
    check("types", [c.type_code for c in cur.description], types)
    check("row count", cur.rowcount, len(rows))
    check("status in transaction", conn.info.transaction_status, psycopg2.extensions.TRANSACTION_STATUS_INTRANS)
    cur.execute("select count(*) from customers where id > %s", (50,))
    check("statement after it", cur.fetchone(), (50,))
    conn.commit()
    try:
        cur.execute("-- ask: error: ASK02")
        check("error", None, "ASK02")
    except psycopg2.Error as e:
        check("error", (e.pgcode, e.diag.message_detail, e.diag.message_hint), ("ASK02", "the detail", "the hint"))
    conn.rollback()
    conn.autocommit = True
    timer = threading.Timer(0.3, conn.cancel)
    timer.start()
    try:
        cur.execute("-- ask: wait")
        check("cancel", None, "57014")
    except psycopg2.Error as e:
        check("cancel", e.pgcode, "57014")
    cur.execute("listen news")
    direct.cursor().execute("notify news, 'hello'")
    direct.commit()
    cur.execute("-- ask: how many customers")
    conn.poll()
    check("notification", [n.payload for n in conn.notifies], ["hello"])
    check("notices", any("SELECT count(*)" in n for n in conn.notices), True)


def psycopg_checks():
    import psycopg

    direct = psycopg.connect(host="127.0.0.1", port=server, user="postgres", dbname=database, autocommit=True)
    conn = psycopg.connect(host="127.0.0.1", port=proxy, user="postgres", dbname=database, autocommit=True)
    for binary in (False, True):
        want = direct.cursor(binary=binary)
        want.execute(SQL)
        rows, types = want.fetchall(), [c.type_code for c in want.description]
        for prepare in (None, True):
            cur = conn.cursor(binary=binary)
            for turn in range(3):
                cur.execute(ASK, prepare=prepare)
                check("rows, binary %s, prepare %s, turn %d" % (binary, prepare, turn), cur.fetchall(), rows)
                check("types", [c.type_code for c in cur.description], types)
    # After five executions the driver prepares by itself, and it forgets with
    # DEALLOCATE.
    conn.prepared_max = 2
    for turn in range(20):
        check("prepared by itself", conn.execute("-- ask: run: select %d" % (turn % 4)).fetchone(), (turn % 4,))
    for turn in range(20):
        conn.execute("-- ask: how many customers")
    try:
        with conn.pipeline():
            a = conn.execute("select 1")
            b = conn.execute("-- ask: how many customers")
            c = conn.execute("select 3")
            check("pipeline", (a.fetchone(), b.fetchone(), c.fetchone()), ((1,), (100,), (3,)))
    except psycopg.NotSupportedError as e:
        print("ok pipeline not supported:", e)
    with conn.transaction():
        conn.execute("create temp table t (i int)")
        with conn.cursor().copy("copy t from stdin") as copy:
            for i in range(1000):
                copy.write_row((i,))
        check("in transaction", conn.execute("-- ask: how many customers").fetchone(), (100,))
    check("copy", conn.execute("select count(*) from t").fetchone(), (1000,))
    cur = conn.cursor()
    check("stream", len(list(cur.stream("-- ask: which customers"))), 100)
    try:
        conn.execute("-- ask: error: ASK04")
        check("error", None, "ASK04")
    except psycopg.Error as e:
        check("error", e.sqlstate, "ASK04")
    threading.Timer(0.3, conn.cancel).start()
    try:
        conn.execute("-- ask: wait")
        check("cancel", None, "57014")
    except psycopg.errors.QueryCanceled:
        check("cancel", "57014", "57014")
    check("call", conn.execute("select sum(a) from ask('run: select 1 as a') r where a < %s", (5,)).fetchone(), (1,))


def odbc_checks():
    import pyodbc

    def connect(port, options=""):
        return pyodbc.connect("DRIVER={PostgreSQL Unicode};SERVER=127.0.0.1;PORT=%s;UID=postgres;DATABASE=%s;%s" % (port, database, options), autocommit=True)

    for options in ("UseServerSidePrepare=0", "UseServerSidePrepare=1", "UseDeclareFetch=0;Fetch=10"):
        want = connect(server, options).cursor().execute(SQL).fetchall()
        conn = connect(proxy, options)
        got = conn.cursor().execute(ASK).fetchall()
        check("rows, " + options, [tuple(r) for r in got], [tuple(r) for r in want])
        check("statement after it", conn.cursor().execute("select count(*) from customers where id > ?", 50).fetchone()[0], 50)
        try:
            conn.cursor().execute("-- ask: error: ASK02")
            check("error", None, "ASK02")
        except pyodbc.Error as e:
            check("error", e.args[0], "ASK02")


def asyncpg_checks():
    """With TLS and SCRAM, as the role driver_role."""
    import asyncio, asyncpg

    async def run():
        direct = await asyncpg.connect(host="127.0.0.1", port=server, user="driver_role", database=database, ssl=False)
        conn = await asyncpg.connect(host="127.0.0.1", port=proxy, user="driver_role", password="secret", database=database, ssl="require")
        try:
            await asyncpg.connect(host="127.0.0.1", port=proxy, user="driver_role", password="wrong", database=database, ssl="require")
            check("wrong password", None, "28P01")
        except asyncpg.InvalidPasswordError as e:
            check("wrong password", e.sqlstate, "28P01")
        check("TLS", await conn.fetchval("select ssl from pg_stat_ssl where pid = pg_backend_pid()") is not None, True)
        rows = [tuple(r) for r in await direct.fetch(SQL)]
        check("question", [tuple(r) for r in await conn.fetch(ASK)], rows)
        check("question as a block comment", [tuple(r) for r in await conn.fetch("/* ask: run: %s */" % SQL)], rows)
        check("question, simple", await conn.execute("ask 'how many customers'"), "SELECT 1")
        prepared = await conn.prepare(ASK)
        check("question, prepared", [tuple(r) for r in await prepared.fetch()], rows)
        check("question, types", [a.type.name for a in prepared.get_attributes()], [a.type.name for a in (await direct.prepare(SQL)).get_attributes()])
        check("call", await conn.fetchval("select sum(a) from ask('run: select 1 as a') r where a < $1", 5), 1)
        async with conn.transaction():
            cursor = [tuple(r) async for r in conn.cursor(ASK, prefetch=7)]
        check("question, cursor", cursor, rows)
        for c in (conn, direct):
            await c.execute("create temp table copied (i int, t text)")
            check("many", await c.executemany("insert into copied values ($1, $2)", [(i, "x%d" % i) for i in range(1000)]), None)
            await c.copy_records_to_table("copied", records=[(i, "y") for i in range(1000)])
            out = bytearray()

            async def take(data):
                out.extend(data)

            await c.copy_from_query("select * from copied order by 1, 2", output=take)
            check("copy", (len(out), out[:9]), (14670, bytearray(b"0\tx0\n0\ty\n")))
        heard = asyncio.Queue()
        await conn.add_listener("news", lambda *a: heard.put_nowait(a[3]))
        await direct.execute("notify news, 'hello'")
        check("notification", await asyncio.wait_for(heard.get(), 10), "hello")
        for name, sql in (("error", "select nosuch"), ("error of a question", "-- ask: error: ASK02")):
            try:
                await conn.fetch(sql)
                check(name, None, "an error")
            except asyncpg.PostgresError as e:
                check(name, e.sqlstate, "42703" if name == "error" else "ASK02")
        for name, sql in (("cancel", "select pg_sleep(30)"), ("cancel of a question", "-- ask: wait")):
            try:
                await conn.fetch(sql, timeout=0.3)
                check(name, None, "a timeout")
            except asyncio.TimeoutError:
                check(name, await conn.fetchval("select 1"), 1)
        async with conn.transaction():
            oid = await conn.fetchval("select lo_from_bytea(0, $1)", b"large" * 1000)
            fd = await conn.fetchval("select lo_open($1, 262144)", oid)
            check("large object", await conn.fetchval("select loread($1, 10000)", fd), b"large" * 1000)
            await conn.fetchval("select lo_unlink($1)", oid)
        await conn.close()
        await direct.close()

    asyncio.run(run())


{"psycopg2": psycopg2_checks, "psycopg": psycopg_checks, "odbc": odbc_checks, "asyncpg": asyncpg_checks}[driver]()
sys.exit(1 if failed else 0)
