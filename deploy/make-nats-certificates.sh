#!/bin/sh
# Makes a certificate for NATS and the CA's certificate, by which processes check it, in the folder secrets of where it is
# run. The CA's key is thrown away: run it again to make both anew, at the latest after DAYS.
set -eu
umask 077

days=${DAYS:-365}
names=${NATS_NAMES:-DNS:nats,DNS:nats-2,DNS:nats-3,DNS:route-1,DNS:route-2,DNS:route-3,DNS:localhost,IP:127.0.0.1}

mkdir -p secrets
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

cat > "$made/config" <<CONFIG
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = $names
CONFIG

# key_of <name>: a key of its own for the certificate of that name.
key_of() { openssl ecparam -name prime256v1 -genkey -noout -out "$made/$1_key"; }

key_of nats_ca
openssl req -new -x509 -config "$made/config" -extensions ca -subj "/CN=CA of NATS" -days "$days" -sha256 \
  -key "$made/nats_ca_key" -out "$made/nats_ca"
key_of nats_certificate
openssl req -new -config "$made/config" -subj "/CN=nats" -sha256 -key "$made/nats_certificate_key" -out "$made/request"
openssl x509 -req -in "$made/request" -CA "$made/nats_ca" -CAkey "$made/nats_ca_key" -set_serial "0x$(openssl rand -hex 16)" \
  -days "$days" -sha256 -extfile "$made/config" -extensions server -out "$made/nats_certificate" 2> "$made/told" ||
  { cat "$made/told" >&2; exit 1; }

for name in nats_ca nats_certificate nats_certificate_key; do
  # As make-secrets.sh does: the folder is its owner's alone, and a container's user is another.
  chmod 444 "$made/$name"
  mv -f "$made/$name" "secrets/$name"
done
# Lays them out where the containers see them.
sh "$(cd "$(dirname "$0")" && pwd)/make-secrets.sh"
