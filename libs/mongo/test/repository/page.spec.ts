import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CursorCodec, type CursorScope } from '@swim/platform';
import { type Filter, type ListOrder, type ListRequest, PUBLIC, type Scope } from '../../src/index.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aNote, family, type Note, type Notes, type Replica, startReplica, stranger } from '../replica.js';

const KILOBYTE = 1024;
const ascending: ListOrder = { date: 'at', ascending: true };
let harness: MongoHarness;
let replica: Replica;
let notes: Notes;
let cursors: CursorCodec;

beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
  notes = replica.notes;
  cursors = new CursorCodec(harness.config);
});
afterAll(async () => {
  await replica.stop();
  await harness.stop();
});
beforeEach(async () => {
  await harness.database().collection('notes').deleteMany({});
});

const insert = async (all: Note[]): Promise<Note[]> => {
  await harness.database().collection<Note>('notes').insertMany(all);
  return all;
};
const boundTo = (filters: Record<string, unknown> = {}, accountId = family.accountId): CursorScope => ({
  list: 'notes',
  accountId,
  env: 'test',
  filters,
});
const list = (given: Partial<ListRequest>, order: ListOrder = 'newest', filter: Filter = {}, scope: Scope = family) =>
  notes.page(scope, filter, { order, request: { limit: 20, ...given }, cursors, bound: boundTo(filter) });
const ids = (all: { _id: string }[]) => all.map(({ _id }) => _id);

it.each(['notes', 'shared notes'])(
  'the page of a filter that finds few documents has those that any page has: %s',
  async (of) => {
    const [listed, name] = of === 'notes' ? [notes, 'notes'] : [replica.sharedNotes, 'shared_notes'];
    const readers = [[family.accountId], [stranger.accountId], [PUBLIC], [family.accountId, stranger.accountId], []];
    const all = [...readers, ...readers].map((each) => aNote({ readers: each, text: 'found' }));
    await harness
      .database()
      .collection<Note>(name)
      .insertMany([...all, aNote({ text: 'not found' })]);
    const pageOf = (findsFew: boolean, cursor?: string) => {
      const request = { limit: 3, ...(cursor && { cursor }) };
      return listed.page(family, { text: 'found' }, { order: 'newest', request, cursors, bound: boundTo(), findsFew });
    };
    const [few, any] = [await pageOf(true), await pageOf(false)];
    expect(few.items).toEqual(any.items);
    expect(few.pagination.total).toBe(of === 'notes' ? 4 : 6);
    const next = few.pagination.next_cursor!;
    expect((await pageOf(true, next)).items).toEqual((await pageOf(false, next)).items);
  },
);

it('the page of a filter that finds few documents keeps to a condition on what they are not', async () => {
  await insert(['a', 'b', 'c'].map((text) => aNote({ text })));
  const filter = { $nor: [{ text: 'a' }, { text: 'b' }] };
  for (const findsFew of [false, true]) {
    const request = { limit: 3 };
    const page = await notes.page(family, filter, { order: 'newest', request, cursors, bound: boundTo(), findsFew });
    expect(page.items.map(({ text }) => text)).toEqual(['c']);
    expect(page.pagination.total).toBe(1);
  }
});

let made = 0;
/** A note with a unique number; the numbers are in no order. */
const aNumberedNote = (more: Partial<Note> = {}): Note => aNote({ nr: (++made * 7_919) % 1_000_003, ...more });

/** Notes whose dates have ties of four, in an order unrelated to the dates. */
const someNotes = (count: number): Note[] =>
  Array.from({ length: count }, (_, n) =>
    aNumberedNote({ at: new Date(Date.UTC(2027, 0, 1 + (Math.floor((n * 7) / 4) % 5))) }),
  );
function comparisonOf(order: ListOrder): (a: Note, b: Note) => number {
  if (order === 'newest') return (a, b) => (a._id < b._id ? 1 : -1);
  if ('uniqueNumber' in order) return (a, b) => (order.ascending ? a.nr! - b.nr! : b.nr! - a.nr!);
  const direction = order.ascending ? 1 : -1;
  return (a, b) => direction * (a.at.getTime() - b.at.getTime() || (a._id < b._id ? -1 : 1));
}
const inOrder = (all: Note[], order: ListOrder): string[] => ids(all.toSorted(comparisonOf(order)));

