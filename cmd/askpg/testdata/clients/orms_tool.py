"""Pony and Peewee over psycopg2."""
import peewee
import pony.orm as pony

from tool import *

print("# Pony", pony.core.pony.__version__, "Peewee", peewee.__version__)
db, direct = pony.Database(), peewee.PostgresqlDatabase(database, user=user, host="127.0.0.1", port=server)


class Customer(db.Entity):
    _table_ = "customers"
    name = pony.Required(str)


db.bind(provider="postgres", user=user, host="127.0.0.1", port=askpg, database=database)
db.generate_mapping(create_tables=False, check_tables=False)
count = direct.execute_sql(COUNT_SQL).fetchone()[0]
people = sorted(direct.execute_sql("SELECT id, name FROM customers WHERE country = 'Germany'"))
both = "id and name of customers in Germany"
with pony.db_session:
    country, question = "Germany", COUNT
    for form in FORMS[:2] + FORMS[3:] + (f"* FROM ask('{COUNT}') AS r", "-- ask: how many customers in $country", "* FROM ask($question) AS r"):
        check("Pony's select, " + form, db.select(form), [count])
    for form in FORMS:
        check("Pony's execute, " + form, db.execute(form).fetchall(), [(count,)])
    for form in (f"-- ask: {both}", f"SELECT * FROM ask('{both}') AS r"):
        check("Pony's select_by_sql", sorted((c.id, c.name) for c in Customer.select_by_sql(form)), people)
    check("Pony, its SQL", db.select("sql FROM ask($question, 'sql') AS r"), [COUNT_SQL])
    check("Pony, error", says(refused(lambda: db.select(f"-- ask: {WRONG}")), "florps", "HINT"), [])
    check("Pony's transaction goes on", db.select("1"), [1])
proxied = peewee.PostgresqlDatabase(database, user=user, host="127.0.0.1", port=askpg)


class Person(peewee.Model):
    name = peewee.TextField()

    class Meta:
        database, table_name = proxied, "customers"


for form in FORMS:
    check("Peewee's execute_sql, " + form, list(proxied.execute_sql(form)), [(count,)])
check("Peewee, value", proxied.execute_sql("-- ask: how many customers in %s", ("Germany",)).fetchone(), (count,))
check("Peewee's raw()", sorted((c.id, c.name) for c in Person.raw("-- ask: id and name of customers in %s", "Germany").iterator()), people)
paged = Person.select(peewee.SQL("name")).from_(peewee.fn.ask(NAMES).alias("r")).order_by(peewee.SQL("name")).limit(2).offset(3)
check("Peewee, paged", list(paged.tuples()), list(direct.execute_sql(NAMES_SQL + " ORDER BY 1 LIMIT 2 OFFSET 3")))
check("Peewee, error", says(refused(lambda: proxied.execute_sql(f"-- ask: {WRONG}")), "florps", "HINT"), [])
end()
