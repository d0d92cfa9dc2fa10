import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addDemoBooking,
  createBooking,
  eraseBookingsOfAccount,
  getBooking,
  listBookings,
  type Principal,
  resetBookings,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, type StoredBooking, startFixture } from '../harness.js';

const CANARY = 'canary';
let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture?.stop());

const erase = (accountId: string) =>
  fixture.harness.call(eraseBookingsOfAccount, { accountId }, { principal: aPrincipal({ accountId }) });
/** Repeats the request until it is done, as people does: one may end before that. */
const eraseAll = (accountId: string) => until(async () => (await erase(accountId)).done, 'nothing is left to erase');
const bookings = () => fixture.harness.database('booking_test').collection<StoredBooking>('bookings');
const keys = () => fixture.harness.database('booking_keys_test').collection<{ _id: string }>('personal_keys');

it('bookings of an erased account keep ids, times and amounts, and lose all texts', async () => {
  const family = aPrincipal();
  const member_ids = [fixture.people.aMember(family.accountId, [fixture.school.accountId])];
  const input = fixture.bookingInput({ notes: CANARY, member_ids });
  const options = { principal: family, idempotencyKey: `${CANARY} key` };
  const made = await fixture.harness.call(createBooking, input, options);
  const backup = (await fixture.stored(made.id))!;
  const read = () => fixture.harness.call(getBooking, { booking_id: made.id }, { principal: fixture.school });
  expect(await read()).toMatchObject({ notes: CANARY });
  await eraseAll(family.accountId);
  const { notes, ...rest } = await read();
  expect(notes).toBeNull();
  const { notes: _, skipped: __, ...before } = made;
  expect(rest).toMatchObject(before);
  // Unpublished events still contain the request that caused them.
  await until(async () => !JSON.stringify(await fixture.allStored()).includes(CANARY), 'nothing is left');
  const records = fixture.harness.database('booking_test').collection('idempotency');
  expect(await records.countDocuments({ accountId: family.accountId })).toBe(0);
  // The key of its notes is destroyed: those in a backup of the bookings are unreadable.
  expect(await keys().findOne({ _id: family.accountId })).toEqual({
    _id: family.accountId,
    readers: [],
    createdAt: expect.any(Date),
    destroyedAt: expect.any(Date),
  });
  await bookings().replaceOne({ _id: made.id }, backup);
  expect(await read()).toMatchObject({ notes: null });
  await eraseAll(family.accountId);
});

it.each<[string, { notes?: string; metadata?: Record<string, string> }]>([
  ['notes and metadata', { notes: CANARY, metadata: { by: CANARY } }],
  ['metadata alone', { metadata: { by: CANARY } }],
])('bookings of families lose the %s that an erased school may have written', async (_, texts) => {
  const input = fixture.bookingInput(texts);
  const { id } = await fixture.harness.call(createBooking, input, { principal: fixture.family });
  await eraseAll(fixture.school.accountId);
  const now = await fixture.harness.call(getBooking, { booking_id: id }, { principal: fixture.family });
  expect([now.notes, now.metadata]).toEqual([null, {}]);
});

it('bookings of other accounts stay', async () => {
  const made = await fixture.harness.call(createBooking, fixture.bookingInput({ notes: CANARY }), {
    principal: fixture.family,
  });
  await eraseAll(aPrincipal().accountId);
  const now = await fixture.harness.call(getBooking, { booking_id: made.id }, { principal: fixture.family });
  expect(now.notes).toBe(CANARY);
});

describe('when a test account is reset', () => {
  const reset = ({ accountId }: Principal, phase: 'end' | 'empty', before = new Date(Date.now() + 1_000)) =>
    fixture.harness.call(
      resetBookings,
      { accountId, before: before.toISOString(), phase },
      { principal: aPrincipal({ accountId }) },
    );
  const resetAll = (...request: Parameters<typeof reset>) =>
    until(async () => (await reset(...request)).done, `nothing is left to ${request[1]}`);
  const bookingsOf = async (principal: Principal) =>
    (await fixture.harness.call(listBookings, {}, { principal })).items;

  it('its bookings follow their cancelled lessons, then it has none; the school keeps them', async () => {
    const { family, id } = await aBookingOfItsOwn();
    const [session] = fixture.calendar.allSessions.filter(({ booking_id }) => booking_id === id);
    Object.assign(session!, { status: 'cancelled', version: 2, cancellation: null });
    await resetAll(family, 'end');
    expect(await bookingsOf(family)).toMatchObject([{ id, status: 'cancelled' }]);
    await resetAll(family, 'empty');
    expect(await bookingsOf(family)).toEqual([]);
    const kept = fixture.harness.call(getBooking, { booking_id: id }, { principal: fixture.school });
    expect(await kept).toMatchObject({ status: 'cancelled' });
  });

  it('keeps what was made since, also when the request arrives late', async () => {
    const before = new Date(Date.now() - 1_000);
    const { family, id } = await aBookingOfItsOwn();
    for (const phase of ['end', 'empty'] as const) await resetAll(family, phase, before);
    expect(await bookingsOf(family)).toMatchObject([{ id, status: 'confirmed' }]);
  });

  async function aBookingOfItsOwn(): Promise<{ family: Principal; id: string }> {
    const family = aPrincipal();
    const member_ids = [fixture.people.aMember(family.accountId, [fixture.school.accountId])];
    const input = fixture.bookingInput({ member_ids });
    const { id } = await fixture.harness.call(createBooking, input, { principal: family });
    return { family, id };
  }
});

it('a booking of demo data is made once, by the service itself, beside a repetition of the request', async () => {
  const { school } = fixture;
  const booking = fixture.bookingInput({ member_ids: [fixture.people.aMember(school.accountId)] });
  const demo = { accountId: school.accountId, id: newId('bkg'), booking };
  const asPeople = { principal: { ...aPrincipal({ accountId: school.accountId }), keyId: 'system' } };
  const add = (changes = {}) => fixture.harness.call(addDemoBooking, { ...demo, ...changes }, asPeople);
  await Promise.all([
    add(),
    until(
      async () =>
        add().then(
          () => true,
          () => false,
        ),
      'a repetition is answered',
    ),
  ]);
  const { items } = await fixture.harness.call(listBookings, {}, { principal: school });
  expect(items.filter(({ id }) => id === demo.id)).toMatchObject([
    { status: 'confirmed', account_id: school.accountId },
  ]);
  expect(fixture.calendar.confirmedSessions(demo.id)).toHaveLength(1);
  const events = await fixture.recorder.atLeast(2, demo.id);
  expect(events.map(({ cause }) => cause.actor)).toEqual(['system', 'system']);
  // Another booking takes these times.
  expect((await rejectionOf(add({ id: newId('bkg') }))).reason).toBe('conflicting_dates');
});
