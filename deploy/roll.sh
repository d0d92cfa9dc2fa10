#!/bin/sh
# Replaces the replicas of a service without a failed request: sh deploy/roll.sh [SERVICE...], in the root of the clone. Without a name all
# processes of the product are replaced, those that serve before those that ask them.
#
# New replicas are started one after the other, each when the one before is healthy. While one of them does not become healthy, all former
# ones still serve: the new ones are removed again, and the exit code is 1. Afterwards the former ones are stopped one after the other.
set -eu

within=${ROLL_WITHIN_SECONDS:-180}
[ $# -gt 0 ] || set -- bus-setup people scheduling booking payment notification audit gateway

compose() { docker compose --progress quiet "$@"; }
replicas_of() { docker compose ps --quiet "$1"; }

# await_healthy <container>
await_healthy() {
  ends=$(($(date +%s) + within))
  while [ "$(date +%s)" -lt "$ends" ]; do
    case $(docker inspect --format '{{.State.Status}} {{.State.Health.Status}}' "$1") in
      'running healthy') return 0 ;;
      'exited '* | 'dead '*) return 1 ;;
    esac
    sleep 1
  done
  return 1
}

# go_back <service> <former containers>
go_back() {
  echo "$1: a new replica did not become healthy within $within s; its last lines:" >&2
  for each in $(replicas_of "$1"); do
    case " $2 " in *" $each "*) continue ;; esac
    docker logs --tail 5 "$each" >&2
    docker rm --force "$each" > /dev/null
  done
  echo "$1: the former replicas go on serving" >&2
  exit 1
}

roll() {
  former=$(replicas_of "$1" | tr '\n' ' ')
  count=$(echo "$former" | wc -w)
  [ "$count" -gt 0 ] || { echo "$1 does not run: docker compose up --wait" >&2; exit 1; }
  known=$former
  for number in $(seq "$count"); do
    compose up --detach --no-deps --no-recreate --no-build --scale "$1=$((count + number))" "$1"
    for each in $(replicas_of "$1"); do
      case " $known " in *" $each "*) continue ;; esac
      known="$known $each"
      await_healthy "$each" || go_back "$1" "$former"
    done
  done
  for each in $former; do
    docker stop "$each" > /dev/null
    docker rm "$each" > /dev/null
  done
  echo "$1: $count replaced"
}

compose build
for service; do roll "$service"; done
