"""SQLAlchemy over psycopg2, and pandas, if it is here."""
import logging
import warnings

import sqlalchemy
from sqlalchemy import bindparam, column, func, select, text

from tool import *

try:
    import pandas
except ImportError:
    pandas = None
warnings.simplefilter("ignore")  # pandas 1.5 knows SQLAlchemy 2
print("# SQLAlchemy", sqlalchemy.__version__, "pandas", pandas and pandas.__version__)
p, d = (sqlalchemy.create_engine(f"postgresql+psycopg2://{user}@127.0.0.1:{port}/{database}").connect() for port in (askpg, server))
count, names = d.execute(text(COUNT_SQL)).scalar(), sorted(d.execute(text(NAMES_SQL)).scalars())
for form in FORMS:
    check("text(), " + form, p.execute(text(form)).all(), [(count,)])
    check("exec_driver_sql, " + form, p.exec_driver_sql(form).scalar(), count)
check("value in a comment", p.execute(text("-- ask: how many customers in :country"), {"country": "Germany"}).scalar(), count)
for start in ("-- ask:", "ASK"):
    several = text(start + " how many customers in :countries").bindparams(bindparam("countries", expanding=True))
    for countries in (["Germany"], ["Germany", "France", "Spain"]):
        check("list, " + start, p.execute(several, {"countries": countries}).scalar(),
              d.execute(text("SELECT count(*) FROM customers WHERE country = ANY (:c)"), {"c": countries}).scalar())
check("question bound", p.execute(text("SELECT * FROM ask(:q) AS r"), {"q": COUNT}).scalar(), count)
check("ask() in a select", p.execute(select(column("name")).select_from(func.ask(NAMES).alias("r")).order_by("name").limit(3).offset(5)).scalars().all(),
      d.execute(text(NAMES_SQL + " ORDER BY 1 LIMIT 3 OFFSET 5")).scalars().all())
for wrap in ("subquery", "cte"):
    inner = getattr(text(f"-- ask: {NAMES}\n").columns(column("name")), wrap)("t")
    check(wrap, p.execute(select(func.count()).select_from(inner)).scalar(), count)
for form in (f"-- ask: {NAMES}", f"SELECT * FROM ask('{NAMES}') AS r"):
    streamed = p.execution_options(stream_results=True, max_row_buffer=50).execute(text(form))
    check("stream_results", sorted(r[0] for part in streamed.partitions(100) for r in part), names)
    if not pandas:
        continue
    check("read_sql", sorted(pandas.read_sql(text(form), p)["name"]), names)
    chunks = list(pandas.read_sql(text(form), p.execution_options(stream_results=True), chunksize=200))
    check("chunksize", [len(c) for c in chunks], [200, 200, count - 400])
if pandas:
    check("read_sql with a text", pandas.read_sql(f"-- ask: {COUNT}", p).iloc[0, 0], count)
    check("read_sql with params", pandas.read_sql(text("SELECT * FROM ask(:q) AS r"), p, params={"q": COUNT}).iloc[0, 0], count)
check("its SQL", p.execute(text("SELECT sql FROM ask(:q, 'sql') AS r"), {"q": COUNT}).scalar(), COUNT_SQL)
seen = []
logging.getLogger("sqlalchemy.dialects.postgresql").addHandler(type("Seen", (logging.Handler,), {"emit": lambda self, r: seen.append(r.getMessage())})())
logging.getLogger("sqlalchemy.dialects.postgresql").setLevel(logging.INFO)
p.execute(text(f"-- ask: {COUNT}"))
check("notice in the log", says(seen, COUNT_SQL.split(" WHERE")[0], "confidence"), [])
check("error", says(refused(lambda: p.execute(text(f"-- ask: {WRONG}"))), "florps", "HINT"), [])
check("its code", refused(lambda: p.execute(text(f"-- ask: {WRONG}"))).orig.pgcode, "ASK01")
check("the transaction goes on", p.execute(text("select 1")).scalar(), 1)
end()
