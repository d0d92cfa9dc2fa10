cd /work/main/gateway/.bench; N=../../node_modules/.bin/node
$N standin.mjs >/dev/null & S=$!
rm -rf /tmp/gwt/prof; mkdir -p /tmp/gwt/prof
cd ..; env PORT=18090 HEALTH_PORT=19090 NATS_URL=nats://127.0.0.1:14222 RATE_LIMIT_PER_HOUR=100000000 RATE_LIMIT_PER_MINUTE=100000000 "$@" ../node_modules/.bin/node --cpu-prof --cpu-prof-dir=/tmp/gwt/prof dist/main.js > /tmp/gwt/log 2>&1 & G=$!
sleep 3; cd .bench
cat > /tmp/gwt/l.mjs <<'EOM'
import autocannon from '/work/main/node_modules/autocannon/autocannon.js'; import { readFileSync } from 'node:fs';
const ses = readFileSync('/tmp/gwt/ses', 'utf8'), key = readFileSync('/tmp/gwt/key', 'utf8');
const r = await autocannon({ url: `http://127.0.0.1:18090/v1/sessions/${ses}`, connections: 64, amount: 40000, headers: { authorization: `Bearer ${key}` } }); console.log(r.requests.average);
EOM
$N /tmp/gwt/l.mjs
kill -TERM $G; wait $G; kill $S
cat > /tmp/gwt/an.mjs <<'EOM'
import { readFileSync, readdirSync } from 'node:fs';
const p = JSON.parse(readFileSync('/tmp/gwt/prof/' + readdirSync('/tmp/gwt/prof')[0]));
const dt = p.timeDeltas, self = new Map(); const byId = new Map(p.nodes.map((n) => [n.id, n]));
p.samples.forEach((id, i) => self.set(id, (self.get(id) ?? 0) + dt[i]));
const agg = new Map(), file = new Map(); let total = 0;
for (const [id, t] of self) { const f = byId.get(id).callFrame; if (f.functionName === '(idle)') continue; total += t; const k = `${f.functionName} ${f.url.split('/').slice(-3).join('/')}:${f.lineNumber}`; agg.set(k, (agg.get(k) ?? 0) + t); const m = f.url.includes('node_modules/') ? f.url.split('node_modules/').at(-1).split('/').slice(0,2).join('/') : f.url.replace(/.*work\/main\//,'') || f.functionName; file.set(m, (file.get(m) ?? 0) + t); }
const show = (m, n) => [...m].sort((a, b) => b[1] - a[1]).slice(0, n).forEach(([k, t]) => console.log((t / total * 100).toFixed(1).padStart(5), (t/40000).toFixed(2).padStart(6)+'us', k));
console.log('total us/request', (total / 40000).toFixed(1)); show(agg, 45); console.log(); show(file, 30);
EOM
$N /tmp/gwt/an.mjs
