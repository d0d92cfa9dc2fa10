import { spawn } from 'node:child_process';
import path from 'node:path';
import { readJson } from '../system/files/json-file.ts';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { freePort, waitUntil } from '../system/processes/ports.ts';
import { boardQueries, scalerQueries } from './boards.ts';
import { runningStack, type Server, startServer, targetsOf } from './server.ts';

const WITHIN_MS = 180_000;
const RECORDED = /\bswim:[a-z0-9_:]+/g;
const SCRAPED = /\b(?:swim|process|nodejs)_[a-z0-9_]+/g;

interface Demo {
  base_url: string;
  accounts: { school: { key: string } };
}

/** Has Prometheus scrape the running product, and evaluates each rule and query. */
export async function checkBoards(prometheus: string, log: (line: string) => void): Promise<void> {
  const stack = runningStack();
  const { folder, remove } = temporaryFolder();
  const auditPort = await freePort();
  const audit = spawn(nodeProgram(), [path.join(ROOT, 'services/booking/dist/audit.js')], {
    stdio: 'ignore',
    env: { ...process.env, MONGODB_URI: stack.mongodb_uri, AUDIT_MINUTES: '1', HEALTH_PORT: String(auditPort) },
  });
  const ports = targetsOf(stack);
  const server = await startServer(prometheus, folder, [...ports, { name: 'audit', port: String(auditPort) }]);
  try {
    await evaluate(server, ports.length + 1, log);
  } finally {
    for (const child of [server.child, audit]) child.kill();
    remove();
  }
}

async function evaluate({ ask, seriesOf }: Server, processes: number, log: (line: string) => void) {
  const { base_url: base, accounts } = readJson(path.join(LOCAL, 'demo.json')) as Demo;
  const headers = { authorization: `Bearer ${accounts.school.key}` };
  const isScraped = async () => {
    await fetch(`${base}/instructors`, { headers });
    // Without requests there is no share of them.
    const queries = [`sum(up{job="swim"}) == ${processes}`, 'swim:burn:3d >= 0'];
    return (await Promise.all(queries.map((query) => seriesOf(query)))).every(({ length }) => length > 0);
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
