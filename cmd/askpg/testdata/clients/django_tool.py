"""Django over psycopg2."""
import django
from django.conf import settings

from tool import *

print("# Django", django.__version__)
connect = dict(ENGINE="django.db.backends.postgresql", HOST="127.0.0.1", USER=user, NAME=database)
settings.configure(DATABASES={"default": dict(connect, PORT=askpg), "direct": dict(connect, PORT=server)}, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
from django.db import connection, connections, models, transaction
from django.db.models.expressions import RawSQL


class Customer(models.Model):
    name = models.TextField()

    class Meta:
        app_label, managed, db_table = "shop", False, "customers"


def run(sql, params=None, through=connection):
    with through.cursor() as c:
        c.execute(sql, params)
        return c.fetchall()


want = run(COUNT_SQL, through=connections["direct"])
count = want[0][0]
for form in FORMS:
    check(form, run(form), want)
check("value in a comment", run("-- ask: how many customers in %s", ["Germany"]), want)
check("question bound", run("SELECT * FROM ask(%s) AS r", [COUNT]), want)
people = sorted((c.id, c.name) for c in Customer.objects.using("direct").raw("SELECT id, name FROM customers WHERE country = 'Germany'"))
both = "id and name of customers in "
for sql, params in ((f"-- ask: {both}Germany", []), (f"-- ask: {both}%s", ["Germany"]), (f"SELECT * FROM ask('{both}Germany') AS r", [])):
    check("raw(), " + sql, sorted((c.id, c.name) for c in Customer.objects.raw(sql, params)), people)
    check("raw().iterator()", len(list(Customer.objects.raw(sql, params).iterator())), count)
for sql in (f"-- ask: {NAMES}\n", f"/* ask: {NAMES} */"):
    check("RawSQL in a filter", Customer.objects.filter(name__in=RawSQL(sql, [])).count(), count)
    check("paged", len(Customer.objects.filter(name__in=RawSQL(sql, [])).order_by("name")[10:30]), 20)
    check(".iterator()", len(list(Customer.objects.filter(name__in=RawSQL(sql, [])).iterator(chunk_size=100))), count)


def chunked():
    with connection.chunked_cursor() as c:
        c.execute(f"-- ask: {NAMES}")
        return sum(len(part) for part in iter(lambda: c.fetchmany(100), []))


check("cursor of the server, WITH HOLD", chunked(), count)
with transaction.atomic():
    check("cursor of the server", chunked(), count)
check("its SQL", run("SELECT sql FROM ask(%s, 'sql') AS r", [COUNT]), [(COUNT_SQL,)])
check("notices of the connection", says(connection.connection.notices, "confidence"), [])
check("error", says(refused(lambda: run(f"-- ask: {WRONG}")), "florps", "HINT"), [])
with transaction.atomic():
    refused(lambda: run(f"-- ask: {WRONG}"))
    check("the transaction goes on", run("select 1"), [(1,)])
end()
