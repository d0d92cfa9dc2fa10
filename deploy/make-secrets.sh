#!/bin/sh
# Makes the secrets that docker-compose.yml mounts into its containers, in the folder secrets of where it is run. What is
# there already stays as it is, so it can be run again after an update.
set -eu
umask 077

services=$(cd "$(dirname "$0")/../services" && echo *)
processes="gateway bus-setup $services"

mkdir -p secrets
cd secrets

# keep <name> <command...>: the file <name> holds what the command prints, whole or not at all.
keep() {
  name=$1
  shift
  if [ ! -s "$name" ]; then
    "$@" > "$name.new"
    mv "$name.new" "$name"
  fi
  # The folder is its owner's alone. In a container a secret is mounted by itself, for a user that is another there.
  chmod 444 "$name"
}

key() { head -c 32 /dev/urandom | base64; }
password() { od -An -v -tx1 -N24 /dev/urandom | tr -d ' \n'; }
# journal=true: a standalone server would else acknowledge up to a tenth of a second before a write is on the disk.
# retryWrites=false: every write here is safe to repeat by design, and a standalone server has no other way.
address() { echo "mongodb://$1:$(password)@mongo:27017/?authSource=admin&journal=true&retryWrites=false"; }

# What nats.conf includes: the password of every process.
nats_passwords() {
  for process in $processes; do
    echo "NATS_PASSWORD_$(echo "$process" | tr a-z- A-Z_): \"$(cat "nats_password_$process")\""
  done
}

keep key_pepper key
keep cursor_secret key
keep mongodb_root_password password
for service in $services; do
  keep "data_key_$service" key
  keep "mongodb_uri_$service" address "$service"
done
# The audit reads the databases of two services, as a user of its own.
keep mongodb_uri_audit address audit
for process in $processes; do
  keep "nats_password_$process" password
done
# Derived from the others each time, so that it names a service that was added.
nats_passwords > nats_passwords.new
mv nats_passwords.new nats_passwords
chmod 444 nats_passwords