/** All items from a page on, by cursor; `between` runs after each page. */
async function walk(
  given: Partial<ListRequest>,
  order: ListOrder,
  between: () => Promise<unknown> = async () => {},
): Promise<Note[]> {
  const items: Note[] = [];
  let request = given;
  for (;;) {
    const page = await list(request, order);
    items.push(...page.items);
    expect(page.pagination.has_more).toBe(page.pagination.next_cursor !== null);
    if (page.pagination.next_cursor === null) return items;
    expect(page.items.length).toBeGreaterThan(0);
    request = { limit: given.limit!, cursor: page.pagination.next_cursor };
    await between();
  }
}

const orders: [string, ListOrder][] = [
  ['newest first', 'newest'],
  ['ascending by a date', ascending],
  ['descending by a date', { date: 'at', ascending: false }],
  ['ascending by a unique number', { uniqueNumber: 'nr', ascending: true }],
  ['descending by a unique number', { uniqueNumber: 'nr', ascending: false }],
];

describe.each(orders)('a list, %s,', (_, order) => {
  it.each([1, 3, 23, 100])('is read in pages of %d to the end, each item once, in order', async (limit) => {
    const all = await insert(someNotes(23));
    expect(ids(await walk({ limit }, order))).toEqual(inOrder(all, order));
  });

  it('loses and repeats no existing item under concurrent inserts and removals', async () => {
    const all = await insert(someNotes(24));
    const removed: string[] = [];
    const seen = ids(
      await walk({ limit: 4 }, order, async () => {
        await insert([
          aNumberedNote({ at: new Date(Date.UTC(2026, 0, 1)) }),
          aNumberedNote({ at: new Date(Date.UTC(2028, 0, 1)) }),
        ]);
        const last = inOrder(all, order)[all.length - 1 - removed.length]!;
        if (removed.length < 3) removed.push(last);
        await harness.database().collection<Note>('notes').deleteOne({ _id: last });
      }),
    );
    expect(new Set(seen).size).toBe(seen.length);
    const staying = inOrder(all, order).slice(0, 12);
    expect(seen.filter((id) => staying.includes(id))).toEqual(staying);
  });

  it('continues by cursor after an offset', async () => {
    const all = await insert(someNotes(17));
    expect(ids(await walk({ limit: 5, offset: 4 }, order))).toEqual(inOrder(all, order).slice(4));
  });

  it('is empty past its end, with a null cursor', async () => {
    await insert(someNotes(3));
    const page = await list({ offset: 3 }, order);
    expect(page).toEqual({ items: [], pagination: { has_more: false, next_cursor: null, total: 3 } });
  });

  it('has a next cursor until its last item', async () => {
    await insert(someNotes(4));
    expect((await list({ limit: 3 }, order)).pagination).toMatchObject({ has_more: true, total: 4 });
    expect((await list({ limit: 4 }, order)).pagination).toEqual({ has_more: false, next_cursor: null, total: 4 });
    expect((await list({ limit: 3, offset: 1 }, order)).pagination.has_more).toBe(false);
  });
});

describe('the total', () => {
  it('is that of the filter and the account, on every page', async () => {
    await insert([...someNotes(9), ...Array.from({ length: 5 }, () => aNumberedNote({ text: 'kick' }))]);
    await insert([
      aNumberedNote({ readers: [stranger.accountId], text: 'kick' }),
      aNumberedNote({ readers: [PUBLIC] }),
    ]);
    expect((await list({})).pagination.total).toBe(14);
    const first = await list({ limit: 2 }, 'newest', { text: 'kick' });
    const second = await list({ limit: 2, cursor: first.pagination.next_cursor! }, 'newest', { text: 'kick' });
    expect([first.pagination.total, second.pagination.total]).toEqual([5, 5]);
    expect([...first.items, ...second.items].every(({ text }) => text === 'kick')).toBe(true);
  });
});

