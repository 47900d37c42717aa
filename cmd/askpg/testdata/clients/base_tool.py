"""LibreOffice Base, by its own driver and by psqlODBC: statements, prepared ones, and the row sets of its forms and queries."""
import os
import subprocess
import tempfile
import time

import uno

from tool import *


def office(folder):
    """Starts LibreOffice without windows, with a profile and ODBC sources of its own, and returns its process and context."""
    with open(folder + "/odbc.ini", "w") as f:
        for name, port in (("askpg", askpg), ("server", server)):
            f.write(f"[{name}]\nDriver=PostgreSQL Unicode\nServername=127.0.0.1\nPort={port}\nDatabase={database}\nUserName={user}\nSSLmode=disable\nUseServerSidePrepare=0\n")
    accept = f"pipe,name=askpg{os.getpid()};urp"
    process = subprocess.Popen(
        ["soffice", "--headless", "--norestore", "--nologo", f"-env:UserInstallation=file://{folder}/profile", f"--accept={accept};StarOffice.ComponentContext"],
        env=dict(os.environ, ODBCINI=folder + "/odbc.ini", HOME=folder))
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    for _ in range(600):
        try:
            return process, resolver.resolve(f"uno:{accept};StarOffice.ComponentContext")
        except Exception:
            if process.poll() not in (None, 81):  # 81: it starts anew with its new profile
                raise
            time.sleep(0.1)
    raise TimeoutError("LibreOffice has not started")


def rows(result):
    got = []
    while result.next():
        got.append(result.getString(1))
    return got


def row_set(connection, text, escape=False, limit=0):
    """What a form or a query of Base shows. escape: Base parses the text itself, as it does without "Run SQL command directly"."""
    r = context.ServiceManager.createInstance("com.sun.star.sdb.RowSet")
    r.ActiveConnection, r.CommandType, r.Command, r.EscapeProcessing = connection, 2, text, escape
    if limit:
        r.MaxRows = limit
    r.execute()
    return rows(r)


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    process, context = office(folder)
    try:
        sources = context.ServiceManager.createInstance("com.sun.star.sdb.DatabaseContext")

        def connect(url):
            source = sources.createInstance()
            source.URL, source.User = url, user
            return source.getConnection(user, "")

        direct = connect(f"sdbc:postgresql:host=127.0.0.1 port={server} dbname={database}")
        want = rows(direct.createStatement().executeQuery(COUNT_SQL))
        names = rows(direct.createStatement().executeQuery(NAMES_SQL + " ORDER BY 1"))
        for how, url in (("own driver", f"sdbc:postgresql:host=127.0.0.1 port={askpg} dbname={database}"), ("psqlODBC", "sdbc:odbc:askpg")):
            connection = connect(url)
            for form in FORMS:
                check(f"{how}, statement, {form}", rows(connection.createStatement().executeQuery(form)), want)
                check(f"{how}, row set, {form}", row_set(connection, form), want)
                prepared = connection.prepareStatement(form)
                for _ in range(2):
                    check(f"{how}, prepared, {form}", rows(prepared.executeQuery()), want)
            check(f"{how}, row set of names", sorted(row_set(connection, f"-- ask: {NAMES}")), sorted(names))
            check(f"{how}, row set, limited", len(row_set(connection, f"-- ask: {NAMES}", limit=5)), len(row_set(direct, NAMES_SQL, limit=5)))
            for text, value in (("ASK how many customers in ?", "Germany"), ("SELECT * FROM ask(?) AS r", COUNT)):
                prepared = connection.prepareStatement(text)
                prepared.setString(1, value)
                check(f"{how}, value, {text}", rows(prepared.executeQuery()), want)
            check(f"{how}, its SQL", rows(connection.createStatement().executeQuery(f"SELECT sql FROM ask('{COUNT}', 'sql') AS r")), [COUNT_SQL])
            error = refused(lambda: connection.createStatement().executeQuery(f"-- ask: {WRONG}"))
            check(f"{how}, error", says(error, "florps"), [])
            for form in FORMS:  # its parser knows neither comments that ask nor functions in FROM, and nothing is sent
                error = refused(lambda: row_set(connection, form, escape=True))
                check(f"{how}, parsed by Base, {form}", says(error, "Syntax error"), [])
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
end()
