"""What the checks of Python's programs share. Each is run as

    PROGRAM ASKPG_PORT SERVER_PORT

and compares what it gets for questions through askpg with what their SQL gives on the server.
"""
import sys

askpg, server = sys.argv[1:3]
user, database = "analyst", "shop"
COUNT, COUNT_SQL = "how many customers in Germany", "SELECT count(*) FROM customers WHERE country = 'Germany'"
NAMES, NAMES_SQL = "customers in Germany", "SELECT name FROM customers WHERE country = 'Germany'"
WRONG = "how many florps"  # no such thing is in the shop
FORMS = (f"-- ask: {COUNT}", f"/* ask: {COUNT} */", f"ASK '{COUNT}'", f"SELECT * FROM ask('{COUNT}') AS r")
failed = 0


def check(name, got, want):
    global failed
    if got == want:
        print("ok", name)
    else:
        failed += 1
        print("FAILED", name, repr(got)[:500], "want", repr(want)[:500])


def refused(ask):
    """Calls what asks WRONG and returns the error."""
    try:
        return ask()
    except Exception as e:
        return e


def says(text, *words):
    """The words that a text does not have."""
    return [w for w in words if w not in str(text)]


def end():
    sys.exit(1 if failed else 0)