describe('a cursor', () => {
  it('is rejected for another account, another filter, and another list', async () => {
    await insert(someNotes(3));
    const { next_cursor: cursor } = (await list({ limit: 1 })).pagination;
    const given = { limit: 1, cursor: cursor! };
    const tries = [
      notes.page(stranger, {}, { order: 'newest', request: given, cursors, bound: boundTo({}, stranger.accountId) }),
      notes.page(
        family,
        { text: 'kick' },
        { order: 'newest', request: given, cursors, bound: boundTo({ text: 'kick' }) },
      ),
      notes.page(family, {}, { order: 'newest', request: given, cursors, bound: { ...boundTo(), list: 'others' } }),
      notes.page(
        { ...family, env: 'live' },
        {},
        { order: 'newest', request: given, cursors, bound: { ...boundTo(), env: 'live' } },
      ),
    ];
    for (const outcome of await Promise.allSettled(tries)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { reason: 'invalid_cursor' } });
    }
  });

  it('does not exceed a filter on the field of the order', async () => {
    const all = await insert(someNotes(20));
    const day = { $gte: new Date(Date.UTC(2027, 0, 2)), $lt: new Date(Date.UTC(2027, 0, 4)) };
    const expected = all.filter(({ at }) => at >= day.$gte && at < day.$lt);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await notes.page(
        family,
        { at: day },
        { order: ascending, request: { limit: 3, cursor }, cursors, bound: boundTo({ day: 'two' }) },
      );
      seen.push(...ids(page.items));
      cursor = page.pagination.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(inOrder(expected, ascending));
  });
});

describe('a page of large items', () => {
  const large = (count: number, kilobytes: number) =>
    Array.from({ length: count }, () => aNumberedNote({ text: 'x'.repeat(kilobytes * KILOBYTE) }));
  const bytesOf = (items: Note[]) => items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);

  it('ends early, and the next one continues after it', async () => {
    const all = await insert(large(60, 30));
    const page = await list({ limit: 100 });
    expect(bytesOf(page.items)).toBeLessThanOrEqual(512 * KILOBYTE);
    expect(bytesOf(page.items)).toBeGreaterThan(450 * KILOBYTE);
    expect(page.pagination).toMatchObject({ has_more: true, total: 60 });
    expect(ids(await walk({ limit: 100 }, 'newest'))).toEqual(inOrder(all, 'newest'));
  });

  it('of the usual length ends early just so', async () => {
    await insert(large(20, 100));
    const page = await list({ limit: 20 });
    expect(bytesOf(page.items)).toBeLessThanOrEqual(512 * KILOBYTE);
    expect(page.pagination).toMatchObject({ has_more: true, total: 20 });
  });

  it('is measured by its result: internal fields neither count nor are read', async () => {
    const kept = [{ id: 'op', data: 'x'.repeat(200 * KILOBYTE) }];
    await insert(someNotes(10).map((note) => ({ ...note, ops: kept, outbox: kept as never })));
    const { items } = await list({ limit: 20 });
    expect(items).toHaveLength(10);
    expect(items.filter((item) => 'ops' in item || 'outbox' in item)).toEqual([]);
  });

  it('does not read fields that are excluded, which do not count', async () => {
    const all = await insert(large(10, 100));
    const left = { order: 'newest' as const, request: { limit: 20 }, cursors, bound: boundTo(), without: ['text'] };
    const { items } = await notes.page(family, {}, left);
    expect(ids(items)).toEqual(inOrder(all, 'newest'));
    expect(items.filter((item) => 'text' in item)).toEqual([]);
  });

  it('is measured as the list says, however few its items', async () => {
    await insert(someNotes(4));
    const request = { limit: 4 };
    const sized = { order: 'newest' as const, request, cursors, bound: boundTo(), bytesOf: () => 200 * KILOBYTE };
    const page = await notes.page(family, {}, sized);
    expect(page.items).toHaveLength(2);
    expect(page.pagination).toMatchObject({ has_more: true, total: 4 });
  });

  it('has at least one item, however large', async () => {
    const first = { ...large(1, 600)[0]!, at: new Date(0) };
    const all = await insert([first, ...someNotes(30)]);
    const page = await notes.page(family, {}, { order: ascending, request: { limit: 100 }, cursors, bound: boundTo() });
    expect(page.items).toEqual([first]);
    expect(ids(await walk({ limit: 100 }, ascending))).toEqual(inOrder(all, ascending));
  });
});
