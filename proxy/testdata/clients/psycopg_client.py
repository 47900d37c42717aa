"""psycopg 3: the extended protocol, text and binary, pipelines."""
import threading

import psycopg

from side_by_side import *

direct = psycopg.connect(**libpq(server), autocommit=True)
conn = psycopg.connect(**libpq(proxy), autocommit=True)
if ca:
    try:
        psycopg.connect(**libpq(proxy, "wrong"))
        check("wrong password", None, "an error")
    except psycopg.OperationalError as e:
        check("wrong password", "password authentication failed" in str(e), True)
check("TLS", conn.pgconn.ssl_in_use, bool(ca))
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
for form in ("/* ask: run: %s */" % SQL, "ASK $$run: %s$$" % SQL, "SELECT * FROM ask($$run: %s$$)" % SQL):
    check("rows, " + form[:8], conn.execute(form).fetchall(), direct.execute(SQL).fetchall())
# After five executions the driver prepares by itself, and it forgets with
# DEALLOCATE.
conn.prepared_max = 2
for turn in range(20):
    check("prepared by itself", conn.execute("-- ask: run: select %d" % (turn % 4)).fetchone(), (turn % 4,))
for turn in range(20):
    conn.execute("-- ask: how many customers")
with conn.pipeline():
    a = conn.execute("select 1")
    b = conn.execute("-- ask: how many customers")
    c = conn.execute("select 3")
    check("pipeline", (a.fetchone(), b.fetchone(), c.fetchone()), ((1,), (100,), (3,)))
with conn.transaction():
    conn.execute("create temp table t (i int)")
    with conn.cursor().copy("copy t from stdin") as copy:
        for i in range(1000):
            copy.write_row((i,))
    check("in transaction", conn.execute("-- ask: how many customers").fetchone(), (100,))
check("COPY in", conn.execute("select count(*) from t").fetchone(), (1000,))
with conn.cursor().copy("copy (select * from t order by i) to stdout (format binary)") as copy:
    copy.set_types(["int4"])
    check("COPY out", [r[0] for r in copy.rows()], list(range(1000)))
with conn.transaction():
    oid = conn.execute("select lo_from_bytea(0, %s)", (b"large" * 20000,)).fetchone()[0]
    fd = conn.execute("select lo_open(%s, 262144)", (oid,)).fetchone()[0]
    check("large object", conn.execute("select loread(%s, 200000)", (fd,)).fetchone()[0], b"large" * 20000)
    conn.execute("select lo_unlink(%s)", (oid,))
cur = conn.cursor()
check("stream", len(list(cur.stream("-- ask: which customers"))), 100)
for name, text, code in (("error", "select nosuch", "42703"), ("error of a question", "-- ask: error: ASK04", "ASK04")):
    try:
        conn.execute(text)
        check(name, None, code)
    except psycopg.Error as e:
        check(name, e.sqlstate, code)
for text in ("select pg_sleep(30)", "-- ask: wait"):
    threading.Timer(0.3, conn.cancel).start()
    try:
        conn.execute(text)
        check("cancel of " + text, None, "57014")
    except psycopg.errors.QueryCanceled:
        check("cancel of " + text, "57014", "57014")
with conn.transaction():
    for form in (ASK, "/* ask: run: %s */" % SQL, "SELECT * FROM (\n%s\n) AS t" % ASK):
        with conn.cursor(name="asked") as named:
            named.itersize = 7
            named.execute(form)
            check("question in a cursor of the server, " + form[:15], list(named), direct.execute(SQL).fetchall())
for turn in range(8):  # after five the driver prepares it
    for binary in (False, True):
        got = conn.execute("-- ask: run: select %s || 'x', %s + 1", ("O'Neil %d" % turn, turn), binary=binary).fetchone()
        check("values in a question, turn %d" % turn, got, ("O'Neil %dx" % turn, turn + 1))
for turn in range(8):
    check("question as a parameter, turn %d" % turn, conn.execute("select * from ask(%s) r", ("run: " + SQL,)).fetchall(), direct.execute(SQL).fetchall())
heard = []
conn.add_notify_handler(lambda n: heard.append(n.payload))
conn.execute("listen news")
direct.execute("notify news, 'hello'")
conn.execute("-- ask: how many customers")
check("notification", heard, ["hello"])
check("call", conn.execute("select sum(a) from ask('run: select 1 as a') r where a < %s", (5,)).fetchone(), (1,))
for i in range(8):  # after five the driver prepares it
    call, args = "select id, name, joined from {} r where id = %s and name like %s or joined = %s", (i, "c%", "2024-01-20")
    for binary in (False, True):
        check("call with parameters", conn.execute(call.format("ask('run: select * from customers')"), args, binary=binary).fetchall(),
              direct.execute(call.format("customers"), args, binary=binary).fetchall())
end()
