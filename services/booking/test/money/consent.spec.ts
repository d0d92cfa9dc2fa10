import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Booking,
  cancelBooking,
  connectionEnded,
  createBooking,
  describeConsents,
  findOwnChange,
  type InputOf,
  sessionRescheduled,
  sessionUpdated,
  updateBooking,
} from '@swim/contracts';
import { newId, timeOfId } from '@swim/platform';
import { aPrincipal, publishEvent, rejectionOf, until } from '@swim/testing';
import { change, sessionsIn } from '../faults/session-events.js';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const { create, pay, read, record, reserve, settle } = moneyIn(() => fixture);
const { sessionsOf, becomes } = sessionsIn(() => fixture);

const update = ({ id }: Booking, changes: InputOf<typeof updateBooking>['changes'], by = fixture.family) =>
  fixture.harness.call(updateBooking, { booking_id: id, changes }, { principal: by });
const consented = (changes = {}) => create({ payment_method_id: fixture.method, ...changes });
/** How far the consents to bookings on which something is due are used, as the school reads them. */
const consents = async (principal = fixture.school) => {
  const { accountId } = fixture.family;
  return (await fixture.harness.call(describeConsents, { accountId }, { principal })).consents;
};
/** The school charges by the family's consent. */
const charge = ({ id }: Booking, amountCents: number, more: object = {}) =>
  reserve(id, { amountCents, byConsent: true, ...more }, { principal: fixture.school });
const charged = async (booking: Booking, amountCents: number) => {
  const paymentId = newId('pay');
  const reserved = await charge(booking, amountCents, { paymentId });
  await settle(booking.id, paymentId);
  return reserved;
};
/** What may still be charged of a booking on which more is due. */
const allowedOf = async (booking: Booking): Promise<unknown> => {
  const { amount_due_cents: due } = await read(booking);
  const { reason, details } = await rejectionOf(charge(booking, due, { dryRun: true }));
  expect(reason).toBe('consent_exceeded');
  return details.allowed_cents;
};
/** A session of the booking gets another price, by a request of an account. */
async function reprice(booking: Booking, price_cents: number, by: string): Promise<void> {
  const session = change(sessionsOf(booking)[0]!, { price_cents });
  const { notes: _, metadata: __, price_reason: ___, ...object } = session;
  const { family, school } = fixture;
  const isSchool = by === school.accountId;
  const audience = [by, isSchool ? family.accountId : school.accountId];
  const type = isSchool ? sessionUpdated : sessionRescheduled;
  await publishEvent(fixture.harness, type, { object, audience, n: session.version });
  const others = sessionsOf(booking).reduce((sum, each) => sum + each.price_cents, 0);
  await becomes(booking, { amount_cents: others });
}

