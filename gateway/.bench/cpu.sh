cd /work/main/gateway/.bench; N=../../node_modules/.bin/node
$N standin.mjs >/dev/null & S=$!; $N baseline.mjs & B=$!; FAST=1
bash /tmp/gwt/start.sh RATE_LIMIT_PER_HOUR=100000000 RATE_LIMIT_PER_MINUTE=100000000 "$@"
G=$(cat /tmp/gwt/pid); sleep 0.5
cat > /tmp/gwt/cpu.mjs <<'EOM'
import autocannon from '/work/main/node_modules/autocannon/autocannon.js'; import { readFileSync } from 'node:fs';
const [b, g] = process.argv.slice(2);
const ticks = (pid) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' '); return (+f[11] + +f[12]) * 10000; };
const ses = readFileSync('/tmp/gwt/ses', 'utf8'), key = readFileSync('/tmp/gwt/key', 'utf8');
const go = async (port, pid, duration) => { const t = ticks(pid); const r = await autocannon({ url: `http://127.0.0.1:${port}/v1/sessions/${ses}`, connections: 64, amount: duration, headers: { authorization: `Bearer ${key}` } }); return [(ticks(pid) - t) / r.requests.total, r.requests.average, r.non2xx]; };
await go(18091, b, 30000); await go(18090, g, 30000);
for (let i = 0; i < 3; i++) { const x = await go(18091, b, 20000), y = await go(18090, g, 20000); console.log('cpu us/request: baseline', x[0].toFixed(1), 'gateway', y[0].toFixed(1), 'ratio', (x[0] / y[0]).toFixed(2), 'rps', x[1], y[1], x[2], y[2]); }
process.exit(0);
EOM
$N /tmp/gwt/cpu.mjs $B $G
kill $S $B $G; wait 2>/dev/null
