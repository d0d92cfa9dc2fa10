import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountEvent, getEvent, type InputOf, listEvents, type Page, type Principal } from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { aPrincipal, rejectionOf, startHarness, type TestHarness, until } from '@swim/testing';
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

beforeAll(async () => {
  harness = await startHarness();
  service = await startHere();
});
afterAll(async () => {
  await service?.stop();
  await harness?.stop();
});

describe('one event', () => {
  it('is answered by its id as in the list, to its account alone: resource_not_found', async () => {
    const [reader, other] = [aPrincipal(), aPrincipal()];
    await publish(harness, [anEvent({ audience: [reader.accountId] })]);
    await listed(reader, 1);
    const [event] = (await list(reader)).items;
    const get = (principal: Principal, event_id: string) => harness.call(getEvent, { event_id }, { principal });
    expect(await get(reader, event!.id)).toEqual(event);
    expect((await rejectionOf(get(other, event!.id))).reason).toBe('resource_not_found');
    expect((await rejectionOf(get(reader, newId('evt')))).reason).toBe('resource_not_found');
  });
});

describe('the filters', () => {
  const reader = aPrincipal();
  const [first, second] = [newId('bkg'), newId('ses')];
  const day = (n: number) => `2026-03-0${n}T12:00:00.000Z`;

  beforeAll(async () => {
    const seed = { audience: [reader.accountId] };
    const events = [
      anEvent({ ...seed, objectId: first, occurredAt: day(1) }),
      anEvent({ ...seed, objectId: first, n: 2, type: 'booking.confirmed', occurredAt: day(2) }),
      anEvent({ ...seed, objectId: second, type: 'session.created', occurredAt: day(3) }),
      anEvent({ ...seed, objectId: first, n: 3, type: 'booking.cancelled', occurredAt: day(4) }),
    ];
    // Events of different objects may be stored in any order, so each is waited for.
    for (const [index, event] of events.entries()) {
      await publish(harness, [event]);
      await listed(reader, index + 1);
    }
  });

  it('return the events of the requested type, object or time, and count them exactly', async () => {
    const cases: [ListInput, number[]][] = [
      [{ type: 'booking.confirmed' }, [2]],
      [{ type: 'booking.expired' }, []],
      [{ type: 'booking.confirmed,session.created' }, [3, 2]],
      [{ object_id: first }, [4, 2, 1]],
      [{ object_id: second }, [3]],
      [{ object_id: 'nothing' }, []],
      [{ date_from: day(2) }, [4, 3, 2]],
      [{ date_from: '2026-03-02T12:00:00.001Z' }, [4, 3]],
      [{ date_to: day(2) }, [1]],
      [{ date_to: '2026-03-02T12:00:00.001Z' }, [2, 1]],
      [{ date_from: day(2), date_to: day(4) }, [3, 2]],
      [{ date_from: '2026-03-03T01:00:00+13:00' }, [4, 3, 2]],
      [{ date_from: '2026-03-03' }, [4, 3]],
      [{ date_to: '2026-03-03' }, [2, 1]],
      [{ object_id: first, after_sequence: 1 }, [2, 4]],
      [{ object_id: first, type: 'booking.cancelled', date_from: day(1), date_to: day(5), after_sequence: 0 }, [4]],
    ];
    for (const [query, expected] of cases) {
      const page = await list(reader, query);
      expect([query, sequences(page), page.pagination.total]).toEqual([query, expected, expected.length]);
    }
  });

  it('reject invalid values, naming the field', async () => {
    const cases: [Record<string, unknown>, string, string][] = [
      [{ type: 'booking.exploded' }, 'type', 'invalid_value'],
      [{ type: '' }, 'type', 'invalid_value'],
      [{ type: 'booking.created,' }, 'type', 'invalid_value'],
      [{ object_id: 'x'.repeat(65) }, 'object_id', 'too_long'],
      [{ object_id: '' }, 'object_id', 'too_short'],
      [{ object_id: { $ne: null } }, 'object_id', 'invalid_type'],
      [{ date_from: 'yesterday' }, 'date_from', 'invalid_format'],
      [{ date_to: '2026-02-30' }, 'date_to', 'invalid_date'],
      [{ date_from: day(4), date_to: day(2) }, 'date_to', 'range_reversed'],
      [{ date_from: '2026-03-01T10:00:00' }, 'date_from', 'offset_required'],
      [{ after_sequence: '-1' }, 'after_sequence', 'out_of_range'],
      [{ after_sequence: '1e2' }, 'after_sequence', 'out_of_range'],
      [{ after_sequence: '1.5' }, 'after_sequence', 'out_of_range'],
      [{ after_sequence: '9'.repeat(16) }, 'after_sequence', 'out_of_range'],
      [{ limit: '101' }, 'limit', 'out_of_range'],
      [{ offset: '10001' }, 'offset', 'out_of_range'],
      [{ cursor: 'x', offset: 1 }, 'cursor', 'mutually_exclusive'],
      [{ colour: 'red' }, 'colour', 'unknown_field'],
    ];
    for (const [query, field, reason] of cases) {
      const { details } = await rejectionOf(list(reader, query as ListInput));
      expect([query, details.field, details.reason]).toEqual([query, field, reason]);
    }
  });
});

describe('a cursor', () => {
  it('is rejected when modified, under other filters, by another account or in the other direction', async () => {
    const [reader, other] = [aPrincipal(), aPrincipal()];
    await publish(harness, aHistory(4, { audience: [reader.accountId, other.accountId] }));
    await Promise.all([listed(reader, 4), listed(other, 4)]);
    const cursor = (await list(reader, { limit: 1 })).pagination.next_cursor!;
    expect(sequences(await list(reader, { limit: 1, cursor }))).toEqual([3]);
    const flipped = (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1);
    const rejected: [Principal, ListInput][] = [
      [reader, { cursor: flipped }],
      [reader, { cursor: 'junk' }],
      [reader, { cursor, type: 'booking.created' }],
      [reader, { cursor, after_sequence: 0 }],
      [other, { cursor }],
      [{ ...reader, env: 'live' }, { cursor }],
    ];
    for (const [principal, query] of rejected) {
      const error = await rejectionOf(list(principal, query));
      expect(error).toMatchObject({ reason: 'invalid_cursor', details: { field: 'cursor' } });
    }
  });
});

describe('another account', () => {
  it('sees none of these events, by any filter', async () => {
    const [owner, stranger] = [aPrincipal(), aPrincipal()];
    const event = anEvent({ audience: [owner.accountId] });
    await publish(harness, [event]);
    await listed(owner, 1);
    for (const query of [
      {},
      { object_id: event.objectId },
      { after_sequence: 0 },
      { type: 'booking.created' as const },
    ]) {
      expect(await total(stranger, query)).toBe(0);
      expect((await list(stranger, query)).items).toEqual([]);
    }
  });

  it('or a live key of the same account sees its own events only, counted separately', async () => {
    const test = aPrincipal();
    const live: Principal = { ...test, env: 'live' };
    await publish(harness, [
      anEvent({ audience: [test.accountId] }),
      anEvent({ audience: [test.accountId], env: 'live', type: 'booking.expired' }),
    ]);
    await Promise.all([listed(test, 1), listed(live, 1)]);
    expect((await list(test)).items).toMatchObject([{ type: 'booking.created', livemode: false, sequence: 1 }]);
    expect((await list(live)).items).toMatchObject([{ type: 'booking.expired', livemode: true, sequence: 1 }]);
  });
});
