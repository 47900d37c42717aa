#!/bin/bash
# Makes an authority of this host's own in /certificates, and certificates of a year for primary, standby and askpg. It runs
# at each start: what ends within 30 days is made anew, and askpg reads its own without a restart.
set -euo pipefail

cd "${CERTIFICATES:-/certificates}"
umask 077

if [ ! -s ca.crt ]; then
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.crt -days 3650 -subj "/CN=askpg compose" \
		-addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign,cRLSign"
fi

# issue NAME OWNER SAN makes NAME.crt and NAME.key, which OWNER may read.
issue() {
	if [ ! -s "$1.crt" ] || ! openssl x509 -in "$1.crt" -noout -checkend $((30 * 86400)); then
		openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key.new" -out "$1.csr" -subj "/CN=$1"
		openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -out "$1.crt.new" \
			-extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$3")
		rm "$1.csr"
		mv "$1.key.new" "$1.key"
		mv "$1.crt.new" "$1.crt"
	fi
	if [ "$(id -u)" = 0 ]; then chown "$2" "$1.key"; fi
	chmod 600 "$1.key"
	chmod 644 "$1.crt"
}

issue primary 999:999 DNS:primary
issue standby 999:999 DNS:standby
issue askpg 65532:65532 DNS:localhost,IP:127.0.0.1,DNS:haproxy
chmod 644 ca.crt
chmod 755 .
