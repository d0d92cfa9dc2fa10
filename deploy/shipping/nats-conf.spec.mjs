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
const text = fs.readFileSync(CONFIG, 'utf8');
const { nats } = readCompose({ KEY_PEPPER: 'x', DATA_KEY: 'x', CURSOR_SECRET: 'x' }).services;

let server;
let data;
let monitor;
beforeAll(async () => {
  data = temporaryFolder();
  const here = { '/data': data.folder, '0.0.0.0:4222': `127.0.0.1:${await freePort()}` };
  here['127.0.0.1:8222'] = `127.0.0.1:${await freePort()}`;
  monitor = `http://${here['127.0.0.1:8222']}`;
  const own = path.join(data.folder, 'nats.conf');
  fs.writeFileSync(
    own,
    text.replaceAll(/"([^"]+)"/g, (_, value) => JSON.stringify(here[value])),
  );
  server = spawn(findNatsServer().command, ['--config', own], { stdio: 'ignore' });
  await waitUntil(() => ask('/healthz').then(({ status }) => status === 200), 10_000);
});
afterAll(async () => {
  if (server.exitCode === null) {
    server.kill();
    await once(server, 'exit');
  }
  data.remove();
});

const ask = (where) => fetch(`${monitor}${where}`).catch((error) => ({ status: error.message }));

// The server itself is started with the addresses and the folder replaced by some that are free here.
it('is a configuration that the server accepts', () => {
  execFileSync(findNatsServer().command, ['-t', '--config', CONFIG], { stdio: 'pipe' });
});

it('makes a server that syncs every write, takes payloads of 4 MB and keeps its store where the volume is', async () => {
  const seen = await (await ask('/varz')).json();
  expect(seen.max_payload).toBe(4 * 1024 * 1024);
  expect(seen.jetstream.config.sync_always).toBe(true);
  expect(text).toContain('store_dir: "/data"');
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
  expect(text).toContain(`http: "${checked.host}"`);
  expect((await ask(checked.pathname)).status).toBe(200);
});

it('is run by the release of NATS that the tests run on', () => {
  const [, release] = /v(\d+\.\d+)\.\d+/.exec(
    execFileSync(findNatsServer().command, ['--version'], { encoding: 'utf8' }),
  );
  expect(nats.image).toBe(`nats:${release}-alpine`);
});
