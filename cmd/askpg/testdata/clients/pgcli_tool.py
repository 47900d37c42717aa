"""pgcli, as if it were typed: a comment that a line begins with does not leave it."""
import os
import subprocess
import tempfile

import pgcli

from tool import *

print("# pgcli", pgcli.__version__)
home = tempfile.TemporaryDirectory()


def typed(*lines):
    environment = dict(os.environ, HOME=home.name, XDG_CONFIG_HOME=home.name, PAGER="cat", TERM="dumb", PROMPT_TOOLKIT_NO_CPR="1", PGSSLMODE="disable")
    done = subprocess.run(["/usr/bin/pgcli", "-h", "127.0.0.1", "-p", askpg, "-U", user, "-d", database, "--less-chatty"],
                          input="\n".join(lines) + "\n", text=True, capture_output=True, env=environment)
    return done.stdout + done.stderr


count = subprocess.run(["psql", "-XAt", "-h", "127.0.0.1", "-p", server, "-U", user, "-d", database, "-c", COUNT_SQL], text=True, capture_output=True).stdout.strip()
row = f"| {count} "
out = typed(*(form + ";" for form in (FORMS[2], f"ASK {COUNT}", FORMS[3], f"SELECT {FORMS[1]}", f"SELECT * FROM ({FORMS[1]}) AS t", "; " + FORMS[1], ";" + FORMS[0])))
check("rows", out.count(row), 7)
check("NOTICE", says(out, COUNT_SQL, "confidence"), [])
check("-- first", says(typed(FORMS[0] + ";"), "list index out of range"), [])  # pgcli's own error
check("/* first", row in typed(FORMS[1] + ";"), False)  # pgcli leaves it out
check("auto mode", row in typed("SET askpg.mode = 'auto';", COUNT + ";"), True)
check("error", says(typed(f"ASK {WRONG};"), "florps", "HINT"), [])
end()
