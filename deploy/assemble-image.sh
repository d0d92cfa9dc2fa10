#!/bin/sh
# Lays out what runs in the image of SERVICE, at places that are the same for each: the process in OUT/service, the
# libraries beside it. Run in the root of the clone when all is built: sh deploy/assemble-image.sh SERVICE OUT
set -eu
service=$1
out=$2

if [ "$service" = gateway ]; then
  folder=gateway
elif [ -n "$service" ] && [ -f "services/$service/package.json" ]; then
  folder=services/$service
else
  echo "SERVICE is '$service'; it must be $(cd services && echo *) or gateway" >&2
  exit 1
fi

mkdir -p "$out/service" "$out/libs"
for entry in "$folder"/*; do
  case "${entry##*/}" in
    src | test | dashboard | node_modules) ;;
    *) cp -a "$entry" "$out/service/" ;;
  esac
done
if [ -d "$folder/dashboard" ]; then
  mkdir "$out/service/dashboard"
  cp -a "$folder/dashboard/dist" "$out/service/dashboard/"
fi
for lib in libs/*; do
  if [ -d "$lib/dist" ] && [ "$lib" != libs/testing ] && [ "$lib" != libs/sdk ]; then
    mkdir -p "$out/$lib"
    cp -a "$lib/package.json" "$lib/dist" "$out/$lib/"
  fi
done
