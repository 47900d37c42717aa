"""Asks through psycopg 3 (extended protocol), prepared and unprepared, text and binary."""
import sys
import psycopg

proxy, direct, question, gold = sys.argv[1:5]


def rows(conn, sql, **kw):
    binary = kw.pop("binary", False)
    with conn.cursor(binary=binary) as cur:
        cur.execute(sql, **kw)
        return [d.type_code for d in cur.description], sorted(cur.fetchall(), key=repr)  # no order was asked for


quoted = question.replace("'", "''")
with psycopg.connect(direct) as d, psycopg.connect(proxy) as p:
    for sql in (
        f"-- ask: {question}",
        f"/* ask: {question} */",
        f"ASK $${question}$$",
        f"SELECT * FROM ask('{quoted}') AS r",
    ):
        for kw in ({}, {"prepare": True}, {"binary": True}, {"prepare": True, "binary": True}):
            want = rows(d, gold, **kw)
            for _ in range(2):
                got = rows(p, sql, **kw)
                assert got == want, f"{sql} {kw}\n got {got}\nwant {want}"
            print("ok", sql, kw)
    p.rollback()
    want = rows(d, gold)
    with p.pipeline():
        one = p.execute("select 1")
        asked = p.execute(f"-- ask: {question}")
        two = p.execute("select 2")
        assert one.fetchall() == [(1,)] and two.fetchall() == [(2,)]
        assert sorted(asked.fetchall(), key=repr) == want[1]
    print("ok in a pipeline")
