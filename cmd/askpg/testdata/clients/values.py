# Binds values of Python's types to questions. Prints for each the driver, its name, the question that askpg read, and the answer.
import datetime as d, decimal, sys
module, dsn = __import__(sys.argv[1]), sys.argv[2]
cest = d.timezone(d.timedelta(hours=2))
asks = [
    ("date", "how many orders were placed after %s", d.date(2024, 6, 1)),
    ("midnight", "how many orders were placed after %s", d.datetime(2024, 6, 1)),
    ("midnight", "how many orders were placed after %s", d.datetime(2024, 6, 1, tzinfo=d.timezone.utc)),
    ("moment", "how many orders were placed after %s", d.datetime(2024, 6, 1, 13, 45)),
    ("moment elsewhere", "how many orders were placed after %s", d.datetime(2024, 6, 1, 13, 45, 30, tzinfo=cest)),
    ("integer", "how many products have a price above %s", 100),
    ("decimal", "how many products have a price above %s", decimal.Decimal("99.50")),
    ("decimal", "how many products have a price above %s", 99.5),
    ("text", "how many customers are in region %s", "North"),
    ("list", "how many customers are in region %s", ["North", "South"]),
    *([("list", "how many customers are in region %s", ("North", "South"))] if sys.argv[1] == "psycopg2" else []),
    ("bool", "how many orders are %s", True),
    ("nowhere", "how many customers are in region %s", "Atlantis"),
]
conn = module.connect(dsn)
conn.autocommit = True
for name, text, value in asks:
    for form in ("-- ask: " + text, "ASK " + text):
        cur = conn.cursor()
        try:
            cur.execute(form, (value,))
            answer = cur.fetchone()[0]
        except module.Error as e:
            answer = str(e).replace("\n", " ")
        cur.execute("SHOW askpg.last")
        print(name, "|", cur.fetchone()[1], "|", answer)
