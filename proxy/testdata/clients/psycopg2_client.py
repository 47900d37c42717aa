"""psycopg2: the simple protocol."""
import io
import threading

import psycopg2
import psycopg2.extensions
import psycopg2.extras

from side_by_side import *

direct, conn = psycopg2.connect(**libpq(server)), psycopg2.connect(**libpq(proxy))
if ca:
    try:
        psycopg2.connect(**libpq(proxy, "wrong"))
        check("wrong password", None, "an error")
    except psycopg2.OperationalError as e:
        check("wrong password", "password authentication failed" in str(e), True)
check("TLS", conn.info.ssl_in_use, bool(ca))
want = direct.cursor()
want.execute(SQL)
rows, types = want.fetchall(), [c.type_code for c in want.description]
cur = conn.cursor()
for form in (ASK, "/* ask: run: %s */" % SQL, "ASK $$run: %s$$" % SQL, "SELECT * FROM ask($$run: %s$$)" % SQL):
    cur.execute(form)
    check("rows, " + form[:8], cur.fetchall(), rows)
    check("types", [c.type_code for c in cur.description], types)
    check("row count", cur.rowcount, len(rows))
check("status in transaction", conn.info.transaction_status, psycopg2.extensions.TRANSACTION_STATUS_INTRANS)
cur.execute("select count(*) from customers where id > %s", (50,))
check("statement after it", cur.fetchone(), (50,))
cur.execute("prepare p as select count(*) from customers where id > $1")
cur.execute("execute p(50)")
check("prepared by SQL", cur.fetchone(), (50,))
conn.commit()
for name, text, expected in (
    ("error of a question", "-- ask: error: ASK04", ("ASK04", "the detail", "the hint SHOW askpg.last has the id of the question, for an admin.")),
    ("error", "select nosuch", ("42703", None, None)),
):
    try:
        cur.execute(text)
        check(name, None, expected)
    except psycopg2.Error as e:
        check(name, (e.pgcode, e.diag.message_detail, e.diag.message_hint), expected)
    conn.rollback()
for c in (conn, direct):
    k = c.cursor()
    k.execute("create temp table copied (i int, t text)")
    psycopg2.extras.execute_batch(k, "insert into copied values (%s, %s)", [(i, "x%d" % i) for i in range(1000)])
    k.copy_expert("copy copied from stdin", io.StringIO("".join("%d\ty\n" % i for i in range(1000))))
    out = io.StringIO()
    k.copy_expert("copy (select * from copied order by 1, 2) to stdout", out)
    check("COPY", (len(out.getvalue()), out.getvalue()[:9]), (14670, "0\tx0\n0\ty\n"))
    try:
        k.copy_expert("copy copied from stdin", io.StringIO("no number\tx\n"))
        check("COPY that fails", None, "22P02")
    except psycopg2.Error as e:
        check("COPY that fails", e.pgcode, "22P02")
    c.rollback()
large = conn.lobject(0, "w")
large.write(b"large" * 20000)
large.close()
check("large object", conn.lobject(large.oid, "rb").read(), b"large" * 20000)
conn.lobject(large.oid).unlink()
conn.commit()
named = conn.cursor("named")
named.itersize = 7
named.execute(SQL)
check("cursor of the server", list(named), rows)
for form in (ASK, "/* ask: run: %s */" % SQL, "SELECT * FROM ask($$run: %s$$) AS r" % SQL, "SELECT * FROM (\n%s\n) AS t" % ASK):
    named = conn.cursor("asked")
    named.itersize = 7
    named.execute(form)
    check("question in a cursor of the server, " + form[:15], list(named), rows)
    named.close()
conn.commit()
cur.execute("select " + ASK)
check("select before a question", cur.fetchall(), rows)
cur.execute("SET work_mem = '1MB'; " + ASK)
check("settings before a question", cur.fetchall(), rows)
cur.execute("-- ask: run: select %s || 'x'", ("O'Neil",))
check("value in a question", cur.fetchone(), ("O'Neilx",))
for text, value in (("-- ask: run: select %s", "x\ncreate temp table evil () --"), ("/* ask: run: select %s */", "x */ create temp table evil () --")):
    try:
        cur.execute(text, (value,))
        check("value that ends the comment", cur.statusmessage, "42601")
    except psycopg2.Error as e:
        check("value that ends the comment", e.pgcode, "42601")
    conn.rollback()
cur.execute("SELECT x FROM ask(%s) AS r(x)", ("run: select 'x\n--'",))
check("value with a line's end", cur.fetchone(), ("x\n--",))
conn.commit()
conn.autocommit = True
for text in ("select pg_sleep(30)", "-- ask: wait"):
    threading.Timer(0.3, conn.cancel).start()
    try:
        cur.execute(text)
        check("cancel of " + text, None, "57014")
    except psycopg2.Error as e:
        check("cancel of " + text, e.pgcode, "57014")
cur.execute("listen news")
direct.cursor().execute("notify news, 'hello'")
direct.commit()
cur.execute("-- ask: how many customers")
conn.poll()
check("notification", [n.payload for n in conn.notifies], ["hello"])
check("notices", any("SELECT count(*)" in n for n in conn.notices), True)
end()
