import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  closeEventStreams,
  MOST_EVENT_STREAMS,
  openEventStream,
  type Principal,
  readEvents,
  renewEventStreams,
  type StreamLease,
} from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { EventSignals } from '@swim/messaging';
import { aPrincipal, rejectionOf, startHarness, type TestHarness, until, updateAll } from '@swim/testing';
import { aHistory, anEvent, publish } from '../bus.js';
import { startHere } from '../in-process.js';

let harness: TestHarness;
let service: RunningService;

beforeAll(async () => {
  harness = await startHarness();
  service = await startHere();
});
afterAll(async () => {
  await service?.stop();
  await harness?.stop();
});

const open = (principal: Principal, last_event_id?: number) =>
  harness.call(openEventStream, last_event_id === undefined ? {} : { last_event_id }, { principal });
const openAll = (principal: Principal, count: number) =>
  Promise.all(Array.from({ length: count }, () => open(principal)));
const renew = async (principal: Principal, ...streamLeases: StreamLease[]) =>
  (await harness.call(renewEventStreams, { streamLeases }, { principal })).lost;
const close = (principal: Principal, ...streamLeases: StreamLease[]) =>
  harness.call(closeEventStreams, { streamLeases }, { principal });
const read = (principal: Principal, afterSequence: number) =>
  harness.call(readEvents, { afterSequence }, { principal });
const stored = () => harness.database('notification_test').collection<{ _id: string }>('event_streams');
const lapse = (accountId: string) => updateAll(stored(), { accountId }, { until: new Date(1) });

/** A principal whose account has as many events. */
async function withEvents(count: number): Promise<Principal> {
  const principal = aPrincipal();
  await publish(harness, aHistory(count, { audience: [principal.accountId] }));
  await until(async () => (await read(principal, count - 1)).events.length === 1, `${count} events are stored`);
  return principal;
}

describe('opening a stream', () => {
  it('begins after the newest event, or after the one that the client has', async () => {
    const principal = await withEvents(3);
    expect((await open(principal)).position).toBe(3);
    expect((await open(principal, 1)).position).toBe(1);
    expect((await open(principal, 0)).position).toBe(0);
    expect((await open(principal, 3)).position).toBe(3);
  });

  it('rejects a sequence of the future, and that of another account: out_of_range', async () => {
    const [principal, other] = [await withEvents(1), await withEvents(5)];
    expect(await rejectionOf(open(principal, 5))).toMatchObject({
      reason: 'out_of_range',
      details: { field: 'Last-Event-ID', maximum: 1 },
    });
    expect((await open(other, 5)).position).toBe(5);
  });

  it('gives 20 of an account a place, however many are opened at once, and rejects the rest: limit_reached', async () => {
    const principal = aPrincipal();
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => open(principal)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MOST_EVENT_STREAMS);
    expect(await stored().countDocuments({ accountId: principal.accountId })).toBe(MOST_EVENT_STREAMS);
    expect(await rejectionOf(open(principal))).toMatchObject({ reason: 'limit_reached', details: { maximum: 20 } });
    await open(aPrincipal());
    await open({ ...principal, env: 'live' });
  });

  it('takes the place of a stream that was closed', async () => {
    const principal = aPrincipal();
    const [first] = await openAll(principal, MOST_EVENT_STREAMS);
    await close(principal, first!.lease);
    expect((await open(principal)).lease.slot).toBe(first!.lease.slot);
  });

  it('takes the places of streams that were not renewed, one each', async () => {
    const principal = aPrincipal();
    await openAll(principal, MOST_EVENT_STREAMS);
    await lapse(principal.accountId);
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => open(principal)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MOST_EVENT_STREAMS);
  });
});

describe('the place of a stream', () => {
  it('is kept by renewing, also after its lease has lapsed, until another stream takes it', async () => {
    const principal = aPrincipal();
    const all = (await openAll(principal, MOST_EVENT_STREAMS)).map(({ lease }) => lease);
    await lapse(principal.accountId);
    expect(await renew(principal, ...all)).toEqual([]);
    expect((await rejectionOf(open(principal))).reason).toBe('limit_reached');
    await lapse(principal.accountId);
    const { lease } = await open(principal);
    const loser = all.find(({ slot }) => slot === lease.slot)!;
    expect(await renew(principal, ...all, lease)).toEqual([loser.token]);
  });

  it('is not released by the stream that had it before', async () => {
    const principal = aPrincipal();
    const [former] = await openAll(principal, MOST_EVENT_STREAMS);
    await stored().updateOne({ _id: `${principal.accountId}.${former!.lease.slot}` }, { $set: { until: new Date(1) } });
    const { lease } = await open(principal);
    await close(principal, former!.lease);
    expect(await renew(principal, lease)).toEqual([]);
  });
});

describe('reading for a stream', () => {
  it('answers the events of the account after a sequence, oldest first, page by page', async () => {
    const principal = await withEvents(60);
    await withEvents(3);
    const first = await read(principal, 2);
    expect(first.events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, index) => index + 3));
    expect(first.events.every(({ account_id }) => account_id === principal.accountId)).toBe(true);
    expect(first.hasMore).toBe(true);
    const second = await read(principal, 52);
    expect(second).toMatchObject({ hasMore: false, events: { length: 8 } });
    expect(await read(principal, 60)).toEqual({ events: [], hasMore: false });
  });
});

describe('a stored event', () => {
  it('is signalled to those who watch its account, and to nobody else', async () => {
    const [principal, other] = [aPrincipal(), aPrincipal()];
    const signals = new EventSignals(harness.connection);
    const seen: string[] = [];
    signals.watch('test', principal.accountId, () => seen.push('own'));
    signals.watch('live', principal.accountId, () => seen.push('live'));
    const closed = signals.watch('test', principal.accountId, () => seen.push('closed'));
    closed.close();
    signals.watch('test', other.accountId, () => seen.push('other'));
    await harness.connection.flush();
    await publish(harness, [anEvent({ audience: [principal.accountId] })]);
    await until(() => seen.length > 0, 'the event is signalled');
    expect((await read(principal, 0)).events).toHaveLength(1);
    expect(new Set(seen)).toEqual(new Set(['own']));
  });
});
