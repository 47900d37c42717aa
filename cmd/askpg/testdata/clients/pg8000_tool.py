"""pg8000: it prepares each text and describes the statement."""
import pg8000

from tool import *

print("# pg8000", pg8000.__version__)
p, d = (pg8000.connect(user=user, host="127.0.0.1", port=int(port), database=database) for port in (askpg, server))
notices = []
p.NoticeReceived += notices.append


def run(sql, params=(), conn=p):
    cur = conn.cursor()
    cur.execute(sql, params)
    return cur.fetchall()


want = run(COUNT_SQL, conn=d)
for form in FORMS:
    check(form, run(form), want)
check("notice", says(notices, "SELECT count(*)", "confidence"), [])
check("rows", sorted(run(f"-- ask: {NAMES}")), sorted(run(NAMES_SQL, conn=d)))
check("its SQL", run(f"SELECT sql FROM ask('{COUNT}', 'sql') AS r"), ([COUNT_SQL],))
check("value", says(refused(lambda: run("-- ask: how many customers in %s", ("Germany",))), "0A000", "askpg.describe"), [])
p.cursor().execute("SET askpg.describe = 'jsonb'")
for sql, value in (("-- ask: how many customers in %s", "Germany"), ("SELECT * FROM ask(%s) AS r", COUNT)):
    check("jsonb, " + sql, run(sql, (value,)), ([{"count": want[0][0]}],))
check("error", says(refused(lambda: run(f"-- ask: {WRONG}")), "ASK01", "florps", "askpg.last"), [])
check("the transaction goes on", run("select 1"), ([1],))
p.cursor().execute(f"DECLARE c CURSOR FOR -- ask: {NAMES}")
check("cursor", len(run("FETCH 100 FROM c")), 100)
end()
