import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProcessName } from '@swim/contracts';
import { connectNats } from '@swim/messaging/client';
import { createLogger, formatApiKey, newId } from '@swim/platform';
import { MongoClient } from 'mongodb';
import { parse } from 'yaml';
import { type ConfiguredServer, startConfiguredServer } from '../bus/configured-server.ts';
import { ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { freePort, waitUntil } from '../system/processes/ports.ts';
import { type ComposeFile, readCompose } from './compose-file.ts';
import { type MadeSecrets, makeSecrets } from './secrets.ts';

const WITHIN_MS = 60_000;
const TEST_WITHIN_MS = 240_000;
const PREFIX = `tls${newId('key').slice(4, 12)}`;
const base = readCompose({}).services;
const withTls = parse(fs.readFileSync(path.join(ROOT, 'deploy/compose.tls.yml'), 'utf8'), { merge: true })
  .services as ComposeFile['services'];
const speakers = (Object.keys(base) as (keyof typeof base)[]).filter((name) => base[name].environment?.NATS_URL);

const secrets = makeSecrets();
const others = makeSecrets();
const makeCertificates = ({ folder }: MadeSecrets, env = {}) =>
  execFileSync('sh', [path.join(ROOT, 'deploy/make-nats-certificates.sh')], {
    cwd: path.dirname(folder),
    env: { PATH: process.env.PATH, ...env },
  });
const fileOf = ({ folder }: MadeSecrets, name: string) => path.join(folder, name);
interface Running {
  child: ChildProcess;
  printed: string;
  health: string;
}

let server: ConfiguredServer;
const started: Running[] = [];
beforeAll(async () => {
  makeCertificates(secrets);
  makeCertificates(others, { NATS_NAMES: 'DNS:nats.example' });
  server = await startConfiguredServer({ passwords: secrets.read('nats_passwords'), certificates: secrets.folder });
}, TEST_WITHIN_MS);
afterAll(async () => {
  for (const { child } of started) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await server?.stop();
  await dropDatabases();
  secrets.remove();
  others.remove();
}, TEST_WITHIN_MS);

async function dropDatabases() {
  const client = await MongoClient.connect(process.env.TEST_MONGODB_URI!);
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith(`${PREFIX}_`)) await client.db(name).dropDatabase();
  await client.close();
}

