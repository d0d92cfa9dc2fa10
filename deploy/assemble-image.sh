#!/bin/sh
# Lays out what runs in the image of SERVICE, at places that are the same for all six: the process in OUT/service, the
# libraries beside it. Run in the root of the clone when all is built: sh deploy/assemble-image.sh SERVICE OUT
set -eu
service=$1
out=$2

case "$service" in
  people | scheduling | booking | payment | notification) folder=services/$service ;;
  gateway) folder=gateway ;;
  *)
    echo "SERVICE is '$service'; it must be people, scheduling, booking, payment, notification or gateway" >&2
    exit 1
    ;;
esac

mkdir -p "$out/service" "$out/libs"
for entry in "$folder"/*; do
  case "${entry##*/}" in
    src | test | node_modules) ;;
    *) cp -a "$entry" "$out/service/" ;;
  esac
done
for lib in libs/*; do
  if [ -d "$lib/dist" ] && [ "$lib" != libs/testing ]; then
    mkdir -p "$out/$lib"
    cp -a "$lib/package.json" "$lib/dist" "$out/$lib/"
  fi
done
