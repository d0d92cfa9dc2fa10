import { describe, expect, it } from '@jest/globals';
import { AppError } from '@swim/platform';
import mongoose from 'mongoose';
import { isDuplicate } from '../commands/conditional-writes.js';
import { explainStorageFault } from './storage-fault.js';

const { mongo } = mongoose;
const said = (errmsg: string, code: number) => new mongo.MongoServerError({ ok: 0, errmsg, code });
const acquiring = (method: string, rest: string) =>
  `msg_${method}.go:95 (handler.(*Handler).msg): pool.go:142 (documentdb.(*Pool).Acquire): ${rest}`;
const unavailable = { reason: 'unavailable', code: 'SERVER_ERROR', retryAfterSeconds: 1 };

describe('a storage failure', () => {
  // Messages of an engine whose PostgreSQL was killed, stopped and restarted under load, and from its sources.
  it.each([
    'the database system is not yet accepting connections',
    'the database system is starting up',
    'the database system is shutting down',
    'the database system is in recovery mode',
    'terminating connection due to unexpected postmaster exit',
    'terminating connection due to administrator command',
    'terminating connection because of crash of another server process',
    'sorry, too many clients already',
    'remaining connection slots are reserved for roles with the SUPERUSER attribute',
    'unexpected EOF',
    'conn closed',
    'write tcp 127.0.0.1:1->127.0.0.1:2: write: broken pipe',
    'read tcp 127.0.0.1:1->127.0.0.1:2: read: connection reset by peer',
    'failed to connect to `user=postgres database=postgres`: 127.0.0.1:5 (127.0.0.1): dial error: dial tcp: connect: connection refused',
    acquiring('insert', 'failed to connect to `user=postgres database=postgres`: tls error: read: connection reset'),
    acquiring('find', 'context deadline exceeded'),
    'FATAL: cannot connect now (SQLSTATE 57P03)',
    'could not extend file (SQLSTATE 53100)',
    'deadlock detected',
    'connection failure (SQLSTATE 08006)',
  ])('that says "%s" is unavailable, under whatever code', (errmsg) => {
    for (const code of [1, 8, 96]) expect(explainStorageFault(said(errmsg, code))).toMatchObject(unavailable);
  });

  it('with an engine’s internal code is unavailable, whatever its message', () => {
    expect(explainStorageFault(said('something that nobody has read yet', 1))).toMatchObject(unavailable);
  });

  it.each([91, 189, 9001, 10_107, 11_600, 11_602, 13_436])('with MongoDB’s code %i is unavailable', (code) => {
    expect(explainStorageFault(said('node is going away', code))).toMatchObject(unavailable);
  });

  it('of the network is unavailable, also as the cause of another error', () => {
    const reset = new mongo.MongoNetworkError('connection 3 to 127.0.0.1:27017 closed');
    expect(explainStorageFault(reset)).toMatchObject(unavailable);
    expect(explainStorageFault(new mongo.MongoServerSelectionError('away', {} as never))).toMatchObject(unavailable);
    expect(explainStorageFault(new Error('could not read', { cause: reset }))).toMatchObject(unavailable);
  });

  it('of a socket, which the driver does not always wrap, is unavailable, also for a whole batch', () => {
    const broken = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET', syscall: 'write' });
    expect(explainStorageFault(broken)).toMatchObject(unavailable);
    const batch = new mongo.MongoBulkWriteError(broken as never, {} as never);
    expect(explainStorageFault(batch)).toMatchObject(unavailable);
    const file = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' });
    expect(explainStorageFault(file)).toBeNull();
  });

  it('to get a connection in time is overloaded, which opens no circuit', () => {
    const late = Object.assign(new Error('Timed out while checking out a connection'), {
      name: 'MongoWaitQueueTimeoutError',
    });
    expect(explainStorageFault(late)).toMatchObject({ reason: 'overloaded', retryAfterSeconds: 1 });
  });

  it('caused by our own mistake is neither', () => {
    for (const [errmsg, code] of [
      ['unknown operator: $nope', 2],
      ['E11000 duplicate key error', 11_000],
    ] as const)
      expect(explainStorageFault(said(errmsg, code))).toBeNull();
    expect(explainStorageFault(new TypeError('x of undefined'))).toBeNull();
    expect(explainStorageFault(new AppError('not_found'))).toBeNull();
    expect(explainStorageFault('the database system is starting up')).toBeNull();
  });
});

describe('a batch of inserts of which some met a duplicate', () => {
  it('has no other fault only if each of its errors is a duplicate', () => {
    const batch = (...codes: number[]) =>
      Object.assign(new mongo.MongoServerError({ code: codes[0] }), { writeErrors: codes.map((code) => ({ code })) });
    expect(isDuplicate(batch(11_000, 11_000))).toBe(true);
    expect(isDuplicate(batch(11_000, 1))).toBe(false);
  });
});
