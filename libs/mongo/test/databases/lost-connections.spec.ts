import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUDGET_MS } from '@swim/platform';
import mongoose from 'mongoose';
import { ChaosProxy } from '../../../testing/src/faults/chaos-proxy.js';
import { CLIENT_OPTIONS, Databases } from '../../src/index.js';
import { type MongoHarness, silent, startHarness } from '../harness.js';

/** Parts of the driver that it does not export. */
interface Server {
  requestCheck(): void;
  monitor: { connection: { socket: Socket } };
  pool: { checkedOut: Set<{ socket: Socket }>; waitQueueSize: number };
}

function serverOf(client: mongoose.mongo.MongoClient): Server {
  const { topology } = client as unknown as { topology: { s: { servers: Map<string, Server> } } };
  return [...topology.s.servers.values()][0]!;
}

let harness: MongoHarness;
let databases: Databases;
let client: mongoose.mongo.MongoClient;
let server: Server;

beforeAll(async () => {
  harness = await startHarness();
  databases = new Databases(harness.config, 'people', silent, { addCheck: () => undefined } as never);
  await databases.onModuleInit();
  // Its looks would take connections beside those of the tests.
  databases.clock.stop();
  client = databases.connection.getClient();
  server = serverOf(client);
});
afterAll(async () => {
  await databases?.onApplicationShutdown();
  await harness?.stop();
});

describe('a socket to the database that is destroyed a moment before the driver writes to it', () => {
  it('is replaced by another one, over which the heartbeats go on', async () => {
    const failed = once(client, 'serverHeartbeatFailed');
    client.once('serverHeartbeatStarted', () => server.monitor.connection.socket.destroy());
    server.requestCheck();
    await failed;
    await once(client, 'serverHeartbeatSucceeded');
  });

  it('has one listener alone that ends what waits to be written, also with two clients in the process', async () => {
    const other = new Databases(harness.config, 'people', silent, { addCheck: () => undefined } as never);
    const before = server.monitor.connection.socket.listenerCount('close');
    await other.onModuleInit();
    const socket = serverOf(other.connection.getClient()).monitor.connection.socket;
    expect(socket.listenerCount('close')).toBe(before);
    await other.onApplicationShutdown();
  });

  it('has its operation fail at once, and its connection return to the pool', async () => {
    const notes = databases.ofDriver<{ _id: string }>('test', 'notes');
    client.once('connectionCheckedOut', () => [...server.pool.checkedOut][0]!.socket.destroy());
    await expect(notes.insertOne({ _id: 'lost' })).rejects.toThrow(/closed/);
    expect(server.pool.checkedOut.size).toBe(0);
    await notes.insertOne({ _id: 'next' });
    expect(await notes.find().toArray()).toEqual([{ _id: 'next' }]);
  });
});

describe('a command that the database does not answer', () => {
  let proxy: ChaosProxy;
  let impatient: mongoose.mongo.MongoClient;
  beforeAll(async () => {
    proxy = await ChaosProxy.before(harness.config.MONGODB_URI);
    impatient = new mongoose.mongo.MongoClient(proxy.uri, { ...CLIENT_OPTIONS, socketTimeoutMS: 500 });
    await impatient.connect();
  });
  afterAll(async () => {
    await impatient?.close();
    await proxy?.close();
  });

  it('fails once the request is over that sent it, and its connection is closed', async () => {
    expect(client.options).toMatchObject(CLIENT_OPTIONS);
    expect(CLIENT_OPTIONS.socketTimeoutMS).toBeGreaterThan(BUDGET_MS.write);
    const notes = impatient.db(databases.database('test').databaseName).collection<{ _id: string }>('notes');
    await notes.findOne();
    const closed = once(impatient, 'connectionClosed');
    proxy.disturb({ latencyMs: 3_000 });
    await expect(notes.insertOne({ _id: 'late' })).rejects.toThrow(/timed out/);
    await closed;
    expect(serverOf(impatient).pool.checkedOut.size).toBe(0);
    proxy.disturb({});
    expect(await notes.findOne({ _id: 'next' })).toEqual({ _id: 'next' });
  });
});
