cd /work/main/gateway/.bench; N=../../node_modules/.bin/node
$N standin.mjs & S=$!; $N baseline.mjs & B=$!
bash /tmp/gwt/start.sh RATE_LIMIT_PER_HOUR=100000000 RATE_LIMIT_PER_MINUTE=100000000 "$@"
sleep 0.5
for i in 1 2 3; do $N load.mjs 18091 3; $N load.mjs 18090 3; done
kill $S $B $(cat /tmp/gwt/pid); wait 2>/dev/null
