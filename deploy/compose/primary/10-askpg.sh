#!/bin/bash
# Runs once, on an empty data directory: the logins that replication, askpg and
# its log need, and the log's database.
set -euo pipefail

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-postgres}" \
	--set replication="$REPLICATION_PASSWORD" --set askpg="$ASKPG_PASSWORD" --set store="$ASKPG_STORE_PASSWORD" <<'SQL'
-- Passwords do not belong in the server's log.
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';

CREATE ROLE replication LOGIN REPLICATION PASSWORD :'replication';

-- The service login: no rights of its own, it becomes the asker. Grant it each
-- role that may ask; `askpg check --print-setup --user ROLE` prints how.
CREATE ROLE askpg LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'askpg';
ALTER ROLE askpg SET default_transaction_read_only = 'on';
ALTER ROLE askpg SET temp_file_limit = '1048576kB';
ALTER ROLE askpg SET log_min_messages = 'fatal';

-- The translation log.
CREATE ROLE askpg_store LOGIN PASSWORD :'store';
CREATE DATABASE askpg OWNER askpg_store;
REVOKE CONNECT ON DATABASE askpg FROM PUBLIC;
SQL

if [ -n "${PGDATA:-}" ]; then
	# From other hosts only by TLS.
	sed -i 's/^host all all all /hostssl all all all /' "$PGDATA/pg_hba.conf"
	echo "hostssl replication replication all scram-sha-256" >>"$PGDATA/pg_hba.conf"
fi
