import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  claimBooking,
  confirmBooking,
  getSession,
  type InputOf,
  type Session,
  updateSession,
} from '@swim/contracts';
import { collectMessages, inDays, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';

let scheduling: SchedulingHarness;
let events: BusEvent[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages(scheduling.harness.connection, 'event.test.scheduling.session.>');
});
afterAll(() => scheduling?.stop());

const asSchool: RequestOptions = { principal: school };
const update = (id: string, changes: object, by = asSchool): Promise<Session> =>
  scheduling.harness.call(updateSession, { session_id: id, changes } as InputOf<typeof updateSession>, by);
const read = (id: string): Promise<Session> => scheduling.harness.call(getSession, { session_id: id }, asFamily);

let day = 20;
/** A session of an hour in a booking. */
async function booked(price: object = {}, currency = 'USD'): Promise<Session> {
  const instructor = scheduling.people.instructor({ currency });
  const sessions = [{ date: inDays(day++), duration_minutes: 60 }];
  const held = { id: '', instructor_id: instructor, member_ids: [scheduling.people.member()], sessions };
  const { slots, ...claim } = conversionOf(scheduling.people, held);
  const input = { ...claim, holdId: null, currency, slots: slots.map((slot) => ({ ...slot, ...price })) };
  await scheduling.harness.call(claimBooking, input, asFamily);
  const { bookingId } = input;
  return (await scheduling.harness.call(confirmBooking, { bookingId }, asFamily)).sessions[0]!;
}

describe('the price that a school sets for a session', () => {
  it('of a booking stays with its reason when the session changes, by whomever', async () => {
    const made = await booked({ priceCents: 1_200, priceIsSet: true, priceReason: 'A scholarship' });
    const price = { price_cents: 1_200, price_reason: 'A scholarship' };
    expect(made).toMatchObject(price);
    expect(await update(made.id, { duration_minutes: 90 }, asFamily)).toMatchObject(price);
    const instructor_id = scheduling.people.instructor({ hourlyRateCents: 9_900 });
    expect(await update(made.id, { instructor_id, date: inDays(day++) })).toMatchObject(price);
    expect(await read(made.id)).toMatchObject({ ...price, duration_minutes: 90 });
  });

  it('is set later, alone or with another time, and then stays', async () => {
    const made = await booked();
    const set = { price_cents: 2_500, price_reason: 'It was promised' };
    expect(await update(made.id, set)).toMatchObject({ ...set, version: 2 });
    expect(await update(made.id, { duration_minutes: 30 }, asFamily)).toMatchObject(set);
    const moved = await update(made.id, { duration_minutes: 45, price_cents: 2_000, price_reason: null });
    expect(moved).toMatchObject({ duration_minutes: 45, price_cents: 2_000, price_reason: null });
    expect(await update(made.id, { duration_minutes: 60 }, asFamily)).toMatchObject({ price_cents: 2_000 });
  });

  it('is not set by the price that it has: another length has that of the rate', async () => {
    const made = await booked();
    const { price_cents, price_reason } = made;
    expect(await update(made.id, { price_cents, price_reason })).toEqual(made);
    const longer = await update(made.id, { price_cents, price_reason, duration_minutes: 90 }, asFamily);
    expect(longer.price_cents).toBe(9_000);
  });

  it('is in its event, its reason is not', async () => {
    const made = await booked();
    await update(made.id, { price_cents: 100, price_reason: 'canary of a reason' });
    const own = () => events.find(({ objectId, type }) => objectId === made.id && type === 'session.updated');
    const event = await until(own, 'the event is published');
    expect(event).toMatchObject({ object: { price_cents: 100 }, previous: { price_cents: made.price_cents } });
    const stored = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('sessions');
    expect(JSON.stringify([event, await stored.findOne({ _id: made.id })])).not.toContain('canary');
  });

  it('is rejected of the family, and where no processor takes it', async () => {
    const made = await booked();
    for (const field of ['price_cents', 'price_reason']) {
      const byFamily = rejectionOf(update(made.id, { [field]: field === 'price_cents' ? 1 : 'Free' }, asFamily));
      expect(await byFamily).toMatchObject({ reason: 'school_only', details: { field } });
    }
    const dinars = await booked({ priceCents: 5_000 }, 'KWD');
    expect(await rejectionOf(update(dinars.id, { price_cents: 1_005 }))).toMatchObject({
      reason: 'not_representable',
      details: { field: 'price_cents' },
    });
  });
});
