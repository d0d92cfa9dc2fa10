import { describe, expect, it } from '@jest/globals';
import {
  type Account,
  type AccountEvent,
  type Booking,
  DEMO_LESSONS,
  DEMO_PUPILS,
  type Hold,
  type Instructor,
  type Member,
  type Payment,
  type PaymentMethod,
  type Pool,
  type SandboxClock,
  type Session,
} from '@swim/contracts';
import { until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aBooking, aCard, aMember, anInstructor, bookingBody, nextTime, paymentBody } from '../../fixtures/fixtures.js';
import { advance, clockOf } from '../../fixtures/sandbox-clock.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const DAY_MS = 86_400_000;
/** The lists that every account may read. */
const EMPTY_LISTS = ['sessions', 'bookings', 'holds', 'waitlist', 'payments', 'webhook-endpoints'];

journey('the reset of a test account', () => {
  const reset = async (customer: Customer, headers?: Record<string, string>) => {
    const answer = expectStatus(200, await customer.post<SandboxClock>('/sandbox/reset', {}, headers));
    await until(async () => !(await clockOf(customer)).resetting, `the reset of ${customer.id} has ended`);
    return answer;
  };
  const advanceByDay = async (customer: Customer) => {
    const { now } = await clockOf(customer);
    await advance(customer, new Date(Date.parse(now) + DAY_MS).toISOString());
  };
  const lastSequence = async (customer: Customer) =>
    (await customer.read<AccountEvent[]>('/events?limit=1'))[0]?.sequence ?? 0;
  const expectEmpty = async (customer: Customer) => {
    for (const list of EMPTY_LISTS) expect([list, await customer.read<object[]>(`/${list}`)]).toEqual([list, []]);
  };

  /** A family with two lessons to come at a school, one of them paid. */
  async function aHousehold() {
    const [family, school] = [await stack.open('family'), await stack.open('school')];
    const [member, instructor, card] = [await aMember(family), await anInstructor(school), await aCard(family)];
    const paid = await aBooking(family, instructor, member);
    const payment = await family.make<Payment>('/payments', paymentBody(paid, card));
    const open = await aBooking(family, instructor, member);
    return { family, school, member, instructor, payment, paid, open };
  }

  const expectCancelled = async (customer: Customer, booking: Booking) => {
    const [id] = booking.session_ids as [string];
    expect(await customer.read<Session>(`/sessions/${id}`)).toMatchObject({ status: 'cancelled' });
    expect(await customer.read<Booking>(`/bookings/${booking.id}`)).toMatchObject({ status: 'cancelled' });
  };

  it('of a family empties it, makes the demo data anew and sets the clock back; the school keeps cancelled lessons', async () => {
    const { family, school, member, instructor, payment, paid, open } = await aHousehold();
    await family.make<Hold>('/holds', bookingBody(instructor, [member], [nextTime()]));
    await family.make('/webhook-endpoints', { url: 'http://127.0.0.1:9/', events: ['*'] });
    await advanceByDay(family);
    const before = await lastSequence(family);

    const { data } = await reset(family);

    // A busy machine may take longer than a client has to wait.
    expect(data).toEqual({
      now: expect.any(String),
      offset_seconds: 0,
      advancing: false,
      resetting: expect.any(Boolean),
    });
    await expectEmpty(family);
    for (const path of [`/members/${member.id}`, `/bookings/${paid.id}`, `/payments/${payment.id}`])
      expect(await family.get(path)).toMatchObject(apiError(404, 'resource_not_found'));
    const members = await family.read<Member[]>(`/accounts/${family.id}/members`);
    expect(members.map(({ name }) => name)).toEqual(['Jonas Okafor', 'Mia Okafor']);
    const methods = await family.read<PaymentMethod[]>(`/accounts/${family.id}/payment-methods`);
    expect(methods).toMatchObject([{ brand: 'visa', is_default: true }]);
    // The sequence goes on, and begins with what the reset has done.
    const [oldest] = await family.read<AccountEvent[]>('/events?after_sequence=0&limit=1');
    expect(oldest!.sequence).toBeGreaterThan(before);
    for (const booking of [paid, open]) await expectCancelled(school, booking);
    const paymentOf = () => school.read<Payment>(`/payments/${payment.id}`);
    await until(async () => (await paymentOf()).status === 'refunded', 'its refund is made');
    // The times are free again.
    await aBooking(family, instructor, members[0]!, paid.sessions[0]!.date);
  });

  it('of a school empties it, makes the demo data anew; families keep cancelled lessons', async () => {
    const { family, school, member, instructor, paid } = await aHousehold();
    const changes = { policies: { free_cancellation_hours: 1 }, metadata: { tier: 'gold' } };
    expectStatus(200, await school.patch(`/accounts/${school.id}`, changes));
    const pupils = () => school.read<Member[]>('/members');
    await until(async () => (await pupils()).map(({ id }) => id).join() === member.id, 'the school sees its pupil');

    await reset(school);

    for (const list of ['holds', 'waitlist', 'payments']) expect(await school.read<object[]>(`/${list}`)).toEqual([]);
    expect(await pupils()).toMatchObject(DEMO_PUPILS.map(({ name }) => ({ name, account_id: school.id })).toReversed());
    const bookings = await school.read<Booking[]>('/bookings');
    expect(bookings).toHaveLength(DEMO_LESSONS.length);
    expect(bookings).not.toContainEqual(expect.objectContaining({ id: paid.id }));
    expect(new Set(bookings.map(({ status }) => status))).toEqual(new Set(['confirmed']));
    expect(await family.get(`/instructors/${instructor.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
    expect(await school.read<Account>(`/accounts/${school.id}`)).toMatchObject({
      policies: { free_cancellation_hours: 24 },
      metadata: {},
    });
    await expectCancelled(family, paid);
    const paidOf = () => family.read<Booking>(`/bookings/${paid.id}`);
    await until(async () => (await paidOf()).payment_status === 'refunded', 'its refund is made');
    const own = <T extends { account_id: string }>(all: T[]) => all.filter((each) => each.account_id === school.id);
    expect(own(await school.read<Pool[]>('/pools?limit=100'))).toMatchObject([{ name: 'Riverside Baths' }]);
    expect(
      own(await school.read<Instructor[]>('/instructors?limit=100'))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Greta Lindqvist', 'Marcus Bell', 'Sunita Gurung']);
    const place = 'location[latitude]=52.53&location[longitude]=13.38&location[radius]=10';
    const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const filters = `search=greta&certification=lifeguard&available_date=${day}&${place}`;
    const found = own(await school.read<Instructor[]>(`/instructors?${filters}&expand=reviews&limit=100`));
    expect(found).toMatchObject([
      { levels_taught: expect.anything(), languages: ['de', 'en', 'sv'], rating: { average: 4.5, count: 2 } },
    ]);
    expect(found[0]!.reviews).toHaveLength(2);
  });

  it('forgets Idempotency-Keys but its own: an object is made anew, the reset is not repeated', async () => {
    const family = await stack.open('family');
    const body = { name: 'Kid', date_of_birth: '2017-05-04' };
    const headers = { 'idempotency-key': 'a member' };
    const members = `/accounts/${family.id}/members`;
    const first = expectStatus(201, await family.post<Member>(members, body, headers));
    const ofReset = { 'idempotency-key': 'a reset' };
    const answer = await reset(family, ofReset);
    const again = expectStatus(201, await family.post<Member>(members, body, headers));
    expect(again.data.id).not.toBe(first.data.id);
    expect((await reset(family, ofReset)).data).toEqual(answer.data);
    expect(await family.read<Member>(`/members/${again.data.id}`)).toMatchObject({ name: 'Kid' });
    // What is made after a reset outlives its second round.
    await until(
      async () => (await stack.stored('people', 'accounts', { _id: family.id, 'reset.step': null })).length === 1,
      'its second round is over',
    );
    expect(await family.read<Member[]>(members)).toHaveLength(3);
  });

  it('stores nothing in a dry run', async () => {
    const family = await stack.open('family');
    const member = await aMember(family);
    await advanceByDay(family);
    const dryRun = await family.post<SandboxClock>('/sandbox/reset?dry_run=true', {});
    expect(dryRun).toMatchObject({ status: 200, data: { offset_seconds: 0 }, meta: { dry_run: true } });
    expect(await family.read<Member>(`/members/${member.id}`)).toMatchObject({ id: member.id });
    expect((await clockOf(family)).offset_seconds).toBeGreaterThan(0);
  });

  describe('is rejected', () => {
    it('for a key without accounts:write, and is not found by live keys', async () => {
      const reader = await stack.mint((await stack.open('family')).id, { scopes: ['accounts:read'] });
      expect(await reader.post('/sandbox/reset', {})).toMatchObject(apiError(403, 'missing_scope'));
      const live = await stack.open('family', 'live');
      expect(await live.post('/sandbox/reset', {})).toMatchObject(apiError(404, 'unknown_route'));
    });

    it('with a field, which it does not have', async () => {
      const family = await stack.open('family');
      expect(await family.post('/sandbox/reset', { everything: true })).toMatchObject(
        apiError(400, 'unknown_field', 'everything'),
      );
    });

    it('while another one of the account is in progress', async () => {
      const { family } = await aHousehold();
      const both = await Promise.all([
        family.once.post<SandboxClock>('/sandbox/reset', {}),
        family.once.post<SandboxClock>('/sandbox/reset', {}),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(both.find(({ status }) => status === 409)).toMatchObject(apiError(409, 'reset_in_progress'));
    });
  });
});
