import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { readJson } from '../system/files/json-file.ts';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { freePort, waitUntil } from '../system/processes/ports.ts';

const READY_WITHIN_MS = 300_000;
const DEMO_FILE = path.join(LOCAL, 'demo.json');

interface Demo {
  base_url: string;
  accounts: { family: { id: string; key: string } };
}

/** The running product, with the address and the account that the programs use. */
export interface Product {
  api: string;
  account: string;
  key: string;
  stop: () => Promise<void>;
}

const readDemo = (baseUrl: string): Demo | null => {
  const demo = readJson(DEMO_FILE) as Demo | null;
  return demo?.base_url === baseUrl ? demo : null;
};

/**
 * Starts the whole product as `npm start` does, on a free port, with data of its own and without limits that a story could reach.
 * @param logFile - receives what it prints.
 * @param settings - more of the environment of its processes.
 * @throws when it does not start; the error has the end of what it printed.
 */
export async function startProduct(logFile: string, settings: NodeJS.ProcessEnv = {}): Promise<Product> {
  const data = temporaryFolder();
  const port = await freePort();
  const output = fs.openSync(logFile, 'w');
  const limits = { RATE_LIMIT_PER_HOUR: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' };
  const child = spawn(nodeProgram(), [path.join(ROOT, 'deploy/local/bootstrap.mjs'), 'start'], {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...limits, ...settings, PORT: String(port), DATA_DIR: data.folder },
  });
  fs.closeSync(output);
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGINT');
    await ended;
    data.remove();
  };
  process.once('exit', () => child.kill('SIGINT'));
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const isReady = async () => readDemo(baseUrl) !== null;
  if (!(await waitUntil(isReady, READY_WITHIN_MS, () => child.exitCode !== null))) {
    await stop();
    throw new Error(
      `The product did not start:\n${fs.readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n')}`,
    );
  }
  const { base_url: api, accounts } = readDemo(baseUrl)!;
  return { api, account: accounts.family.id, key: accounts.family.key, stop };
}
