import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  eraseEventsOfAccount,
  getUsage,
  type InputOf,
  type Principal,
  recordUsage,
  resetEvents,
  type UsageCount,
} from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { aPrincipal, FakeClock, rejectionOf, startHarness, type TestHarness, until } from '@swim/testing';
import { startHere, untilDone } from './in-process.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let harness: TestHarness;
let clock: FakeClock;
let service: RunningService | undefined;

beforeAll(async () => {
  harness = await startHarness();
  process.env.PURGE_INTERVAL_SECONDS = '1';
});
beforeEach(async () => {
  clock = new FakeClock();
  service = await startHere(clock);
});
afterEach(async () => {
  await service?.stop();
});
afterAll(() => harness?.stop());

const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS).toISOString();
/** The hour that passes. */
const thisHour = () => hourOf(clock.now());

/** A count of an account, by default of five requests of a new key in the hour that passes. */
const aCount = ({ accountId }: Principal, fields: Partial<UsageCount> = {}): UsageCount => ({
  id: newId('usc'),
  account_id: accountId,
  key_id: newId('key'),
  hour: thisHour(),
  requests: 5,
  client_errors: 2,
  server_errors: 1,
  limited: 3,
  ...fields,
});
const record = (counts: UsageCount[], env: Principal['env'] = 'test') =>
  harness.call(
    recordUsage,
    { usageCounts: counts },
    { principal: aPrincipal({ accountId: 'gateway', keyId: 'gateway', env }) },
  );
const usageOf = (principal: Principal, query: InputOf<typeof getUsage> = {}) =>
  harness.call(getUsage, query, { principal });
const totalOf = async (principal: Principal, query: InputOf<typeof getUsage> = {}) =>
  (await usageOf(principal, query)).totals.requests;
const stored = () => harness.database('notification_test').collection('usage_counts');

describe('the usage of an account', () => {
  it('has every hour of the last 24, with the sums of all keys and gateways of its environment', async () => {
    const [reader, other] = [aPrincipal(), aPrincipal()];
    const before = hourOf(new Date(clock.now().getTime() - 3 * HOUR_MS));
    await record([
      aCount(reader),
      aCount(reader, { requests: 7, client_errors: 0, server_errors: 4, limited: 0 }),
      aCount(reader, { hour: before, requests: 1, client_errors: 1, server_errors: 0, limited: 0 }),
      aCount(other),
    ]);
    await record([aCount(reader)], 'live');
    const { date_from, date_to, hours, totals } = await usageOf(reader);
    expect(hours).toHaveLength(24);
    expect(hours.at(-1)).toEqual({
      start: thisHour(),
      requests: 12,
      client_errors: 2,
      server_errors: 5,
      limited: 3,
    });
    expect(hours.find(({ start }) => start === before)).toMatchObject({ requests: 1, client_errors: 1 });
    expect(totals).toEqual({ requests: 13, client_errors: 3, server_errors: 5, limited: 3 });
    expect([date_from, Date.parse(date_to) - Date.parse(date_from)]).toEqual([hours[0]!.start, DAY_MS]);
  });

  it('counts a state of a gateway once that is handed over again, late, or beside a new one', async () => {
    const reader = aPrincipal();
    const [first, second] = [aCount(reader), aCount(reader)];
    const grown = { ...first, requests: 9, limited: 4 };
    await record([first]);
    await record([grown, second]);
    await record([first, second]);
    expect((await usageOf(reader)).totals).toMatchObject({ requests: 14, limited: 7 });
  });

  it('has the highest of states that arrive at once', async () => {
    const reader = aPrincipal();
    const count = aCount(reader);
    const states = Array.from({ length: 8 }, (_, index) => ({ ...count, requests: 5 + index }));
    await Promise.all(states.map((state) => record([state, aCount(reader, { requests: 1 })])));
    expect(await totalOf(reader)).toBe(12 + 8);
  });

  it('is of one key where that is requested', async () => {
    const reader = aPrincipal();
    const count = aCount(reader);
    await record([count, aCount(reader)]);
    expect(await totalOf(reader, { key_id: count.key_id })).toBe(5);
    expect(await totalOf(reader, { key_id: newId('key') })).toBe(0);
  });

  it('is of the hours that a range touches', async () => {
    const reader = aPrincipal();
    const hour = hourOf(new Date(clock.now().getTime() - 2 * DAY_MS));
    await record([aCount(reader, { hour }), aCount(reader)]);
    const within = new Date(Date.parse(hour) + HOUR_MS / 2).toISOString();
    const { hours } = await usageOf(reader, { date_from: within, date_to: within });
    expect(hours.map(({ start, requests }) => [start, requests])).toEqual([[hour, 5]]);
    expect((await usageOf(reader, { date_from: '2020-01-01' })).hours).toHaveLength(7 * 24);
    expect(await usageOf(reader, { date_from: '2020-01-01', date_to: '2020-02-01' })).toMatchObject({
      hours: [],
      totals: { requests: 0 },
    });
  });

  it('rejects a range that ends before it begins: range_reversed', async () => {
    const request = usageOf(aPrincipal(), { date_from: '2027-03-02', date_to: '2027-03-01' });
    expect((await rejectionOf(request)).reason).toBe('range_reversed');
  });
});

describe('the usage after seven days', () => {
  it('is not answered, and is removed', async () => {
    const reader = aPrincipal();
    const count = aCount(reader);
    await record([count]);
    clock.advance(7 * DAY_MS - HOUR_MS);
    expect(await totalOf(reader, { date_from: '2020-01-01' })).toBe(5);
    clock.advance(2 * HOUR_MS);
    expect(await totalOf(reader, { date_from: '2020-01-01' })).toBe(0);
    const isRemoved = async () => (await stored().countDocuments({ _id: count.id as never })) === 0;
    await until(isRemoved, 'the count is removed');
  });
});

describe('the usage of an account that is erased', () => {
  it('is removed, and is not counted any more', async () => {
    const [erased, other] = [aPrincipal(), aPrincipal()];
    await record([aCount(erased), aCount(other)]);
    await untilDone(() => harness.call(eraseEventsOfAccount, { accountId: erased.accountId }, {}));
    await record([aCount(erased), aCount(other)]);
    expect(await stored().countDocuments({ readers: erased.accountId })).toBe(0);
    expect(await totalOf(other)).toBe(10);
  });
});

describe('the usage of a test account that is reset', () => {
  it('stays: its limits are used as before', async () => {
    const reader = aPrincipal();
    await record([aCount(reader)]);
    const before = clock.now().toISOString();
    await untilDone(() => harness.call(resetEvents, { accountId: reader.accountId, before, phase: 'empty' }, {}));
    expect(await totalOf(reader)).toBe(5);
  });
});
