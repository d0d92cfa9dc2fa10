import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountEvent, accountEvent, type InputOf, listEvents, type Page, type Principal } from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { aPrincipal, startHarness, type TestHarness, until } from '@swim/testing';
import { aHistory, anEvent, publish } from '../bus.js';
import { startHere } from '../in-process.js';

type ListInput = InputOf<typeof listEvents>;

let harness: TestHarness;
let service: RunningService;

const list = (principal: Principal, query: ListInput = {}): Promise<Page<AccountEvent>> =>
  harness.call(listEvents, query, { principal });
const total = async (principal: Principal, query: ListInput = {}) => (await list(principal, query)).pagination.total;
const listed = (principal: Principal, count: number) =>
  until(async () => (await total(principal)) >= count, `${count} events are listed`);
const sequences = ({ items }: Page<AccountEvent>) => items.map(({ sequence }) => sequence);
const descending = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);
const ascending = (from: number, to: number) => descending(to, from).reverse();

async function walk(
  principal: Principal,
  query: ListInput,
  between?: (page: number) => Promise<void>,
): Promise<AccountEvent[]> {
  const items: AccountEvent[] = [];
  let cursor: string | null | undefined;
  for (let page = 1; cursor !== null; page++) {
    const answer: Page<AccountEvent> = await list(principal, cursor ? { ...query, cursor } : query);
    items.push(...answer.items);
    cursor = answer.pagination.next_cursor;
    expect(answer.pagination.has_more).toBe(cursor !== null);
    await between?.(page);
  }
  return items;
}

beforeAll(async () => {
  harness = await startHarness();
  service = await startHere();
});
afterAll(async () => {
  await service?.stop();
  await harness?.stop();
});

describe('a listed event', () => {
  it('has exactly the public shape, with the request that caused it', async () => {
    const reader = aPrincipal();
    const event = anEvent({
      audience: [reader.accountId],
      type: 'booking.created',
      object: { id: 'bkg_1', status: 'confirmed', 'a.b': { $set: [1, null] } },
      cause: { requestId: newId('req'), idempotencyKey: 'order 7', actor: newId('key'), accountId: reader.accountId },
    });
    await publish(harness, [event]);
    await listed(reader, 1);
    const [item] = (await list(reader)).items;
    expect(item).toEqual({
      object: 'event',
      id: expect.stringMatching(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      type: 'booking.created',
      timestamp: event.occurredAt,
      sequence: 1,
      account_id: reader.accountId,
      api_version: 'v1',
      livemode: false,
      data: { object: { ...(event.object as object), object: 'booking' }, previous_attributes: null },
      request: { id: event.cause.requestId, idempotency_key: 'order 7' },
      actor: event.cause.actor,
    });
    expect(item!.id).not.toBe(event.id);
    expect(accountEvent.strict().safeParse(item).success).toBe(true);
  });

  it('of an update contains the former values of the changed fields; of the service’s own work it names no request', async () => {
    const reader = aPrincipal();
    const event = anEvent({
      audience: [reader.accountId],
      type: 'session.reminder',
      previous: { date: '2027-01-01T10:00:00.000Z' },
      cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: reader.accountId },
    });
    await publish(harness, [event], 'scheduling');
    await listed(reader, 1);
    const [item] = (await list(reader)).items;
    expect(item).toMatchObject({ request: null, actor: 'system' });
    expect(item!.data.previous_attributes).toEqual({ date: '2027-01-01T10:00:00.000Z' });
  });

  it('is a copy per account, with its own id and sequence', async () => {
    const [family, school] = [aPrincipal(), aPrincipal({ kind: 'school' })];
    await publish(harness, [anEvent({ audience: [school.accountId] })]);
    await listed(school, 1);
    const shared = anEvent({ audience: [family.accountId, school.accountId, family.accountId] });
    await publish(harness, [shared]);
    await Promise.all([listed(family, 1), listed(school, 2)]);
    const [ofFamily, ofSchool] = [(await list(family)).items, (await list(school)).items];
    expect(sequences(await list(family))).toEqual([1]);
    expect(sequences(await list(school))).toEqual([2, 1]);
    expect(ofFamily[0]!.id).not.toBe(ofSchool[0]!.id);
    expect(ofFamily[0]!.data).toEqual(ofSchool[0]!.data);
    expect(ofFamily[0]!.account_id).toBe(family.accountId);
  });

  it('may have a type that only a newer service knows', async () => {
    const reader = aPrincipal();
    await publish(harness, [anEvent({ audience: [reader.accountId], type: 'towel.dropped' })]);
    await listed(reader, 1);
    expect((await list(reader)).items[0]!.type).toBe('towel.dropped');
  });

  it('is never a ping', async () => {
    const reader = aPrincipal();
    const objectId = newId('bkg');
    await publish(harness, [
      anEvent({ audience: [reader.accountId], objectId, type: 'ping' }),
      anEvent({ audience: [reader.accountId], objectId, n: 2 }),
    ]);
    await listed(reader, 1);
    expect((await list(reader)).items.map(({ type, sequence }) => [type, sequence])).toEqual([['booking.created', 1]]);
    expect((await list(reader, { type: 'ping' })).items).toEqual([]);
  });

  it('has no copy for the audience public, and the object’s next event does not wait for it', async () => {
    const reader = aPrincipal();
    const objectId = newId('ins');
    await publish(harness, [
      anEvent({ audience: ['public'], objectId, type: 'instructor.created' }),
      anEvent({ audience: [], objectId, n: 2, type: 'instructor.updated' }),
      anEvent({ audience: ['public', reader.accountId], objectId, n: 3, type: 'instructor.updated' }),
    ]);
    await listed(reader, 1);
    expect(sequences(await list(reader))).toEqual([1]);
    expect(await harness.database('notification_test').collection('events').countDocuments({ account: 'public' })).toBe(
      0,
    );
  });
});

