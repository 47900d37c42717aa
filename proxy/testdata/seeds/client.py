"""What a driver sends for a few statements, to be recorded: see TestSeeds.

usage: client.py psycopg2|psycopg|odbc|asyncpg PORT
"""
import sys

driver, port = sys.argv[1:3]
LOGIN = dict(host="127.0.0.1", port=port, user="scram_role", password="secret")
ASK = "-- ask: how many customers"


def tolerant(run):
    try:
        return run()
    except Exception as e:  # an error is what is to be seen
        print(driver, type(e).__name__)


def play(cursor, mark):
    cursor.execute("select 1 as one, 'two'")
    cursor.fetchall()
    cursor.execute("select %s + 1, %s" % (mark, mark), (41, "text"))
    cursor.fetchall()
    tolerant(lambda: cursor.execute("select nosuch"))
    tolerant(lambda: cursor.execute(ASK))


if driver == "psycopg2":
    import psycopg2

    conn = psycopg2.connect(dbname="postgres", sslmode="disable", **LOGIN)
    conn.autocommit = True
    play(conn.cursor(), "%s")
elif driver == "psycopg":
    import psycopg

    conn = psycopg.connect(dbname="postgres", sslmode="disable", autocommit=True, **LOGIN)
    play(conn.cursor(), "%s")
    with conn.pipeline():
        conn.execute("select 1")
        conn.execute(ASK)
        conn.execute("select %s::int", (2,), prepare=True)
elif driver == "odbc":
    import pyodbc

    conn = pyodbc.connect("DRIVER={PostgreSQL Unicode};SERVER=127.0.0.1;PORT=%s;UID=scram_role;PWD=secret;DATABASE=postgres;SSLmode=disable" % port, autocommit=True)
    play(conn.cursor(), "?")
elif driver == "asyncpg":
    import asyncio, asyncpg

    async def main():
        conn = await asyncpg.connect(database="postgres", ssl=False, **LOGIN)
        await conn.execute("select 1 as one, 'two'")
        await conn.fetch("select $1::int + 1, $2::text", 41, "text")
        for sql in ("select nosuch", ASK):
            try:
                await conn.fetch(sql)
            except asyncpg.PostgresError as e:
                print(driver, e.sqlstate)
        await conn.close()

    asyncio.run(main())
    sys.exit()
conn.close()
