import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, Instructor, Member, PaymentMethod, Session } from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { type Answer, apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aBooking, aCard, aMember, anInstructor, aSession, paymentBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('lists', () => {
  const MEMBERS = 23;
  const BOOKINGS = 9;
  const SESSIONS = 4;
  const KEYS = 5;
  // Each session is a booking of its own. Beside them a card and a connection with the school.
  const EVENTS = MEMBERS + 2 + 4 * BOOKINGS + 3 * SESSIONS;

  // As of one day, though midnight may come while this file runs.
  const DATES = Array.from({ length: 90 }, (_, day) => inDays(day));
  const dateIn = (days: number): string => DATES[days]!;

  let family: Customer;
  let stranger: Customer;
  const instructors: Instructor[] = [];
  let members: Member[];
  beforeAll(async () => {
    [family, stranger] = [stack.family, await stack.open('family')];
    // Instructors of all schools are listed: these are found by their name.
    for (const name of ['Listed A', 'Listed B', 'Listed C'])
      instructors.push(await anInstructor(stack.school, { name }));
    members = await Promise.all(
      Array.from({ length: MEMBERS }, (_, index) => aMember(family, { swimming_level: LEVELS[index % 2] })),
    );
    const card = await aCard(family);
    await Promise.all(Array.from({ length: BOOKINGS }, (_, index) => bookAndPay(index, card)));
    await Promise.all(
      Array.from({ length: SESSIONS }, (_, index) =>
        aSession(family, instructors[2]!, members[index]!, dateIn(80 - index)),
      ),
    );
    await aMember(stranger);
    // The account has one of them already.
    for (let n = 1; n < KEYS; n++) await family.make(`/accounts/${family.id}/keys`, { name: `Key ${n}` });
    const arrived = async () => (await family.get('/events?limit=1')).pagination.total === EVENTS;
    await until(arrived, 'all events arrive');
  });

  const LEVELS = ['beginner', 'proficient'] as const;

  async function bookAndPay(index: number, card: PaymentMethod): Promise<void> {
    const booking = await aBooking(family, instructors[index % 2]!, members[index]!, dateIn(40 + index));
    await family.make('/payments', paymentBody(booking, card));
  }

  interface Item {
    id: string;
  }
  const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

  /** All items by cursor, in pages of this size. */
  async function byCursor(path: string, limit: number): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const query: string = `limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const { data, pagination }: Answer<Item[]> = expectStatus(200, await family.get<Item[]>(withQuery(path, query)));
      ids.push(...data.map(({ id }) => id));
      expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      expect(data.length).toBe(pagination.has_more ? limit : pagination.total - (ids.length - data.length));
      if (pagination.next_cursor === null) return ids;
      cursor = pagination.next_cursor;
    }
  }

  /** All items by offset, in pages of this size. */
  async function byOffset(path: string, limit: number): Promise<string[]> {
    const ids: string[] = [];
    for (;;) {
      const { data, pagination } = expectStatus(
        200,
        await family.get<Item[]>(withQuery(path, `limit=${limit}&offset=${ids.length}`)),
      );
      ids.push(...data.map(({ id }) => id));
      if (!pagination.has_more) return ids;
    }
  }

  const LISTS: [name: string, path: () => string, total: number][] = [
    ['sessions', () => '/sessions', BOOKINGS + SESSIONS],
    ['bookings', () => '/bookings', BOOKINGS + SESSIONS],
    ['bookings of the account', () => `/accounts/${family.id}/bookings`, BOOKINGS + SESSIONS],
    ['members', () => `/accounts/${family.id}/members`, MEMBERS],
    ['payments', () => `/accounts/${family.id}/payments`, BOOKINGS],
    ['payment methods', () => `/accounts/${family.id}/payment-methods`, 1],
    ['events', () => '/events', EVENTS],
    ['events from the beginning', () => '/events?after_sequence=0', EVENTS],
    ['instructors', () => '/instructors?search=listed', 3],
    ['keys', () => `/accounts/${family.id}/keys`, KEYS],
  ];

  describe.each(LISTS)('the list of %s', (_, path, total) => {
    it.each([1, 4, 100].map((limit) => (total > 30 && limit === 1 ? 7 : limit)))(
      'in pages of %d is the same by cursor and by offset',
      async (limit) => {
        const ids = await byCursor(path(), limit);
        expect(ids).toHaveLength(total);
        expect(new Set(ids).size).toBe(total);
        expect(await byOffset(path(), limit)).toEqual(ids);
      },
    );

    it('returns twenty by default, the exact total always, and nothing past the end', async () => {
      const first = await family.get<Item[]>(path());
      expect(first).toMatchObject({
        status: 200,
        data: { length: Math.min(20, total) },
        pagination: { total, has_more: total > 20 },
      });
      const past = await family.get<Item[]>(withQuery(path(), 'offset=10000'));
      expect(past).toMatchObject({ status: 200, data: [], pagination: { total, has_more: false, next_cursor: null } });
    });

    it.each([
      ['limit=0', 'out_of_range', 'limit'],
      ['limit=-1', 'out_of_range', 'limit'],
      ['limit=101', 'out_of_range', 'limit'],
      ['limit=1e2', 'invalid_type', 'limit'],
      ['limit=', 'invalid_type', 'limit'],
      ['limit=ten', 'invalid_type', 'limit'],
      ['offset=-1', 'out_of_range', 'offset'],
      ['offset=10001', 'out_of_range', 'offset'],
      ['offset=1.5', 'invalid_type', 'offset'],
      ['limit=5&limit=5', 'duplicate_parameter', 'limit'],
      ['limit[$gt]=5', 'unknown_field', 'limit[$gt]'],
      ['page=2', 'unknown_field', 'page'],
      ['cursor=abc', 'invalid_cursor', 'cursor'],
      ['cursor=', 'invalid_cursor', 'cursor'],
      ['cursor=abc&offset=1', 'mutually_exclusive', 'cursor'],
    ])('rejects ?%s', async (query, reason, field) => {
      expect(await family.get(withQuery(path(), query))).toMatchObject(apiError(400, reason, field));
    });
  });

  describe('a cursor', () => {
    const cursorOf = async (path: string): Promise<string> =>
      expectStatus(200, await family.get(withQuery(path, 'limit=1'))).pagination.next_cursor!;
    const PAGED = LISTS.filter(([, , total]) => total > 1);

    it.each(PAGED)('of %s is rejected with a letter changed, removed or appended', async (_, path) => {
      const cursor = await cursorOf(path());
      const changed = [0, Math.floor(cursor.length / 2), cursor.length - 1].map((at) => {
        const letter = cursor[at] === 'A' ? 'B' : 'A';
        return cursor.slice(0, at) + letter + cursor.slice(at + 1);
      });
      for (const wrong of [...changed, cursor.slice(0, -2), `${cursor}A`, `${cursor}=`]) {
        const answer = await family.get(withQuery(path(), `limit=1&cursor=${encodeURIComponent(wrong)}`));
        expect(answer).toMatchObject(apiError(400, 'invalid_cursor', 'cursor'));
      }
    });

    it('is rejected for another account, for another list and with other filters', async () => {
      const cursor = await cursorOf('/sessions');
      const with_ = (path: string) => withQuery(path, `cursor=${encodeURIComponent(cursor)}`);
      for (const customer of [stranger, stack.school]) {
        expect(await customer.get(with_('/sessions'))).toMatchObject(apiError(400, 'invalid_cursor', 'cursor'));
      }
      for (const path of ['/sessions?status=scheduled', '/bookings', '/events', `/accounts/${family.id}/members`]) {
        expect(await family.get(with_(path))).toMatchObject(apiError(400, 'invalid_cursor', 'cursor'));
      }
      expect((await family.get(withQuery(with_('/sessions'), 'limit=3'))).status).toBe(200);
      const filtered = await cursorOf('/sessions?status=scheduled');
      expect(await family.get(`/sessions?cursor=${encodeURIComponent(filtered)}`)).toMatchObject(
        apiError(400, 'invalid_cursor'),
      );
    });

    it('continues at its position, though a newer item was created meanwhile', async () => {
      const path = `/accounts/${stranger.id}/members`;
      const [first, second] = [await aMember(stranger), await aMember(stranger)];
      const page = await stranger.get<Member[]>(`${path}?limit=1`);
      expect(page.data).toEqual([second]);
      await aMember(stranger);
      const next = await stranger.get<Member[]>(
        `${path}?limit=1&cursor=${encodeURIComponent(page.pagination.next_cursor!)}`,
      );
      expect(next.data).toEqual([first]);
    });
  });

  describe('order and filters', () => {
    it('sessions are sorted by date, all other lists newest first', async () => {
      const dates = (await family.readAll<Session>('/sessions')).map(({ date }) => date);
      expect(dates).toEqual([...dates].sort());
      for (const path of ['/bookings', `/accounts/${family.id}/members`, `/accounts/${family.id}/payments`]) {
        const ids = (await family.readAll<Item>(path)).map(({ id }) => id);
        expect(ids).toEqual([...ids].sort().reverse());
      }
      const sequences = (await family.readAll<AccountEvent>('/events')).map(({ sequence }) => sequence);
      expect(sequences).toEqual(Array.from({ length: EVENTS }, (_, index) => EVENTS - index));
      const ascending = (await family.readAll<AccountEvent>('/events?after_sequence=10')).map(
        ({ sequence }) => sequence,
      );
      expect(ascending).toEqual(Array.from({ length: EVENTS - 10 }, (_, index) => 11 + index));
    });

    it('of sessions select by instructor, member, status and dates', async () => {
      const total = async (query: string) => (await family.get(`/sessions?${query}`)).pagination?.total;
      expect(await total(`instructor_id=${instructors[0]!.id}`)).toBe(5);
      expect(await total(`member_id=${members[0]!.id}`)).toBe(2);
      expect(await total(`member_id=${members[0]!.id}&instructor_id=${instructors[2]!.id}`)).toBe(1);
      expect(await total('status=cancelled')).toBe(0);
      // `from` is inclusive, `to` is exclusive.
      expect(await total(`date_from=${dateIn(40)}&date_to=${dateIn(42)}`)).toBe(2);
      expect(await total(`date_from=${dateIn(42).slice(0, 10)}&date_to=${dateIn(43).slice(0, 10)}`)).toBe(1);
      const offset = dateIn(41).replace('T10', 'T12').replace('Z', '%2B02:00');
      expect(await total(`date_from=${offset}&date_to=${dateIn(42)}`)).toBe(1);
    });

    it('of the other lists select', async () => {
      const total = async (path: string) => expectStatus(200, await family.get(path)).pagination.total;
      const account = `/accounts/${family.id}`;
      expect(await total(`${account}/members?swimming_level=proficient`)).toBe(11);
      expect(await total(`${account}/members?search=${encodeURIComponent(members[3]!.name)}`)).toBeGreaterThanOrEqual(
        1,
      );
      expect(await total(`${account}/bookings?instructor_id=${instructors[1]!.id}`)).toBe(4);
      expect(await total(`/bookings?member_id=${members[5]!.id}&status=confirmed`)).toBe(1);
      expect(await total(`${account}/payments?status=failed`)).toBe(0);
      const [booking] = await family.read<Booking[]>(`/bookings?member_id=${members[5]!.id}`);
      expect(await total(`${account}/payments?booking_id=${booking!.id}`)).toBe(1);
      expect(await total(`/events?type=member.created`)).toBe(MEMBERS);
      expect(await total(`/events?object_id=${booking!.id}`)).toBe(2);
      expect(await total(`/events?date_to=2020-01-01`)).toBe(0);
    });

    it('with unknown values are rejected', async () => {
      for (const path of [
        '/sessions?status=open',
        '/sessions?status[$ne]=cancelled',
        '/bookings?status=',
        '/events?type=nothing',
        '/sessions?date_from=2027-02-30',
      ]) {
        expect((await family.get(path)).status).toBe(400);
      }
    });
  });
});
