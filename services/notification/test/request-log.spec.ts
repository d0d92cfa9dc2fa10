import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  eraseEventsOfAccount,
  getRequest,
  type InputOf,
  listEvents,
  listRequests,
  type Principal,
  type RecordedRequest,
  recordRequests,
  resetEvents,
} from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { newId, timeOfId } from '@swim/platform';
import { aPrincipal, FakeClock, rejectionOf, startHarness, type TestHarness, until } from '@swim/testing';
import { anEvent, publish } from './bus.js';
import { startHere, untilDone } from './in-process.js';

const DAY_MS = 24 * 3_600_000;

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

const gateway = (env: Principal['env']) => ({ principal: aPrincipal({ accountId: 'gateway', keyId: 'gateway', env }) });

/** An entry of an account: by default a successful list of sessions by a key. */
const anEntry = ({ accountId }: Principal, fields: Partial<RecordedRequest> = {}): RecordedRequest => ({
  id: newId('rlog'),
  account_id: accountId,
  request_id: newId('req'),
  method: 'GET',
  path: '/v1/sessions',
  query: {},
  status: 200,
  reason: null,
  duration_ms: 1.5,
  key_id: newId('key'),
  user_id: null,
  network: '192.0.2.0/24',
  ...fields,
});
const record = (entries: RecordedRequest[], env: Principal['env'] = 'test') =>
  harness.call(recordRequests, { answeredRequests: entries }, gateway(env));
const list = async (principal: Principal, query: InputOf<typeof listRequests> = {}) =>
  harness.call(listRequests, query, { principal });
const idsOf = async (principal: Principal, query: InputOf<typeof listRequests> = {}) =>
  (await list(principal, query)).items.map(({ id }) => id);

const stored = () => harness.database('notification_test').collection('request_log');

