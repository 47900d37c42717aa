# RPostgreSQL.
#
#     rpostgresql_tool.R ASKPG_PORT SERVER_PORT
suppressPackageStartupMessages(library(RPostgreSQL))
ports <- as.integer(commandArgs(TRUE))
count <- "how many customers in Germany"
names <- "customers in Germany"
sql <- "SELECT count(*) FROM customers WHERE country = 'Germany'"
failed <- FALSE

check <- function(name, got, want) {
  if (isTRUE(all.equal(got, want))) {
    cat("ok", name, "\n")
  } else {
    failed <<- TRUE
    cat("FAILED", name, head(got), "want", head(want), "\n")
  }
}
through <- function(port) dbConnect(PostgreSQL(), host = "127.0.0.1", port = port, user = "analyst", dbname = "shop")

cat("# RPostgreSQL", as.character(packageVersion("RPostgreSQL")), "\n")
p <- through(ports[1])
d <- through(ports[2])
want <- dbGetQuery(d, sql)[1, 1]
all <- sort(dbGetQuery(d, "SELECT name FROM customers WHERE country = 'Germany'")$name)
for (form in c(paste("-- ask:", count), paste("/* ask:", count, "*/"), paste0("ASK '", count, "'"), paste0("SELECT * FROM ask('", count, "') AS r"))) {
  check(form, dbGetQuery(p, form)[1, 1], want)
}
check("value", dbGetQuery(p, "-- ask: how many customers in $1", "Germany")[1, 1], want)
check("question bound", dbGetQuery(p, "SELECT * FROM ask($1) AS r", count)[1, 1], want)
check("its SQL", dbGetQuery(p, "SELECT sql FROM ask($1, 'sql') AS r", count)[1, 1], sql)
rows <- dbSendQuery(p, paste("-- ask:", names))
got <- fetch(rows, 100)
got <- rbind(got, fetch(rows, -1))
check("fetched in parts", sort(got$name), all)
invisible(dbClearResult(rows))
# R tells conditions only that it failed; the server's message is printed.
check("error", tryCatch(dbGetQuery(p, "-- ask: how many florps"), error = function(e) "error", warning = function(w) "error"), "error")
check("the statement after it", dbGetQuery(p, "SELECT 1 AS x")$x, 1)
quit(status = as.integer(failed))
