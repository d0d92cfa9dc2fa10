import { beforeAll, expect, it } from '@jest/globals';
import type { Booking, Connection, Family, Instructor, Member } from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aMember, anInstructor, bookingBody } from '../../fixtures/fixtures.js';
import { advance } from '../../fixtures/sandbox-clock.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('what families owe', () => {
  let school: Customer;
  let family: Customer;
  let member: Member;
  let dollars: Instructor;
  let booking: Booking;
  const [first, second] = [inDays(3), inDays(10)];

  beforeAll(async () => {
    [school, family] = [await stack.open('school'), await stack.open('family')];
    const hours = { availability_schedule: { weekly: [] } };
    dollars = await anInstructor(school, hours);
    const yen = await anInstructor(school, { ...hours, currency: 'JPY', hourly_rate_cents: 5_000 });
    member = await aMember(family);
    booking = await family.make<Booking>('/bookings', bookingBody(dollars, [member], [first, second]));
    await family.make<Booking>('/bookings', bookingBody(yen, [member], [inDays(20)]));
  });

  /** So many hours after the second lesson, an hour before which the clock of the school stands. */
  const inHours = (hours: number) => new Date(Date.parse(second) + hours * 3_600_000).toISOString();
  const owing = (query = '?due=true') => school.read<Family[]>(`/families${query}`);
  const pay = (amount_cents: number) =>
    school.make('/payments', { booking_id: booking.id, amount_cents, currency: 'USD', method: 'cash' });
  const yen = { currency: 'JPY', cents: 5_000, overdue_cents: 0 };

  it('is listed to the school by family and currency', async () => {
    const { name, email } = await family.read<{ name: string; email: string }>(`/accounts/${family.id}`);
    expect(await owing()).toEqual([
      {
        object: 'family',
        account_id: family.id,
        ...{ name, email, claimed: true, member_ids: [member.id] },
        due: [yen, { currency: 'USD', cents: 12_000, overdue_cents: 0 }],
        oldest_due_at: null,
      },
    ]);
    expect(await owing(`?search=${encodeURIComponent(name)}`)).toHaveLength(1);
    expect(await owing('?search=nobody')).toEqual([]);
  });

  it('is overdue once a lesson begins, and payments cover the oldest first', async () => {
    await advance(school, inDays(4));
    const overdue = { currency: 'USD', cents: 12_000, overdue_cents: 6_000 };
    expect(await owing()).toMatchObject([{ due: [yen, overdue], oldest_due_at: first }]);
    await pay(4_000);
    expect(await owing()).toMatchObject([{ due: [yen, { cents: 8_000, overdue_cents: 2_000 }], oldest_due_at: first }]);
    await pay(2_000);
    expect(await owing()).toMatchObject([{ due: [yen, { cents: 6_000, overdue_cents: 0 }], oldest_due_at: null }]);
  });

  it('is overdue at once where it is a fee', async () => {
    await advance(school, new Date(Date.parse(second) - 3_600_000).toISOString());
    expectStatus(200, await family.post(`/bookings/${booking.id}/cancel`, {}));
    await until(async () => {
      const [{ due, oldest_due_at: at }] = (await owing()) as [Family];
      return due?.[1]?.overdue_cents === 3_000 && at !== null && at < second;
    }, 'the fee is overdue');
  });

  it('stays after the end of the connection, until it is paid', async () => {
    const [{ id }] = (await family.read<Connection[]>('/connections')) as [Connection];
    expectStatus(200, await family.post(`/connections/${id}/end`, {}));
    const isLeft = async () => (await owing(''))[0]?.due?.map(({ currency }) => currency).join() === 'USD';
    await until(isLeft, 'only the fee is due');
    const due = async (side: Customer) => (await side.read<Booking[]>('/bookings?due=true')).map(({ id: of }) => of);
    for (const side of [family, school]) expect(await due(side)).toEqual([booking.id]);
    expect(await school.get('/bookings?due=maybe')).toMatchObject(apiError(400, 'invalid_value'));
    await pay(3_000);
    expect(await owing('')).toEqual([]);
    for (const side of [family, school]) expect(await due(side)).toEqual([]);
  });

  it.each([
    ['family', 3_000],
    ['school', 0],
  ] as const)(
    'is the fee of a late lesson that the end of the connection cancels, as by its side: %s, %i',
    async (side, cents) => {
      const other = await stack.open('family');
      const body = bookingBody(dollars, [await aMember(other)], [inHours(side === 'family' ? 5 : 8)]);
      const late = await other.make<Booking>('/bookings', body);
      const [{ id }] = (await other.read<Connection[]>('/connections')) as [Connection];
      expectStatus(200, await (side === 'family' ? other : school).post(`/connections/${id}/end`, {}));
      const now = () => other.read<Booking>(`/bookings/${late.id}`);
      await until(async () => (await now()).status === 'cancelled', 'the lesson is cancelled');
      expect(await now()).toMatchObject({ amount_cents: cents, amount_due_cents: cents });
      const dues = (await owing('')).filter(({ account_id }) => account_id === other.id);
      expect(dues.flatMap(({ due }) => due!)).toEqual(cents ? [{ currency: 'USD', cents, overdue_cents: cents }] : []);
    },
  );

  it('is not for families, other schools, and keys without the scope payments:read', async () => {
    expect(await family.get('/families')).toMatchObject(apiError(403, 'school_only'));
    expect(await (await stack.open('school')).read('/families')).toEqual([]);
    const key = await stack.mint(school.id, { scopes: ['members:read'] });
    await family.make<Booking>('/bookings', bookingBody(dollars, [member], [inDays(30)]));
    expect(await key.read<Family[]>('/families')).toMatchObject([{ due: null, oldest_due_at: null }]);
    expect(await key.get('/families?due=true')).toMatchObject(apiError(403, 'missing_scope'));
  });
});
