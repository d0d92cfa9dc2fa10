import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Booking,
  createBooking,
  describeDues,
  findOwing,
  type Principal,
  reservePayment,
  resetBookings,
  settlePayment,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, indexesFor, recordQueries } from '@swim/testing';
import { type BookingFixture, startFixture, times } from '../harness.js';

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
    for (const sent of queries.sent.filter(({ filter }) => 'dueParts.at' in filter).slice(0, 2))
      expect(await indexesFor(database, sent)).toContain('schoolId_1_accountId_1');
    const slowest = (of: number[]) => Math.round(of.toSorted((a, b) => a - b)[18]!);
    console.info(
      `2,000 families, 95th percentile: who owes ${slowest(ms.owing)} ms, a page of 100 ${slowest(ms.page)} ms`,
    );
  });
});
