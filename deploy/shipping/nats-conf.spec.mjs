import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findNatsServer } from '../local/nats.mjs';
import { ROOT } from '../local/paths.mjs';
import { freePort, waitUntil } from '../local/ports.mjs';
import { temporaryFolder } from '../local/temporary-folder.mjs';
import { readCompose } from './compose-file.mjs';

const CONFIG = path.join(ROOT, 'deploy/nats.conf');
const { nats } = readCompose({ KEY_PEPPER: 'x', DATA_KEY: 'x', CURSOR_SECRET: 'x' }).services;

let server;
let data;
let monitor;
beforeAll(async () => {
  data = temporaryFolder();
  const [port, monitorPort] = [await freePort(), await freePort()];
  monitor = `http://127.0.0.1:${monitorPort}`;
  // As the container runs it, but at addresses and in a folder that are free here.
  const instead = ['--addr', '127.0.0.1', '--port', port, '--http_port', monitorPort, '--store_dir', data.folder];
  const { command } = findNatsServer();
  server = spawn(command, ['--config', CONFIG, ...instead.map(String)], { stdio: 'ignore' });
  await waitUntil(() => ask('/healthz').then(({ status }) => status === 200), 10_000);
});
afterAll(async () => {
  server.kill();
  await once(server, 'exit');
  data.remove();
});

const ask = (where) => fetch(`${monitor}${where}`).catch((error) => ({ status: error.message }));

it('is a configuration that the server accepts', () => {
  execFileSync(findNatsServer().command, ['-t', '--config', CONFIG], { stdio: 'pipe' });
});

it('makes a server that syncs every write, takes payloads of 4 MB and keeps its store where the volume is', async () => {
  const seen = await (await ask('/varz')).json();
  expect(seen.max_payload).toBe(4 * 1024 * 1024);
  expect(seen.jetstream.config.sync_always).toBe(true);
  expect(fs.readFileSync(CONFIG, 'utf8')).toContain('store_dir: "/data"');
  expect(nats.volumes).toContain('nats-data:/data');
});

it('is the file that the container is started with', () => {
  const mounted = nats.volumes.find((volume) => volume.startsWith('./deploy/nats.conf:'));
  const [, target, mode] = mounted.split(':');
  expect(nats.command).toEqual(['nats-server', '--config', target]);
  expect(mode).toBe('ro');
});

it('answers where the container is asked for its health', async () => {
  const checked = new URL(nats.healthcheck.test.at(-1));
  expect(fs.readFileSync(CONFIG, 'utf8')).toContain(`http: "${checked.host}"`);
  expect((await ask(checked.pathname)).status).toBe(200);
});

it('is run by the release of NATS that the tests run on', () => {
  const [, release] = /v(\d+\.\d+)\.\d+/.exec(execFileSync(findNatsServer().command, ['--version'], { encoding: 'utf8' }));
  expect(nats.image).toBe(`nats:${release}-alpine`);
});