describe('the request log', () => {
  it('answers an account its own entries of the environment, newest first', async () => {
    const [reader, other] = [aPrincipal(), aPrincipal()];
    const [first, second] = [anEntry(reader, { query: { limit: '5', 'a.b': '$x' } }), anEntry(reader)];
    await record([first, second, anEntry(other)]);
    await record([anEntry(reader)], 'live');
    expect(await idsOf(reader)).toEqual([second.id, first.id]);
    const { account_id: _, ...fields } = first;
    expect(await harness.call(getRequest, { request_log_id: first.id }, { principal: reader })).toEqual({
      ...fields,
      object: 'request_log_entry',
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it('stores an entry once that a gateway hands over again', async () => {
    const reader = aPrincipal();
    const entries = [anEntry(reader), anEntry(reader)];
    await record(entries);
    await record([...entries, anEntry(reader)]);
    expect((await list(reader)).pagination.total).toBe(3);
  });

  it('filters by status, method, beginning of the path, request, key, user and kind of requester', async () => {
    const reader = aPrincipal();
    const user = newId('usr');
    const read = anEntry(reader, { path: '/v1/bookings' });
    const created = anEntry(reader, { method: 'POST', status: 201, path: '/v1/bookings' });
    const rejected = anEntry(reader, { method: 'POST', status: 409, path: '/v1/sessions', reason: 'instructor_busy' });
    const byUser = anEntry(reader, { key_id: null, user_id: user, path: `/v1/bookings/${newId('bkg')}` });
    await record([read, created, rejected, byUser]);
    expect(await idsOf(reader, { status: '4xx' })).toEqual([rejected.id]);
    expect(await idsOf(reader, { status: '201,409' })).toEqual([rejected.id, created.id]);
    expect(await idsOf(reader, { method: 'POST' })).toEqual([rejected.id, created.id]);
    expect(await idsOf(reader, { path: '/v1/bookings/' })).toEqual([byUser.id]);
    expect(await idsOf(reader, { path: '/v1/.ookings' })).toEqual([]);
    expect(await idsOf(reader, { request_id: read.request_id })).toEqual([read.id]);
    expect(await idsOf(reader, { key_id: created.key_id! })).toEqual([created.id]);
    expect(await idsOf(reader, { user_id: user })).toEqual([byUser.id]);
    expect(await idsOf(reader, { requester: 'user' })).toEqual([byUser.id]);
    expect(await idsOf(reader, { requester: 'key', path: '/v1/b' })).toEqual([created.id, read.id]);
  });

  it('is empty for a range that ends before 1970', async () => {
    const reader = aPrincipal();
    await record([anEntry(reader)]);
    expect(await idsOf(reader, { date_from: '0113-09-11', date_to: '0502-07-11' })).toEqual([]);
    expect(await idsOf(reader, { date_from: '0113-09-11' })).toHaveLength(1);
  });

  it('is read page by page with a cursor', async () => {
    const reader = aPrincipal();
    const entries = Array.from({ length: 5 }, () => anEntry(reader));
    await record(entries);
    const first = await list(reader, { limit: 3 });
    expect(first.pagination).toMatchObject({ total: 5, has_more: true });
    expect(await idsOf(reader, { limit: 3, cursor: first.pagination.next_cursor! })).toEqual([
      entries[1]!.id,
      entries[0]!.id,
    ]);
  });

  it('is 404 for the entry of another account, and for an unknown one', async () => {
    const entry = anEntry(aPrincipal());
    await record([entry]);
    for (const id of [entry.id, newId('rlog')]) {
      const request = harness.call(getRequest, { request_log_id: id }, { principal: aPrincipal() });
      expect((await rejectionOf(request)).reason).toBe('resource_not_found');
    }
  });

  it('leads to the events that a request caused', async () => {
    const reader = aPrincipal();
    const entry = anEntry(reader);
    await record([entry]);
    const cause = { requestId: entry.request_id, idempotencyKey: null, actor: 'key', accountId: reader.accountId };
    const audience = [reader.accountId];
    await publish(harness, [
      anEvent({ audience }),
      anEvent({ audience, cause }),
      anEvent({ audience: ['other'], cause }),
    ]);
    const eventsOf = async () =>
      (await harness.call(listEvents, { request_id: entry.request_id }, { principal: reader })).items;
    const [event, ...more] = await until(async () => {
      const found = await eventsOf();
      return found.length > 0 ? found : null;
    }, 'the event is listed');
    expect(event!.request!.id).toBe(entry.request_id);
    expect(more).toEqual([]);
  });
});

describe('an entry of the request log after seven days', () => {
  it('is not answered, and is removed', async () => {
    const reader = aPrincipal();
    const entry = anEntry(reader);
    await record([entry]);
    clock.advance(6.9 * DAY_MS);
    expect(await idsOf(reader)).toEqual([entry.id]);
    clock.advance(0.2 * DAY_MS);
    expect(await idsOf(reader)).toEqual([]);
    expect(await idsOf(reader, { date_from: '2020-01-01' })).toEqual([]);
    const request = harness.call(getRequest, { request_log_id: entry.id }, { principal: reader });
    expect((await rejectionOf(request)).reason).toBe('resource_not_found');
    const isRemoved = async () => (await stored().countDocuments({ _id: entry.id as never })) === 0;
    await until(isRemoved, 'the entry is removed');
  });
});

describe('the request log of an account that is erased', () => {
  it('is removed, and gets no entries any more', async () => {
    const [erased, other] = [aPrincipal(), aPrincipal()];
    const kept = anEntry(other);
    await record([anEntry(erased), kept]);
    await untilDone(() => harness.call(eraseEventsOfAccount, { accountId: erased.accountId }, {}));
    const late = anEntry(other);
    await record([anEntry(erased), late]);
    expect(await stored().countDocuments({ readers: erased.accountId })).toBe(0);
    expect(await idsOf(other)).toEqual([late.id, kept.id]);
  });
});

describe('the request log of a test account that is reset', () => {
  it('has only what was answered after the reset began', async () => {
    const reader = aPrincipal();
    const before = anEntry(reader);
    const begun = await until(() => {
      const now = timeOfId(newId('rlog'));
      return now > timeOfId(before.id) ? now : null;
    }, 'the next millisecond begins');
    const after = anEntry(reader);
    await record([before, after]);
    await untilDone(() =>
      harness.call(resetEvents, { accountId: reader.accountId, before: begun.toISOString(), phase: 'empty' }, {}),
    );
    expect(await idsOf(reader)).toEqual([after.id]);
  });
});
