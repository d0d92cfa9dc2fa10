import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Booking,
  cancelBooking,
  createBooking,
  describeDues,
  findOwing,
  type InputOf,
  listBookings,
  type Principal,
  recordDispute,
  reservePayment,
  resetBookings,
  sessionUpdated,
  settlePayment,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, indexesFor, recordQueries, rejectionOf } from '@swim/testing';
import { change, sessionsIn } from '../faults/session-events.js';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
/** These accounts have no other tests, so that all that they owe is owed here. */
let [school, family]: [Principal, Principal] = [aPrincipal(), aPrincipal()];
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => {
  [school, family] = [aPrincipal({ kind: 'school' }), aPrincipal()];
});
afterAll(() => fixture?.stop());

function create(days: number[], currency = 'USD'): Promise<Booking> {
  const input = fixture.bookingInput({
    instructor_id: fixture.people.anInstructor(school.accountId, { currency }),
    member_ids: [fixture.people.aMember(family.accountId, [school.accountId])],
    sessions: times(...days),
  });
  return fixture.harness.call(createBooking, input, { principal: family });
}
async function pay({ id: bookingId }: Booking, amountCents: number): Promise<void> {
  const payment = { bookingId, paymentId: newId('pay') };
  const reservation = { ...payment, amountCents, currency: 'USD', dryRun: false };
  await fixture.harness.call(reservePayment, reservation, { principal: family });
  await fixture.harness.call(settlePayment, { ...payment, outcome: 'succeeded' }, { principal: family });
}
const owing = async (principal = school) => (await fixture.harness.call(findOwing, {}, { principal })).accountIds;
const dues = async (now: string, principal = school, ids = [family.accountId]) =>
  (await fixture.harness.call(describeDues, { accounts: ids.map((id) => ({ id, now })) }, { principal })).dues;

describe('what a family owes a school', () => {
  it('is the sum of what is due on its bookings with that school, until it is paid', async () => {
    const accountId = family.accountId;
    const [first, second] = [await create([1, 2]), await create([3])];
    const third = await create([1], 'JPY');
    expect(await owing()).toEqual([accountId]);
    const both = { currency: 'USD', cents: 15_000, overdueCents: 5_000 };
    const yen = { currency: 'JPY', cents: 5_000, overdueCents: 0 };
    expect(await dues(inDays(1, 11))).toEqual([
      { accountId, due: [{ ...yen, overdueCents: 5_000 }, both], oldestDueAt: inDays(1, 10) },
    ]);
    expect(await dues(inDays(0))).toEqual([{ accountId, due: [yen, { ...both, overdueCents: 0 }], oldestDueAt: null }]);
    await pay(first, 7_000);
    expect(await dues(inDays(4))).toMatchObject([
      { due: [{}, { cents: 8_000, overdueCents: 8_000 }], oldestDueAt: inDays(1, 10) },
    ]);
    for (const [booking, cents] of [
      [first, 3_000],
      [second, 5_000],
    ] as const)
      await pay(booking, cents);
    expect(await dues(inDays(4))).toMatchObject([{ due: [{ currency: 'JPY', cents: 5_000 }] }]);
    await fixture.harness.call(resetBookings, {
      accountId: school.accountId,
      before: inDays(1),
      phase: 'empty',
    });
    expect(third.amount_due_cents).toBe(5_000);
    expect(await owing()).toEqual([]);
  });

  it('leaves out what is due for a booking that was stored without its parts, and does not fail by it', async () => {
    const [{ id }] = [await create([1]), await create([2])];
    const bookings = fixture.harness.database('booking_test').collection<{ _id: string }>('bookings');
    await bookings.updateOne({ _id: id }, { $unset: { dueParts: 1 } });
    expect(await dues(inDays(0))).toMatchObject([{ due: [{ cents: 5_000 }] }]);
  });

  it('is seen by no other account', async () => {
    await create([1]);
    const other = aPrincipal({ kind: 'school' });
    expect([await owing(other), await owing(family)]).toEqual([[], []]);
    expect(await dues(inDays(9), other)).toEqual([{ accountId: family.accountId, due: [], oldestDueAt: null }]);
  });

  it('is found by an index among the bookings of a school with 2,000 families', async () => {
    const { accountId } = school;
    const bookings = fixture.harness.database('booking_test').collection<{ _id: string }>('bookings');
    const sample = (await fixture.stored((await create([1])).id))!;
    const families = Array.from({ length: 2_000 }, () => newId('acct'));
    const of = (family: string, dueParts: object[]) =>
      Object.assign(structuredClone(sample), {
        _id: newId('bkg'),
        accountId: family,
        readers: [accountId, family],
        dueParts,
      });
    const parts = Array.from({ length: 10 }, (_, day) => ({ at: inDays(day), cents: 100 }));
    await bookings.insertMany(
      families.flatMap((family, n) => [of(family, parts), of(family, n % 2 ? parts : []), of(family, [])]),
    );
    const queries = recordQueries();
    const { pagination } = await fixture.harness.call(listBookings, { due: true }, { principal: school });
    expect(pagination.total).toBe(3_001);
    const page = families.slice(0, 100);
    const ms = { owing: [] as number[], page: [] as number[] };
    for (let round = 0; round < 20; round++) {
      const begunAt = performance.now();
      expect(await owing()).toHaveLength(2_001);
      const midAt = performance.now();
      expect((await dues(inDays(5), school, page)).at(-1)).toMatchObject({
        due: [{ cents: 2_000, overdueCents: 1_200 }],
      });
      ms.owing.push(midAt - begunAt);
      ms.page.push(performance.now() - midAt);
    }
    queries.stop();
    const database = fixture.harness.database('booking_test');
    const sent = queries.sent.filter(({ filter }) => JSON.stringify(filter).includes('dueParts.at')).slice(0, 3);
    // A page of bookings, who owes, and a page of dues.
    expect(await Promise.all(sent.map((each) => indexesFor(database, each)))).toEqual([
      ['due'],
      ['schoolId_1_accountId_1'],
      ['schoolId_1_accountId_1'],
    ]);
    const slowest = (of: number[]) => Math.round(of.toSorted((a, b) => a - b)[18]!);
    console.info(
      `2,000 families, 95th percentile: who owes ${slowest(ms.owing)} ms, a page of 100 ${slowest(ms.page)} ms`,
    );
  });
});

