#!/bin/bash
# Copies the primary once, then runs as its streaming standby.
set -euo pipefail

export PGDATA=${PGDATA:-/var/lib/postgresql/data}
mkdir -p "$PGDATA"
chown postgres "$PGDATA"
chmod 700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
	# An earlier copy that broke off leaves nothing to build on.
	find "$PGDATA" -mindepth 1 -delete
	gosu postgres pg_basebackup --host=primary --username=replication --no-password --pgdata="$PGDATA" \
		--write-recovery-conf --wal-method=stream --checkpoint=fast
fi
exec docker-entrypoint.sh postgres -c ssl=on -c ssl_cert_file=/certificates/standby.crt -c ssl_key_file=/certificates/standby.key
