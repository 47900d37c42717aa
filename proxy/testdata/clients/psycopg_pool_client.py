"""psycopg's pool. A connection in the place of one that was closed is clean, whichever process serves it."""
import logging

import psycopg
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, NullConnectionPool

from side_by_side import *

logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it warns of each that was closed
address = psycopg.conninfo.make_conninfo(**libpq(proxy))
direct = psycopg.connect(**libpq(server), autocommit=True)
# What a session can leave behind, and what shows it.
LEFT = (
    ("set work_mem = '7MB'", "show work_mem"),
    ("set session characteristics as transaction read only", "show default_transaction_read_only"),
    ("create temp table left_here (i int)", "select to_regclass('pg_temp.left_here')"),
    ("prepare left_here as select 1", "select count(*) from pg_prepared_statements"),
    ("declare left_here cursor with hold for select 1", "select count(*) from pg_cursors where name = 'left_here'"),
    ("listen left_here", "select count(*) from pg_listening_channels()"),
    ("select pg_advisory_lock(7)", "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()"),
    ("set role pg_monitor", "select current_user"),
    ("set askpg.notices = off", "select current_setting('askpg.notices', true) = 'off'"),
)
clean = [direct.execute(show).fetchone()[0] for _, show in LEFT]


def state(conn):
    return [conn.execute(show).fetchone()[0] for _, show in LEFT]


for kind in (ConnectionPool, NullConnectionPool):
    name = kind.__name__
    with kind(address, min_size=0, max_size=1, kwargs={"autocommit": True}) as pool:
        for change, _ in LEFT:  # each by itself: some of them make it impossible to reuse the connection
            with pool.connection() as conn:
                conn.execute(change)
                conn.close()
            with pool.connection() as conn:
                got = state(conn)
                got[-1] = got[-1] or None  # a setting that is not known any more, or empty
                check(f"{name}, after {change}, closed", got, clean)
                check(f"{name}, answered", conn.execute("-- ask: how many customers").fetchone(), (100,))
                conn.close()
    with kind(address, min_size=0, max_size=1) as pool:
        # The pool closes what comes back while it is copying, and rolls back what is in a transaction.
        with pool.connection() as conn:
            conn.execute("select 1")
            conn.pgconn.exec_(b"copy (select * from generate_series(1, 10)) to stdout")
            check(f"{name}, copying", conn.info.transaction_status, TransactionStatus.ACTIVE)
            conn.close()
        with pool.connection() as conn:
            check(f"{name}, after copying", conn.execute("-- ask: how many customers").fetchone(), (100,))
        # A process that is terminated serves nobody again.
        with pool.connection() as conn:
            pid = conn.info.backend_pid
            check("terminated", direct.execute("select pg_terminate_backend(%s, 5000)", (pid,)).fetchone()[0], True)
            try:
                conn.execute("select 1")
                check(f"{name}, a terminated one", None, "an error")
            except psycopg.OperationalError as e:
                check(f"{name}, a terminated one", "terminating connection" in str(e), True)
            conn.close()
        with pool.connection() as conn:
            check(f"{name}, another in its place", conn.info.backend_pid != pid, True)
            check(f"{name}, its key is the server's", conn.execute("select pg_backend_pid()").fetchone()[0], conn.info.backend_pid)
# Two at once are two processes, however often they were served.
with ConnectionPool(address, min_size=2, max_size=4) as pool:
    for _ in range(5):
        with pool.connection() as a, pool.connection() as b:
            check("two at once", a.info.backend_pid != b.info.backend_pid, True)
            a.close()
            b.close()
# psycopg's own tests of its pool expect another process in the place of a connection that was closed. A direct connection
# has one; a reused one has the same or another, and both are clean.
with ConnectionPool(address, min_size=1) as pool:
    pids = set()
    for _ in range(5):
        with pool.connection() as conn:
            pids.add(conn.info.backend_pid)
            conn.close()
    if not ca:
        check("a process for each", len(pids), 5)
    print("#", len(pids), "processes for 5 connections")
end()