describe('GET /bookings?due=true', () => {
  const { create: createOwn, pay: payOwn, record, read } = moneyIn(() => fixture);
  const { sessionsOf, becomes, publish } = sessionsIn(() => fixture);
  const listed = async (query: InputOf<typeof listBookings>, principal = fixture.family) => {
    const { items, pagination } = await fixture.harness.call(listBookings, query, { principal });
    return { ids: items.map(({ id }) => id), items, pagination };
  };
  /** The bookings that both sides list, of all those on which `amount_due_cents` is above 0. */
  const due = async (): Promise<string[]> => {
    const { items } = await listed({ limit: 100 });
    const expected = items.filter(({ amount_due_cents: cents }) => cents > 0).map(({ id }) => id);
    for (const principal of [fixture.family, fixture.school]) {
      const { ids, pagination } = await listed({ due: true, limit: 100 }, principal);
      expect([ids, pagination.total]).toEqual([expected, expected.length]);
    }
    return expected;
  };
  const reprice = async (booking: Booking, price_cents: number) => {
    await publish(sessionUpdated, change(sessionsOf(booking)[0]!, { price_cents }));
    await becomes(booking, { amount_cents: price_cents });
  };
  const cancel = ({ id }: Booking) =>
    fixture.harness.call(cancelBooking, { booking_id: id }, { principal: fixture.family });

  it('has the bookings on which something is due, after each change of their money', async () => {
    const soon = { date: new Date(Date.now() + 5 * 3_600_000).toISOString(), duration_minutes: 60 };
    const [free, late] = [await createOwn({ sessions: times(9) }), await createOwn({ sessions: [soon] })];
    const [paid, cash] = [await createOwn({ sessions: times(3) }), await createOwn({ sessions: times(4) })];
    expect(await due()).toEqual([cash, paid, late, free].map(({ id }) => id));
    await payOwn(paid, 4_999);
    expect(await due()).toHaveLength(4);
    const paymentId = await payOwn(paid, 1);
    await record(cash);
    expect(await due()).toEqual([late.id, free.id]);
    await Promise.all([cancel(free), cancel(late)]);
    expect((await read(late)).amount_due_cents).toBe(2_500);
    expect(await due()).toEqual([late.id]);
    await reprice(cash, 6_000);
    expect(await due()).toEqual([cash.id, late.id]);
    await reprice(cash, 3_000);
    expect((await read(cash)).amount_to_return_cents).toBe(2_000);
    expect(await due()).toEqual([late.id]);
    const lost = { disputeId: 'dp_1', revision: 1, state: 'lost', amountCents: 1 } as const;
    const dispute = { bookingId: paid.id, paymentId, ...lost };
    await fixture.harness.call(recordDispute, dispute, { principal: fixture.school });
    expect(await due()).toEqual([paid.id, late.id]);
  });

  it('is filtered further, and paged by cursors of its own', async () => {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId);
    const made = [];
    for (const day of [20, 21, 22, 23]) made.unshift(await createOwn({ instructor_id, sessions: times(day) }));
    await payOwn(made[1]!);
    const expected = [made[0]!.id, made[2]!.id, made[3]!.id];
    const query = { instructor_id, due: true, limit: 2 };
    const first = await listed(query);
    expect([first.ids, first.pagination.total]).toEqual([expected.slice(0, 2), 3]);
    const cursor = first.pagination.next_cursor!;
    // What has been paid meanwhile moves nothing.
    await payOwn(made[0]!);
    expect((await listed({ ...query, cursor })).ids).toEqual(expected.slice(2));
    expect((await rejectionOf(listed({ instructor_id, limit: 2, cursor }))).reason).toBe('invalid_cursor');
    expect((await listed({ due: true, member_id: made[2]!.member_ids[0]! })).ids).toEqual([made[2]!.id]);
    expect((await listed({ due: true, status: 'cancelled', instructor_id })).ids).toEqual([]);
    expect((await listed({ due: false, instructor_id })).ids).toHaveLength(4);
    expect((await listed({ due: true }, aPrincipal())).ids).toEqual([]);
  });
});
