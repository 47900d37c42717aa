"""Drives a proxy and a server side by side: what a question returns through the
proxy must be what its SQL returns directly. Prints one line for each check.

usage: clients.py psycopg2|psycopg|odbc PROXY_PORT SERVER_PORT DATABASE
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


{"psycopg2": psycopg2_checks, "psycopg": psycopg_checks, "odbc": odbc_checks}[driver]()
sys.exit(1 if failed else 0)