describe('the list', () => {
  const reader = aPrincipal();
  const COUNT = 53;

  beforeAll(async () => {
    await publish(harness, aHistory(COUNT, { audience: [reader.accountId] }));
    await listed(reader, COUNT);
  });

  it('is newest first, twenty per page, with the exact total', async () => {
    const page = await list(reader);
    expect(sequences(page)).toEqual(descending(53, 34));
    expect(page.pagination).toEqual({ has_more: true, next_cursor: expect.any(String), total: COUNT });
  });

  it('is paged by cursor, newest first, every event once', async () => {
    for (const limit of [1, 7, 53, 100]) {
      const items = await walk(reader, { limit });
      expect(items.map(({ sequence }) => sequence)).toEqual(descending(COUNT, 1));
    }
  });

  it('is paged in ascending order from a sequence, which may be given as text', async () => {
    const page = await list(reader, { after_sequence: '50' });
    expect(sequences(page)).toEqual([51, 52, 53]);
    expect(page.pagination).toEqual({ has_more: false, next_cursor: null, total: 3 });
    expect(sequences(await list(reader, { after_sequence: 0, limit: 3 }))).toEqual([1, 2, 3]);
    const items = await walk(reader, { after_sequence: 4, limit: 10 });
    expect(items.map(({ sequence }) => sequence)).toEqual(ascending(5, COUNT));
    expect((await list(reader, { after_sequence: 53 })).items).toEqual([]);
  });

  it('is paged by offset, and continues from there by cursor', async () => {
    const page = await list(reader, { offset: 50, limit: 2 });
    expect(sequences(page)).toEqual([3, 2]);
    expect(sequences(await list(reader, { limit: 2, cursor: page.pagination.next_cursor! }))).toEqual([1]);
    expect(sequences(await list(reader, { after_sequence: 10, offset: 5, limit: 1 }))).toEqual([16]);
    expect(await list(reader, { offset: 53 })).toEqual({
      items: [],
      pagination: { has_more: false, next_cursor: null, total: COUNT },
    });
  });

  it('loses and repeats nothing while events arrive between pages', async () => {
    const busy = aPrincipal();
    await publish(harness, aHistory(20, { audience: [busy.accountId] }));
    await listed(busy, 20);
    const more = async (page: number) => {
      if (page !== 2) return;
      await publish(harness, aHistory(5, { audience: [busy.accountId] }));
      await listed(busy, 25);
    };
    const downwards = await walk(busy, { limit: 6 }, more);
    expect(downwards.map(({ sequence }) => sequence)).toEqual(descending(20, 1));
    const evenMore = async (page: number) => {
      if (page !== 2) return;
      await publish(harness, aHistory(5, { audience: [busy.accountId] }));
      await listed(busy, 30);
    };
    const upwards = await walk(busy, { limit: 6, after_sequence: 0 }, evenMore);
    expect(upwards.map(({ sequence }) => sequence)).toEqual(ascending(1, 30));
  });

  it('ends a page early when its events are large', async () => {
    const large = aPrincipal();
    const object = { text: 'x'.repeat(200_000) };
    await publish(
      harness,
      aHistory(7, { audience: [large.accountId] }).map((event) => ({ ...event, object })),
    );
    await listed(large, 7);
    const page = await list(large, { limit: 7 });
    expect(sequences(page)).toEqual([7, 6]);
    expect(page.pagination).toMatchObject({ has_more: true, total: 7 });
    expect(sequences(await list(large, { limit: 4 }))).toEqual([7, 6]);
    expect((await walk(large, { limit: 7 })).map(({ sequence }) => sequence)).toEqual(descending(7, 1));
    const one = aPrincipal();
    await publish(harness, [anEvent({ audience: [one.accountId], object: { text: 'x'.repeat(900_000) } })]);
    await listed(one, 1);
    expect(sequences(await list(one))).toEqual([1]);
  });
});
