"""psqlODBC by pyodbc. It knows no COPY and no notifications."""
import threading

import pyodbc

from side_by_side import *


def connect(port, options="", password=password):
    tls = "SSLmode=verify-full;pqopt={sslrootcert=%s}" % ca if ca and port == proxy else "SSLmode=disable"
    return pyodbc.connect("DRIVER={PostgreSQL Unicode};SERVER=127.0.0.1;PORT=%s;UID=%s;PWD=%s;DATABASE=%s;ByteaAsLongVarBinary=1;%s;%s"
                          % (port, user, password, database, tls, options), autocommit=True)


if ca:
    try:
        connect(proxy, password="wrong")
        check("wrong password", None, "an error")
    except pyodbc.Error as e:
        check("wrong password", e.args[0] in ("08001", "28000", "28P01"), True)
for options in ("UseServerSidePrepare=0", "UseServerSidePrepare=1", "UseDeclareFetch=0;Fetch=10", "UseDeclareFetch=1;Fetch=10"):
    want = connect(server, options).cursor().execute(SQL).fetchall()
    conn = connect(proxy, options)
    if ca:
        check("TLS, " + options, conn.cursor().execute("select count(*) from customers").fetchone()[0], 100)
    for form in (ASK, "/* ask: run: %s */" % SQL, "ASK $$run: %s$$" % SQL, "SELECT * FROM ask($$run: %s$$) AS r" % SQL):
        check("rows, %s, %s" % (form[:8], options), [tuple(r) for r in conn.cursor().execute(form).fetchall()], [tuple(r) for r in want])
    check("statement after it", conn.cursor().execute("select count(*) from customers where id > ?", 50).fetchone()[0], 50)
    try:  # its server-side prepare describes the statement
        check("value in a question", conn.cursor().execute("ASK run: select ? || 'x'", "O'Neil").fetchone()[0], "O'Neilx")
    except pyodbc.Error as e:
        check("value in a question", e.args[0], "0A000")
    for name, text, code in (("error", "select nosuch", "42703"), ("error of a question", "-- ask: error: ASK02", "ASK02")):
        try:
            conn.cursor().execute(text)
            check(name, None, code)
        except pyodbc.Error as e:
            check(name, e.args[0], code)
    for text in ("select pg_sleep(30)", "-- ask: wait"):
        cur = conn.cursor()
        threading.Timer(0.5, cur.cancel).start()
        try:
            cur.execute(text)
            check("cancel of " + text, None, "an error")
        except pyodbc.Error as e:
            check("cancel of " + text, e.args[0] in ("57014", "HY008"), True)
        check("after it", conn.cursor().execute("select 1").fetchone()[0], 1)
    if "UseDeclareFetch=1" in options:
        continue  # its errors end the transaction, also directly
    # The driver puts BEGIN and savepoints before statements, in one message.
    conn.autocommit = False
    check("first in a transaction", [tuple(r) for r in conn.cursor().execute(ASK).fetchall()], [tuple(r) for r in want])
    cur = conn.cursor()
    cur.execute("create temp table t (i int, s text)")
    cur.executemany("insert into t values (?, ?)", [(i, "x%d" % i) for i in range(100)])
    for form in (ASK, "ASK $$run: %s$$" % SQL, "SELECT * FROM ask($$run: %s$$) AS r" % SQL):
        check("in a transaction, " + form[:8], [tuple(r) for r in conn.cursor().execute(form).fetchall()], [tuple(r) for r in want])
    try:
        conn.cursor().execute("-- ask: error: ASK02")
        check("error in a transaction", None, "ASK02")
    except pyodbc.Error as e:
        check("error in a transaction", e.args[0], "ASK02")
    check("many", tuple(cur.execute("select count(*), max(i) from t").fetchone()), (100, 99))
    oid = cur.execute("select lo_from_bytea(0, ?::bytea)", bytearray(b"large" * 1000)).fetchone()[0]
    check("large object", bytes(cur.execute("select lo_get(?::int)", int(oid)).fetchone()[0]), b"large" * 1000)
    conn.rollback()
end()
