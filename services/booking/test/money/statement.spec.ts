import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelBooking, getStatement, type InputOf, sessionCompleted } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, indexesFor, publishEvent, recordQueries, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const { create, pay, read, record } = moneyIn(() => fixture);
const monthIn = (zone: string) =>
  new Intl.DateTimeFormat('sv', { timeZone: zone, year: 'numeric', month: '2-digit' }).format(new Date());
const dayIn = (zone: string) => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(new Date());
const state = (input: Partial<InputOf<typeof getStatement>> = {}, principal = fixture.school) =>
  fixture.harness.call(
    getStatement,
    { account_id: principal.accountId, month: monthIn('Europe/Berlin'), ...input },
    { principal },
  );

describe('the statement of a school', () => {
  it('has the money of its bookings by the day on which it moved, in its own zone and currency', async () => {
    const before = await state();
    const [paid, cancelled, late] = [
      await create(),
      await create({ sessions: times(3) }),
      await create({ sessions: times(4) }),
    ];
    await record(paid, 5_000, 'transfer');
    for (const booking of [cancelled, late]) await pay(booking);
    const asFamily = { principal: fixture.family };
    await fixture.harness.call(cancelBooking, { booking_id: cancelled.id }, asFamily);
    await fixture.harness.call(cancelBooking, { booking_id: late.id, refund_as: 'credit' }, asFamily);
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, { currency: 'EUR' });
    await create({ instructor_id });
    const statement = await state();
    const today = dayIn('Europe/Berlin');
    const day = statement.days.find(({ date }) => date === today)!;
    expect(statement).toMatchObject({
      account_id: fixture.school.accountId,
      month: monthIn('Europe/Berlin'),
      timezone: 'Europe/Berlin',
      currency: 'USD',
    });
    const { date: _, ...moved } = day;
    expect(moved).toEqual({
      lessons: before.totals.lessons,
      charged_cents: 15_000,
      charged_by_method: { card: 10_000, cash: 0, transfer: 5_000, terminal: 0, voucher: 0 },
      refunded_cents: 5_000,
      fees_cents: 0,
      credits_issued_cents: 5_000,
      credits_spent_cents: 0,
    });
    expect(statement.totals).toEqual(moved);
    expect((await state({ currency: 'EUR' })).totals).toMatchObject({ charged_cents: 0 });
    expect((await state({ month: '2020-01' })).totals).toMatchObject({ charged_cents: 0, lessons: 0 });
  });

  it('has the lessons that were given', async () => {
    const booking = await create();
    const session = fixture.calendar.confirmedSessions(booking.id)[0]!;
    Object.assign(session, { status: 'completed', version: session.version + 1 });
    const { notes: _, ...object } = session;
    const audience = [fixture.family.accountId, fixture.school.accountId];
    await publishEvent(fixture.harness, sessionCompleted, { object, audience, n: session.version });
    await until(async () => (await read(booking)).status === 'completed', 'the booking is completed');
    const month = new Intl.DateTimeFormat('sv', {
      timeZone: 'Europe/Berlin',
      year: 'numeric',
      month: '2-digit',
    }).format(new Date(session.date));
    expect((await state({ month })).totals.lessons).toBe(1);
  });

  it('is rejected for a family and for another account', async () => {
    expect((await rejectionOf(state({}, aPrincipal()))).reason).toBe('school_only');
    expect((await rejectionOf(state({ account_id: newId('acct') }))).reason).toBe('foreign_account');
    for (const month of ['2027-13', '2027-3', 'March', '1999-01'])
      expect(await rejectionOf(state({ month }))).toMatchObject({
        reason: 'invalid_format',
        details: { errors: [{ field: 'month' }] },
      });
  });

  it('sums the movements of many bookings', async () => {
    const school = aPrincipal({ kind: 'school' });
    const bookings = fixture.harness.database('booking_test').collection<{ _id: string }>('bookings');
    const sample = (await fixture.stored((await create()).id))!;
    const at = (n: number) => new Date(Date.UTC(2026, 4, 1 + (n % 30), 12, n % 60)).toISOString();
    await bookings.insertMany(
      Array.from({ length: 900 }, (_, n) => ({
        ...sample,
        _id: newId('bkg'),
        readers: [school.accountId],
        schoolId: school.accountId,
        movements: [
          { kind: 'charge', amountCents: 100, at: at(n), of: newId('pay') },
          { kind: 'refund', amountCents: 1, at: '2026-06-30T12:00:00.000Z', of: newId('rfd') },
        ],
      })),
    );
    const queries = recordQueries();
    const { totals, days } = await state({ month: '2026-05' }, school);
    queries.stop();
    const summing = queries.sent.find(({ filter }) => 'movements.at' in filter)!;
    const database = fixture.harness.database('booking_test');
    expect(await indexesFor(database, summing)).toContain('schoolId_1_movements.at_1');
    expect(totals).toMatchObject({ charged_cents: 90_000, refunded_cents: 0 });
    expect(days.slice(0, 30).every(({ charged_cents }) => charged_cents === 3_000)).toBe(true);
  });
});
