"""Asks through psqlODBC, directly and prepared on the server."""
import sys
import pyodbc

proxy, direct, question, gold = sys.argv[1:5]


def rows(dsn, sql, *args):
    conn = pyodbc.connect(dsn, autocommit=True)
    cur = conn.cursor()
    cur.execute(sql, *args)
    got = [d[1] for d in cur.description], sorted((tuple(r) for r in cur.fetchall()), key=repr)  # no order was asked for
    conn.close()
    return got


want = rows(direct, gold)
quoted = question.replace("'", "''")
for options in ("", ";UseServerSidePrepare=1", ";UseServerSidePrepare=0", ";UseDeclareFetch=1;Fetch=1"):
    for sql in (
        f"-- ask: {question}",
        f"/* ask: {question} */",
        f"ASK $${question}$$",
        f"SELECT * FROM ask('{quoted}') AS r",
    ):
        got = rows(proxy + options, sql)
        assert got == want, f"{sql}{options}\n got {got}\nwant {want}"
        print("ok", sql, options)
