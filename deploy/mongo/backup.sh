#!/bin/sh
# Backs up the databases of one installation, or restores them, by mongodump and mongorestore of MongoDB's image:
#   sh deploy/mongo/backup.sh dump FOLDER       makes FOLDER: data/, keys/ and reach.json
#   sh deploy/mongo/backup.sh restore FOLDER    replaces the collections that it has; nothing else may use them meanwhile
# For a MongoDB elsewhere, MONGO_CONFIG names a file with `uri: mongodb://…` for the tools of this machine. DATABASE_PREFIX as in .env.
set -eu
umask 077

what=${1:-}
folder=${2:-}
[ -n "$folder" ] || { echo "Say dump FOLDER, or restore FOLDER." >&2; exit 2; }
prefix=${DATABASE_PREFIX:-swim}
here=$(cd "$(dirname "$0")" && pwd)
services=$(cd "$here/../../services" && echo *)

# tool <program> <arguments…>: the password is in a file, since arguments are in lists of processes.
if [ -n "${MONGO_CONFIG:-}" ]; then
  tool() { program=$1; shift; "$program" --config "$MONGO_CONFIG" --quiet --gzip --archive "$@"; }
else
  tool() {
    docker compose exec -T mongo sh -c 'umask 077
      echo "uri: mongodb://root:$(cat /run/secrets/mongodb_root_password)@127.0.0.1/?authSource=admin" > /tmp/tools.yaml
      program=$1; shift; exec "$program" --config /tmp/tools.yaml --quiet --gzip --archive "$@"' sh "$@"
  }
fi

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

# databases <kind>: of all services, with texts (data) or with the keys of texts (keys).
databases() {
  for service in $services; do
    for env in live test; do
      [ "$1" = data ] && echo "${prefix}_${service}_$env" || echo "${prefix}_${service}_keys_$env"
    done
  done
  [ "$1" != data ] || echo "${prefix}_people_users"
}

dump() {
  mkdir "$folder" "$folder/data" "$folder/keys"
  from=$(now)
  # The keys come last: one that is destroyed meanwhile is in no backup, and one that is made meanwhile is not missed.
  for kind in data keys; do
    for name in $(databases "$kind"); do tool mongodump --db "$name" > "$folder/$kind/$name.gz"; done
  done
  # What was acknowledged before `from` is in it, nothing that was written after `until` is.
  echo "{\"from\":\"$from\",\"until\":\"$(now)\"}" | tee "$folder/reach.json"
}

restore() {
  for archive in "$folder"/data/*.gz "$folder"/keys/*.gz; do
    [ -e "$archive" ] || { echo "$folder has no $archive" >&2; exit 1; }
    tool mongorestore --drop < "$archive"
  done
  echo "{\"restored\":$(cat "$folder/reach.json")}"
}

case $what in
  dump | restore) "$what" ;;
  *) echo "Say dump FOLDER, or restore FOLDER." >&2; exit 2 ;;
esac
