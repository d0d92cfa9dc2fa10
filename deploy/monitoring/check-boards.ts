import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { readJson } from '../system/files/json-file.ts';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { freePort, waitUntil } from '../system/processes/ports.ts';
import { boardQueries } from './boards.ts';
import { ruleGroups } from './rules.ts';

const SCALERS = path.join(ROOT, 'deploy/kubernetes/components/by-backlog/scalers.yaml');
const WITHIN_MS = 180_000;
const RECORDED = /\bswim:[a-z0-9_:]+/g;
const SCRAPED = /\b(?:swim|process|nodejs)_[a-z0-9_]+/g;

interface Demo {
  base_url: string;
  accounts: { school: { key: string } };
}

interface Stack {
  processes: { name: string; health_port?: string }[];
  mongodb_uri: string;
}

/** Has Prometheus scrape the running product, and evaluates each rule and query. */
export async function checkBoards(prometheus: string, log: (line: string) => void): Promise<void> {
  const stack = readJson(path.join(LOCAL, 'stack.json')) as Stack | null;
  if (!stack) throw new Error('No stack of this clone is running: start it with `npm start`.');
  const { folder, remove } = temporaryFolder();
  const auditPort = await freePort();
  const audit = spawn(nodeProgram(), [path.join(ROOT, 'services/booking/dist/audit.js')], {
    stdio: 'ignore',
    env: { ...process.env, MONGODB_URI: stack.mongodb_uri, AUDIT_MINUTES: '1', HEALTH_PORT: String(auditPort) },
  });
  const ports = stack.processes.flatMap(({ name, health_port: port }) => (port ? [{ name, port }] : []));
  const server = await startPrometheus(prometheus, folder, [...ports, { name: 'audit', port: String(auditPort) }]);
  try {
    await evaluate(server.api, ports.length + 1, log);
  } finally {
    for (const child of [server.child, audit]) child.kill();
    remove();
  }
}

async function startPrometheus(program: string, folder: string, targets: { name: string; port: string }[]) {
  const port = await freePort();
  const configuration = {
    global: { scrape_interval: '2s', evaluation_interval: '2s' },
    rule_files: ['rules.yml'],
    scrape_configs: [
      {
        job_name: 'swim',
        static_configs: targets.map(({ name, port: its }) => ({
          targets: [`127.0.0.1:${its}`],
          labels: { process: name },
        })),
      },
    ],
  };
  fs.writeFileSync(path.join(folder, 'prometheus.yml'), stringify(configuration));
  fs.writeFileSync(path.join(folder, 'rules.yml'), stringify({ groups: ruleGroups() }));
  const words = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`];
  return { child: spawn(program, words, { cwd: folder, stdio: 'ignore' }), api: `http://127.0.0.1:${port}/api/v1` };
}

async function evaluate(api: string, processes: number, log: (line: string) => void) {
  const ask = async (place: string, query = '') => {
    const answer = await fetch(`${api}/${place}${query && `?query=${encodeURIComponent(query)}`}`);
    const { status, data, error } = (await answer.json()) as { status: string; data: never; error?: string };
    if (status !== 'success') throw new Error(`${query || place}: ${error}`);
    return data as Record<string, never>;
  };
  const seriesOf = async (query: string) => (await ask('query', query)).result as unknown as object[];
  const { base_url: base, accounts } = readJson(path.join(LOCAL, 'demo.json')) as Demo;
  const headers = { authorization: `Bearer ${accounts.school.key}` };
  const isScraped = async () => {
    await fetch(`${base}/instructors`, { headers });
    // Without requests there is no share of them.
    const queries = [`sum(up{job="swim"}) == ${processes}`, 'swim:burn:3d >= 0'];
    return (await Promise.all(queries.map(seriesOf))).every(({ length }) => length > 0);
  };
  const isReady = () => isScraped().catch(() => false);
  if (!(await waitUntil(isReady, WITHIN_MS))) throw new Error(`Prometheus does not scrape all ${processes} processes`);

  const groups = (await ask('rules')).groups as unknown as { rules: { name: string; lastError?: string }[] }[];
  const rules = groups.flatMap((group) => group.rules);
  const faults = rules.flatMap(({ name, lastError }) => (lastError ? [`rule ${name}: ${lastError}`] : []));
  const known = new Set([...Object.keys(await ask('metadata')), ...rules.map(({ name }) => name)]);
  const queries = [...boardQueries(), ...scalerQueries()];
  let withSeries = 0;
  for (const { panel, query } of queries) {
    const series = await seriesOf(query);
    if (series.length > 0) withSeries++;
    else log(`no series yet: ${panel}: ${query}`);
    for (const name of [...(query.match(RECORDED) ?? []), ...(query.match(SCRAPED) ?? [])])
      if (!known.has(name) && !known.has(name.replace(/_(bucket|count)$/, '')))
        faults.push(`${panel}: no process has the metric ${name}`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  log(
    `${rules.length} rules and ${queries.length} queries evaluated on ${processes} processes; ${withSeries} have series`,
  );
}

function scalerQueries() {
  const documents = parseAllDocuments(fs.readFileSync(SCALERS, 'utf8')).map((each) => each.toJS());
  return documents.flatMap(({ metadata, spec }) =>
    spec.triggers.map((trigger: { metadata: { query: string } }) => ({
      panel: `scaler of ${metadata.name}`,
      query: trigger.metadata.query,
    })),
  );
}
