#!/bin/bash
# Does what the official entrypoint does: makes the root user and runs the scripts of /docker-entrypoint-initdb.d once, when the volume is
# empty, with a server that listens to this container only; then serves the network.
set -euo pipefail
[ "$1" = mongod ] || exec "$@"
programs=$(echo "$ENGINE"/root/usr/lib/postgresql/*/bin)
cluster=/data/db/cluster

# What is asked stands in no argument, since arguments stand in the list of processes.
query() { "$programs/psql" -X -q -h 127.0.0.1 -U postgres -d postgres -v ON_ERROR_STOP=1 <<< "$1"; }
ferretdb() {
  mkdir -p /data/configdb/ferretdb
  "$ENGINE/bin/ferretdb" --telemetry=disable --debug-addr=- --log-level=WARN --state-dir /data/configdb/ferretdb --listen-addr "$1" \
    --postgresql-url 'postgres://postgres@127.0.0.1:5432/postgres?pool_max_conns=32' &
  server=$!
}
as_root="db = connect('mongodb://$MONGO_INITDB_ROOT_USERNAME:' + fs.readFileSync('$MONGO_INITDB_ROOT_PASSWORD_FILE', 'utf8').trim() + '@127.0.0.1')"
until_true() { for _ in $(seq 300); do "$@" > /dev/null 2>&1 && return; sleep 0.2; done; return 1; }

# A start that was ended before its users were made begins again.
[ -e /data/db/complete ] || rm -rf /data/db/*
if [ ! -e /data/db/complete ]; then
  "$programs/initdb" -D "$cluster" -E UTF8 --locale=C -A trust -U postgres --no-instructions --no-sync > /dev/null
  cat /opt/settings.conf >> "$cluster/postgresql.conf"
fi
"$programs/postgres" -D "$cluster" & postgres=$!
until_true query 'select 1'
query "$(cat /opt/extensions.sql)" 2> /dev/null
if [ ! -e /data/db/complete ]; then
  password=$(cat "$MONGO_INITDB_ROOT_PASSWORD_FILE")
  query "select documentdb_api.create_user('{\"createUser\":\"$MONGO_INITDB_ROOT_USERNAME\",\"pwd\":\"$password\",\"roles\":[{\"role\":\"clusterAdmin\",\"db\":\"admin\"},{\"role\":\"readWriteAnyDatabase\",\"db\":\"admin\"}]}')"
  ferretdb 127.0.0.1:27017
  until_true mongosh --quiet --norc --eval 0
  for script in /docker-entrypoint-initdb.d/*.js; do
    mongosh --quiet --norc --nodb --eval "$as_root" "$script"
  done
  kill -TERM "$server"
  wait "$server" || true
  touch /data/db/complete
fi
ferretdb 0.0.0.0:27017
trap 'kill -TERM "$server"; wait "$server"; kill -INT "$postgres"; wait "$postgres"; exit 0' TERM INT
wait -n "$server" "$postgres"
