import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ConfiguredServer, startConfiguredServer } from '../bus/configured-server.ts';
import { findNatsServer } from '../bus/nats.ts';
import { ROOT } from '../system/paths.mjs';
import { readCompose } from './compose-file.ts';
import { makeSecrets } from './secrets.ts';

const CONFIG = path.join(ROOT, 'deploy/nats.conf');
const text = fs.readFileSync(CONFIG, 'utf8');
const { nats } = readCompose(new Proxy({}, { get: () => 'x' })).services;
const CONFIG_VOLUME = nats.volumes?.map(String).find((volume) => volume.startsWith('./deploy/nats.conf:')) ?? '';

const PASSWORDS = '../../run/secrets/nats_passwords';
const secrets = makeSecrets();

let server: ConfiguredServer;
beforeAll(async () => {
  server = await startConfiguredServer({ passwords: secrets.read('nats_passwords') });
});
afterAll(async () => {
  await server?.stop();
  secrets.remove();
});

const get = (where: string) => fetch(`${server.monitor}${where}`);

// Only the addresses and the folder of the configuration are replaced.
it('is a configuration that the server accepts', () => {
  execFileSync(findNatsServer().command, ['-t', '--config', server.config], { stdio: 'pipe' });
});

it('makes a server that syncs every write, takes payloads of 4 MB and keeps its store where the volume is', async () => {
  const seen = (await (await get('/varz')).json()) as {
    max_payload: number;
    jetstream: { config: { sync_always: boolean } };
  };
  expect(seen.max_payload).toBe(4 * 1024 * 1024);
  expect(seen.jetstream.config.sync_always).toBe(true);
  expect(text).toContain('store_dir: "/data"');
  expect(nats.volumes).toContain('nats-data:/data');
});

it('is the file that the container is started with', () => {
  const [, target, mode] = CONFIG_VOLUME.split(':');
  expect(nats.command).toEqual(['nats-server', '--config', target]);
  expect(mode).toBe('ro');
});

it('answers the health check of the container', async () => {
  const checked = new URL(nats.healthcheck?.test.at(-1) ?? '');
  expect(text).toContain(`http: "${checked.host}"`);
  expect((await get(checked.pathname)).status).toBe(200);
});

it('is run by the release of NATS that the tests run on', () => {
  const [, release] =
    /v(\d+\.\d+)\.\d+/.exec(execFileSync(findNatsServer().command, ['--version'], { encoding: 'utf8' })) ?? [];
  expect(nats.image).toBe(`nats:${release}-alpine`);
});

it('finds the passwords where the container has them', () => {
  const [, mounted = ''] = CONFIG_VOLUME.split(':');
  expect(path.posix.join(path.posix.dirname(mounted), PASSWORDS)).toBe('/run/secrets/nats_passwords');
});
