import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { readJson } from '../system/files/json-file.ts';
import { LOCAL } from '../system/paths.mjs';
import { freePort } from '../system/processes/ports.ts';
import { ruleGroups } from './rules.ts';

/** What `npm start` says about the running product. */
interface Stack {
  processes: { name: string; pid: number; health_port?: string }[];
  mongodb_uri: string;
  nats_url: string;
}

interface Target {
  name: string;
  port: string;
}

interface Series {
  metric: Record<string, string>;
  value: [number, string];
}

/** A running Prometheus. */
export interface Server {
  child: ChildProcess;
  ask: (place: string, query?: string) => Promise<Record<string, never>>;
  seriesOf: (query: string) => Promise<Series[]>;
}

/** @throws when the stack of this clone does not run. */
export function runningStack(): Stack {
  const stack = readJson(path.join(LOCAL, 'stack.json')) as Stack | null;
  if (!stack) throw new Error('No stack of this clone is running: start it with `npm start`.');
  return stack;
}

/** The processes with metrics. */
export const targetsOf = ({ processes }: Stack): Target[] =>
  processes.flatMap(({ name, health_port: port }) => (port ? [{ name, port }] : []));

/** Starts Prometheus with our rules; it scrapes every two seconds. */
export async function startServer(program: string, folder: string, targets: Target[]): Promise<Server> {
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
  const child = spawn(program, words, { cwd: folder, stdio: 'ignore' });
  const ask: Server['ask'] = async (place, query = '') => {
    const address = `http://127.0.0.1:${port}/api/v1/${place}${query && `?query=${encodeURIComponent(query)}`}`;
    const answer = await fetch(address);
    const { status, data, error } = (await answer.json()) as { status: string; data: never; error?: string };
    if (status !== 'success') throw new Error(`${query || place}: ${error}`);
    return data;
  };
  return { child, ask, seriesOf: async (query) => (await ask('query', query)).result as unknown as Series[] };
}
