"""asyncpg: the extended protocol, binary alone."""
import asyncio
import ssl

import asyncpg

from side_by_side import *


async def connect(port, password=password):
    tls = ssl.create_default_context(cafile=ca) if ca and port == proxy else False
    return await asyncpg.connect(host="127.0.0.1", port=port, user=user, password=password, database=database, ssl=tls)


async def run():
    direct, conn = await connect(server), await connect(proxy)
    if ca:
        try:
            await connect(proxy, "wrong")
            check("wrong password", None, "28P01")
        except asyncpg.InvalidPasswordError as e:
            check("wrong password", e.sqlstate, "28P01")
    rows = [tuple(r) for r in await direct.fetch(SQL)]
    check("question", [tuple(r) for r in await conn.fetch(ASK)], rows)
    check("question as a block comment", [tuple(r) for r in await conn.fetch("/* ask: run: %s */" % SQL)], rows)
    check("question, simple", await conn.execute("ask 'how many customers'"), "SELECT 1")
    prepared = await conn.prepare(ASK)
    check("question, prepared", [tuple(r) for r in await prepared.fetch()], rows)
    check("question, types", [a.type.name for a in prepared.get_attributes()], [a.type.name for a in (await direct.prepare(SQL)).get_attributes()])
    try:
        await conn.fetch("select * from ask($1) r", "how many customers")
        check("question as a parameter", None, "0A000")
    except asyncpg.PostgresError as e:
        check("question as a parameter", e.sqlstate, "0A000")
    await conn.execute("set askpg.describe = 'jsonb'")
    check("question as a parameter, one column", await conn.fetchval("select * from ask($1) r", "how many customers"), '{"count": 100}')
    check("value in a question, one column", await conn.fetchval("-- ask: run: select $1::text as x", "O'Neil"), '{"x": "O\'Neil"}')
    await conn.execute("reset askpg.describe")
    check("call", await conn.fetchval("select sum(a) from ask('run: select 1 as a') r where a < $1", 5), 1)
    async with conn.transaction():
        cursor = [tuple(r) async for r in conn.cursor(ASK, prefetch=7)]
    check("question, cursor", cursor, rows)
    async with conn.transaction():
        cursor = await conn.cursor(ASK)
        first, passed, seventh = tuple(await cursor.fetchrow()), await cursor.forward(5), tuple(await cursor.fetchrow())
        check("rows of a question, passed over", (first, passed, seventh, await cursor.forward(1000), await cursor.fetchrow()), (rows[0], 5, rows[6], len(rows) - 7, None))
        check("before any is read", await (await conn.cursor(ASK)).forward(3), 3)
        check("of a table of askpg's", await (await conn.cursor("-- ask(sql): run: select 1")).forward(5), 1)
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
end()
