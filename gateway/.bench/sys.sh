cd /work/main/gateway/.bench; N=../../node_modules/.bin/node
$N standin.mjs >/dev/null & S=$!; $N baseline.mjs & B=$!
bash /tmp/gwt/start.sh RATE_LIMIT_PER_HOUR=100000000 RATE_LIMIT_PER_MINUTE=100000000 "$@"
G=$(cat /tmp/gwt/pid); sleep 0.5
cat > /tmp/gwt/l2.mjs <<'EOM'
import autocannon from '/work/main/node_modules/autocannon/autocannon.js'; import { readFileSync } from 'node:fs';
const [port, amount] = process.argv.slice(2);
const ses = readFileSync('/tmp/gwt/ses', 'utf8'), key = readFileSync('/tmp/gwt/key', 'utf8');
const r = await autocannon({ url: `http://127.0.0.1:${port}/v1/sessions/${ses}`, connections: 64, amount: +amount, headers: { authorization: `Bearer ${key}` } }); console.log(port, r.requests.average, r.non2xx); process.exit(0);
EOM
for x in "18091 $B" "18090 $G"; do set -- $x; $N /tmp/gwt/l2.mjs $1 10000; strace -c -f -p $2 -o /tmp/gwt/strace.$1 & T=$!; sleep 0.5; $N /tmp/gwt/l2.mjs $1 10000; kill -INT $T; wait $T; head -12 /tmp/gwt/strace.$1; done
kill $S $B $G; wait 2>/dev/null
