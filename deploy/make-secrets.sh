#!/bin/sh
# Makes the secrets of the processes, in the folder secrets of where it is run, and lays out in secrets/mounted what each container
# of docker-compose.yml sees. What is there already stays as it is: run it again after an update, and after each change of a secret.
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
  # The folder is its owner's alone. In a container a part of it is mounted, for a user that is another there.
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
# Those that are empty until they are needed: what former and future keys have encrypted, other peppers, the mail server, Stripe, headers
# for a collector of traces.
empty() { :; }
for service in $services; do
  may_be_empty="${may_be_empty:-} data_keys_also_read_$service"
done
for name in $may_be_empty key_peppers smtp_url stripe_secret_key stripe_webhook_secret otel_exporter_otlp_headers; do
  [ -e "$name" ] || keep "$name" empty
done
# Derived from the others each time, so that it names a service that was added.
nats_passwords > nats_passwords.new
mv nats_passwords.new nats_passwords
chmod 444 nats_passwords

# lay <process> <file> [<name that the process sees>]: a whole file takes the place of the one before.
lay() {
  mkdir -p "mounted/$1"
  chmod 755 mounted "mounted/$1"
  to="mounted/$1/${3:-$2}"
  # A certificate is there only with TLS, and what is the same is not written again.
  [ -e "$2" ] && ! cmp -s "$2" "$to" || return 0
  cp "$2" "$to.new"
  chmod 444 "$to.new"
  mv -f "$to.new" "$to"
}

for service in $services; do
  lay "$service" "mongodb_uri_$service" mongodb_uri
  lay "$service" "data_key_$service" data_key
  lay "$service" "data_keys_also_read_$service" data_keys_also_read
  lay "$service" cursor_secret
  lay mongo "mongodb_uri_$service"
done
for process in gateway $services; do
  lay "$process" otel_exporter_otlp_headers
done
for process in $processes; do
  lay "$process" "nats_password_$process" nats_password
  lay "$process" nats_ca
done
lay people key_pepper
lay people key_peppers
lay notification smtp_url
lay payment stripe_secret_key
lay payment stripe_webhook_secret
lay audit mongodb_uri_audit mongodb_uri
lay mongo mongodb_uri_audit
lay mongo mongodb_root_password
lay nats nats_passwords
lay nats nats_ca
lay nats nats_certificate
lay nats nats_certificate_key