/** Starts a process with the environment and the secrets of the two compose files. */
async function start(name: ProcessName | 'bus-setup', changes = {}) {
  const merged = {
    ...base[name],
    environment: { ...base[name].environment, ...withTls[name].environment },
  };
  const { MONGODB_URI_FILE, ...mounted } = secrets.mount(merged);
  const healthPort = await freePort();
  const env = {
    ...mounted,
    ...(MONGODB_URI_FILE ? { MONGODB_URI: process.env.TEST_MONGODB_URI } : {}),
    DATABASE_PREFIX: PREFIX,
    NATS_URL: `nats://${server.address}`,
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: String(healthPort),
    HOST: '127.0.0.1',
    ...changes,
  };
  const isBusSetup = name === 'bus-setup';
  const folder = name === 'gateway' ? name : `services/${isBusSetup ? 'notification' : name}`;
  const child = spawn(nodeProgram(), [isBusSetup ? 'dist/bus-setup.js' : 'bundle/main.js'], {
    cwd: path.join(ROOT, folder),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const running: Running = { child, printed: '', health: `http://127.0.0.1:${healthPort}/health` };
  child.stdout.on('data', (bytes) => (running.printed += bytes));
  started.push(running);
  return running;
}
const statusOf = (url: string, options: RequestInit = {}) =>
  fetch(url, { ...options, signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => 0,
  );
async function connections() {
  const answer = await fetch(`${server.monitor}/connz?state=any&limit=1000`);
  return ((await answer.json()) as { connections: { name?: string; tls_version?: string }[] }).connections;
}

async function waitFor(condition: () => boolean | Promise<boolean>) {
  if (await waitUntil(async () => condition(), WITHIN_MS)) return;
  throw new Error(`Waited in vain; the processes have printed:\n${started.map(({ printed }) => printed).join('\n')}`);
}

describe('compose.tls.yml', () => {
  it('mounts the CA for each process that connects to NATS, and the key for NATS only', () => {
    for (const name of speakers)
      expect(withTls[name]).toEqual({ environment: { NATS_TLS_CA: '/run/secrets/nats_ca' } });
    expect(Object.keys(withTls).sort()).toEqual(['nats', ...speakers].sort());
    expect(withTls.nats.command).toEqual(['nats-server', '--config', '/etc/nats/nats-tls.conf']);
    const seenBy = (name: string) => fs.readdirSync(path.join(secrets.folder, 'mounted', name));
    for (const name of speakers) expect(seenBy(name).filter((each) => each.startsWith('nats_c'))).toEqual(['nats_ca']);
    expect(seenBy('nats').sort()).toEqual(['nats_ca', 'nats_certificate', 'nats_certificate_key', 'nats_passwords']);
  });
});

describe('a bus with TLS', () => {
  it(
    'carries a request from the gateway to a service and back, and nothing without TLS',
    async () => {
      const port = await freePort();
      const processes = await Promise.all([
        start('bus-setup'),
        start('people'),
        start('gateway', { PORT: String(port) }),
      ]);
      for (const { health } of processes) await waitFor(async () => (await statusOf(health)) === 200);
      // An unknown key: without a reply of people the response would be 503.
      const headers = { authorization: `Bearer ${formatApiKey('test', newId('key'))}` };
      await waitFor(async () => (await statusOf(`http://127.0.0.1:${port}/v1/pools`, { headers })) === 401);
      const seen = await connections();
      expect(seen.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['gateway rpc', 'people rpc', 'people events', 'bus-setup events']),
      );
      // A connection that was refused before it named itself has no name.
      for (const { name, tls_version: version } of seen.filter((each) => each.name))
        expect([name, version]).toEqual([name, '1.3']);
      for (const { health } of processes) {
        const text = await (await fetch(health.replace('/health', '/metrics'))).text();
        const ends = text.matchAll(/^swim_certificate_ends_timestamp_seconds\{certificate="(\w+)"\} (\d+)$/gm);
        const days = [...ends].map(([, name, end]) => [name, Math.round((Number(end) - Date.now() / 1_000) / 86_400)]);
        expect(days).toEqual([
          ['nats_ca', 365],
          ['nats', 365],
        ]);
      }
    },
    TEST_WITHIN_MS,
  );

  it(
    'is rejected by a process with another CA, which logs why',
    async () => {
      const booking = await start('booking', { NATS_TLS_CA: fileOf(others, 'nats_ca') });
      await waitFor(() => booking.printed.includes('nats cannot be reached'));
      expect(JSON.parse(booking.printed.split('\n')[0]!)).toMatchObject({
        level: 'warn',
        service: 'booking',
        err: { code: expect.stringMatching(/CERT|VERIFY|ISSUER/) },
      });
      expect(await statusOf(booking.health)).not.toBe(200);
      expect((await connections()).filter(({ name }) => name?.startsWith('booking'))).toEqual([]);
    },
    TEST_WITHIN_MS,
  );
});

describe('a client', () => {
  const logger = createLogger('tests', 'silent');
  const credentials = { user: 'people-rpc', pass: secrets.read('nats_password_people') };
  const connect = async (address: string, caFile?: string) => {
    const tls = caFile && { tls: { caFile } };
    const options = { ...credentials, ...tls, waitOnFirstConnect: false, maxReconnectAttempts: 0 };
    const connection = await connectNats(`nats://${address}`, 'client', logger, options);
    await connection.close();
    return 'connected';
  };
  const ending = (attempt: Promise<string>) =>
    attempt.then(
      (word: string) => word,
      (error) => error.code ?? error.cause?.code ?? error.message,
    );

  it('with the CA connects', async () => {
    expect(await connect(server.address, fileOf(secrets, 'nats_ca'))).toBe('connected');
  });

  it('without the CA rejects the server', async () => {
    expect(await ending(connect(server.address))).toMatch(/CERT|VERIFY|ISSUER/);
  });

  it('connects by a new CA, and no longer by the former one, once the server has got the signal', async () => {
    const former = fs.readFileSync(fileOf(secrets, 'nats_ca'));
    makeCertificates(secrets);
    server.reload(secrets.read('nats_passwords'));
    const now = () => connect(server.address, fileOf(secrets, 'nats_ca')).catch((error) => error.code);
    expect(await waitUntil(async () => (await now()) === 'connected', WITHIN_MS)).toBe(true);
    fs.writeFileSync(fileOf(others, 'former_ca'), former);
    expect(await ending(connect(server.address, fileOf(others, 'former_ca')))).toMatch(/CERT|VERIFY|ISSUER/);
  });

  it(
    'rejects a certificate of that CA for another name',
    async () => {
      const stranger = await startConfiguredServer({
        passwords: secrets.read('nats_passwords'),
        certificates: others.folder,
      });
      expect(await ending(connect(stranger.address, fileOf(others, 'nats_ca')))).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
      await stranger.stop();
    },
    TEST_WITHIN_MS,
  );

  it('sends nothing to a server without TLS', async () => {
    let received = '';
    const plain = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => (received += bytes));
      socket.write(
        `INFO ${JSON.stringify({ server_id: 'x', version: '2.14.0', proto: 1, max_payload: 1_000_000 })}\r\n`,
      );
    });
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    const answer = await ending(
      connect(`127.0.0.1:${(plain.address() as AddressInfo).port}`, fileOf(secrets, 'nats_ca')),
    );
    expect([answer, received]).toEqual([expect.stringContaining("does not support 'tls'"), '']);
    plain.close();
  });
});