describe('the consent of a family', () => {
  it('is the method with which it books: the school charges it, up to what was agreed', async () => {
    const booking = await consented();
    expect(await charged(booking, 2_000)).toMatchObject({
      accountId: fixture.family.accountId,
      methodId: fixture.method,
      dueCents: 5_000,
    });
    expect((await rejectionOf(charge(booking, 3_001))).reason).toBe('amount_exceeds_due');
    const use = { agreedCents: 5_000, usedCents: 2_000, leftCents: 3_000 };
    const isOf = ({ bookingId }: { bookingId: string }) => bookingId === booking.id;
    expect((await consents()).find(isOf)).toEqual({ bookingId: booking.id, currency: 'USD', ...use });
    for (const other of [fixture.family, aPrincipal({ kind: 'school' })]) expect(await consents(other)).toEqual([]);
    await charged(booking, 3_000);
    expect((await consents()).find(isOf)).toBeUndefined();
    expect(await read(booking)).toMatchObject({ payment_status: 'paid' });
    expect((await rejectionOf(charge(booking, 1))).reason).toBe('already_paid');
  });

  it('shows the school no more than is due, and nothing once the method is removed', async () => {
    const booking = await consented();
    const shown = async () => (await consents()).find(({ bookingId }) => bookingId === booking.id);
    await reprice(booking, 2_000, fixture.school.accountId);
    const { amount_due_cents: due } = await read(booking);
    expect(due).toBeLessThan(5_000);
    expect(await shown()).toMatchObject({ agreedCents: 5_000, usedCents: 0, leftCents: due });
    const removed = { $set: { paymentMethodId: newId('pm') } };
    await fixture.harness
      .database('booking_test')
      .collection<{ _id: string }>('bookings')
      .updateOne({ _id: booking.id }, removed);
    expect(await shown()).toBeUndefined();
  });

  it('is missing without a method: no_consent, until the family sets one, also on a booking of the school', async () => {
    const input = fixture.bookingInput();
    const booking = await fixture.harness.call(createBooking, input, { principal: fixture.school });
    expect((await rejectionOf(charge(booking, 5_000))).reason).toBe('no_consent');
    const before = await read(booking);
    const set = await update(booking, { payment_method_id: fixture.method });
    expect(set).toMatchObject({ payment_method_id: fixture.method, version: before.version + 1 });
    expect(await update(booking, { payment_method_id: fixture.method })).toEqual(set);
    await charged(booking, 1_000);
    await update(booking, { payment_method_id: null });
    expect((await rejectionOf(charge(booking, 1_000))).reason).toBe('no_consent');
  });

  it('is given by the family alone, by a method of its wallet', async () => {
    const bySchool = rejectionOf(
      fixture.harness.call(createBooking, fixture.bookingInput({ payment_method_id: fixture.method }), {
        principal: fixture.school,
      }),
    );
    expect(await bySchool).toMatchObject({ reason: 'not_found', details: { field: 'payment_method_id' } });
    const booking = await create();
    const patched = rejectionOf(update(booking, { payment_method_id: fixture.method }, fixture.school));
    expect(await patched).toMatchObject({ reason: 'read_only', details: { field: 'payment_method_id' } });
    const unknown = rejectionOf(update(booking, { payment_method_id: newId('pm') }));
    expect(await unknown).toMatchObject({ reason: 'not_found', details: { field: 'payment_method_id' } });
  });

  it('does not grow when the school raises a price, and grows by what the family adds', async () => {
    const booking = await consented({ sessions: times(3, 4) });
    await reprice(booking, 9_000, fixture.school.accountId);
    expect(await allowedOf(booking)).toBe(10_000);
    await reprice(booking, 11_000, fixture.family.accountId);
    expect(await allowedOf(booking)).toBe(12_000);
    // What it takes back and adds again is no addition.
    await reprice(booking, 9_500, fixture.family.accountId);
    await reprice(booking, 11_000, fixture.family.accountId);
    expect(await allowedOf(booking)).toBe(12_000);
    await charged(booking, 7_000);
    expect(await allowedOf(booking)).toBe(5_000);
    const none = update(booking, { payment_method_id: null });
    await none.then(() => update(booking, { payment_method_id: fixture.method }));
    await charged(booking, 9_000);
    expect(await read(booking)).toMatchObject({ payment_status: 'paid', amount_paid_cents: 16_000 });
  });

  it('covers fees: of a cancelled booking they are charged, and nothing else', async () => {
    const booking = await consented();
    const [session] = sessionsOf(booking);
    const missed = change(session!, { status: 'completed', attendance: 'no_show' });
    const { notes: _, metadata: __, price_reason: ___, ...object } = missed;
    const audience = [fixture.family.accountId, fixture.school.accountId];
    await publishEvent(fixture.harness, sessionUpdated, { object, audience, n: missed.version });
    await becomes(booking, { status: 'completed' });
    await charged(booking, 5_000);
    const free = await consented({ sessions: times(6) });
    await fixture.harness.call(cancelBooking, { booking_id: free.id }, { principal: fixture.family });
    expect((await rejectionOf(charge(free, 5_000))).reason).toBe('invalid_state');
  });

  it('is used once: of two concurrent charges of what is left one is made', async () => {
    const booking = await consented({ sessions: times(7) });
    const tries = await Promise.allSettled([charge(booking, 3_000), charge(booking, 3_000)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('counts what was paid in any other way', async () => {
    const booking = await consented({ sessions: times(8) });
    await record(booking, 2_000);
    await pay(booking, 1_000);
    await reprice(booking, 8_000, fixture.school.accountId);
    expect(await allowedOf(booking)).toBe(2_000);
  });

  it('ends with the connection, also for one that comes later', async () => {
    const booking = await consented({ sessions: times(9) });
    const { family, school, people, harness } = fixture;
    people.disconnected.add(family.accountId);
    expect((await rejectionOf(charge(booking, 1_000))).reason).toBe('no_consent');
    people.disconnected.delete(family.accountId);
    const at = new Date().toISOString();
    const object = {
      ...{ object: 'connection', id: newId('con'), school_id: school.accountId, account_id: family.accountId },
      ...{ member_ids: [], status: 'ended', origin: 'booking', external_id: null, created_at: at, updated_at: at },
      ...{ ended_at: at, ended_by: 'school' },
    };
    await publishEvent(harness, connectionEnded, { object, audience: [family.accountId, school.accountId] } as never);
    await until(async () => (await read(booking)).payment_method_id === null, 'the consent has ended');
    expect((await rejectionOf(charge(booking, 1_000))).reason).toBe('no_consent');
  });

  it('ends with the connection where the event is late, or the booking was made meanwhile', async () => {
    const booking = await consented({ sessions: times(10) });
    const shown = async () => (await consents()).some(({ bookingId }) => bookingId === booking.id);
    expect(await shown()).toBe(true);
    const { family, people } = fixture;
    people.lastEnds.set(family.accountId, new Date(timeOfId(booking.id).getTime() + 1).toISOString());
    expect((await rejectionOf(charge(booking, 1_000))).reason).toBe('no_consent');
    expect(await shown()).toBe(false);
    await update(booking, { payment_method_id: null });
    await update(booking, { payment_method_id: fixture.method });
    await charged(booking, 1_000);
  });

  it('leaves known when the family has last changed a booking, which the school does not', async () => {
    const { family, school, harness } = fixture;
    const pair = { accountId: family.accountId, schoolId: school.accountId };
    const last = async () => (await harness.call(findOwnChange, pair)).changedAt;
    const booking = await consented({ sessions: times(11) });
    const made = (await last())!;
    await update(booking, { notes: 'Bring the fins' }, school);
    expect(await last()).toBe(made);
    await update(booking, { notes: 'Bring the goggles' });
    expect((await last())! > made).toBe(true);
  });
});
