"""Asks through psycopg2 (simple protocol) and compares with the gold SQL on the primary."""
import sys
import psycopg2

proxy, direct, question, gold = sys.argv[1:5]


def rows(dsn, sql):
    with psycopg2.connect(dsn) as conn, conn.cursor() as cur:
        cur.execute(sql)
        return [d.type_code for d in cur.description], sorted(cur.fetchall(), key=repr)  # no order was asked for


want = rows(direct, gold)
quoted = question.replace("'", "''")
for sql in (
    f"-- ask: {question}",
    f"/* ask: {question} */",
    f"ASK $${question}$$",
    f"SELECT * FROM ask('{quoted}') AS r",
):
    got = rows(proxy, sql)
    assert got == want, f"{sql}\n got {got}\nwant {want}"
    print("ok", sql)
