"""GDAL's ogr2ogr -sql, by a cursor if it begins with SELECT."""
import subprocess

from tool import *


def rows(port, sql):
    run = subprocess.run(["ogr2ogr", "-f", "CSV", "/vsistdout/", f"PG:host=127.0.0.1 port={port} user={user} dbname={database}", "-sql", sql], capture_output=True, text=True)
    return run.stdout.splitlines() or run.stderr


print("#", subprocess.run(["ogr2ogr", "--version"], capture_output=True, text=True).stdout)
for form in FORMS:
    check(form, rows(askpg, form), rows(server, COUNT_SQL))
check("cursor", sorted(rows(askpg, f"SELECT * FROM ask('{NAMES}') AS r")), sorted(rows(server, NAMES_SQL)))
check("around it", rows(askpg, f"SELECT name FROM ask('{NAMES}') AS r ORDER BY name LIMIT 3"), rows(server, NAMES_SQL + " ORDER BY name LIMIT 3"))
check("error", says(rows(askpg, f"-- ask: {WRONG}"), "florps", "HINT"), [])
end()
