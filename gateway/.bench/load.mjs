import autocannon from 'autocannon'; import { readFileSync } from 'node:fs';
const [port, secs = '4', method = 'GET'] = process.argv.slice(2);
const ses = readFileSync('/tmp/gwt/ses', 'utf8'), key = readFileSync('/tmp/gwt/key', 'utf8');
const r = await autocannon({ url: `http://127.0.0.1:${port}/v1/sessions/${ses}`, connections: 64, duration: Number(secs), headers: { authorization: `Bearer ${key}` } });
console.log(port, 'rps', r.requests.average, 'p50', r.latency.p50, 'p99', r.latency.p99, 'non2xx', r.non2xx, 'errors', r.errors);
