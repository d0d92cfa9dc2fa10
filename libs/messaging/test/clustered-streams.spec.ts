import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { jetstream, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { createLogger, metrics } from '@swim/platform';
import { freePort, natsServer } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import { connectNats, StreamKeeper } from '../src/index.js';

jest.setTimeout(240_000);
const SERVERS = [0, 1, 2];
const silent = createLogger('tests', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'swim-nats-cluster-'));
const servers: ChildProcess[] = [];
let connection: Awaited<ReturnType<typeof connectNats>>;

beforeAll(async () => {
  const ports = await Promise.all(SERVERS.map(freePort));
  const routes = await Promise.all(SERVERS.map(freePort));
  for (const index of SERVERS) {
    const args = ['--server_name', `n${index}`, '--addr', '127.0.0.1', '--port', String(ports[index])];
    args.push('--jetstream', '--store_dir', join(folder, String(index)), '--cluster_name', 'tests');
    args.push('--cluster', `nats://127.0.0.1:${routes[index]}`);
    args.push('--routes', routes.map((port) => `nats://127.0.0.1:${port}`).join());
    servers.push(spawn(natsServer(), args, { stdio: 'ignore' }));
  }
  const url = ports.map((port) => `nats://127.0.0.1:${port}`).join();
  connection = await until(() => connectNats(url, 'tests', silent).catch(() => null), 'a server accepts clients');
});
afterAll(async () => {
  await connection?.close();
  for (const server of servers) server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const ensure = (replicas: number) =>
  until(
    () =>
      new StreamKeeper(connection, silent, undefined, replicas).ensure().then(
        () => true,
        () => false,
      ),
    `the streams have ${replicas} replicas`,
  );
const streams = async (): Promise<StreamInfo[]> => {
  const all = await (await jetstreamManager(connection)).streams.list().next();
  return all.toSorted((a, b) => a.config.name.localeCompare(b.config.name));
};

describe('streams with three replicas', () => {
  it('get them when they exist with one, all of them, and keep them at the next start', async () => {
    await ensure(1);
    expect((await streams()).map(({ config }) => config.num_replicas)).toEqual([1, 1, 1, 1, 1, 1]);
    await ensure(3);
    // What was raised, by a setting or by hand, is not lowered by a release that does not name it.
    await ensure(1);
    expect((await streams()).map(({ config }) => config.num_replicas)).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it('store an event while one of the servers is dead', async () => {
    const isCurrent = ({ cluster }: StreamInfo) => cluster?.replicas?.every(({ current }) => current) ?? false;
    await until(async () => (await streams()).every(isCurrent), 'the replicas have caught up');
    servers[2]!.kill('SIGKILL');
    // Its id makes the server store it once, even if an acknowledgement comes too late.
    const publish = () =>
      jetstream(connection)
        .publish('event.test.people.member.created.mem_1', '{}', { msgID: 'evt_1' })
        .catch(() => null);
    expect(await until(publish, 'the event is stored')).toMatchObject({ stream: 'EVENTS_TEST' });
    const measured = async () => {
      await ensure(3);
      const text = await metrics.metrics();
      return text.includes('swim_stream_replicas_missing{stream="EVENTS_TEST"} 1') ? text : null;
    };
    const text = await until(measured, 'the missing replica is measured');
    expect(text).toContain('swim_stream_messages{stream="EVENTS_TEST"} 1');
    expect(text).toContain('swim_consumer_waiting{stream="EVENTS_TEST",consumer="notification"} 1');
  });
});
