"""What the Python drivers' checks share: where the proxy and the server are, and
how a check is counted. Each driver is a program of its own:

    DRIVER.py PROXY_PORT SERVER_PORT DATABASE [CA]

With CA, the file of a certification authority, connections to the proxy use TLS,
verify its certificate and name, and log in by SCRAM.
"""
import sys

proxy, server, database = sys.argv[1:4]
ca = sys.argv[4] if len(sys.argv) > 4 else ""
user, password = "driver_role", "secret"

SQL = "SELECT id, name, balance, joined, tags, NULL::int AS nothing, joined::timestamptz AS at, '{\"a\": 1}'::jsonb AS doc FROM customers ORDER BY id"
ASK = "-- ask: run: " + SQL
failed = 0


def libpq(port, password=password):
    """Parameters of a connection for drivers made of libpq."""
    tls = dict(sslmode="verify-full", sslrootcert=ca, channel_binding="require") if ca and port == proxy else dict(sslmode="disable")
    return dict(host="127.0.0.1", port=port, user=user, password=password, dbname=database, **tls)


def check(name, got, want):
    global failed
    if got == want:
        print("ok", name)
    else:
        failed += 1
        print("FAILED", name, repr(got)[:300], "want", repr(want)[:300])


def end():
    sys.exit(1 if failed else 0)
