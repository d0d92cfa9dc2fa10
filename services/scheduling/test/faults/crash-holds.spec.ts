import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  createHold,
  createLesson,
  createPool,
  getHold,
  getLesson,
  getWaitlistEntry,
  joinWaitlist,
  leaveWaitlist,
  makeSession,
  removeHold,
  updateLesson,
  updatePool,
  type WaitlistEntry,
} from '@swim/contracts';
import { inDays, rejectionOf, until } from '@swim/testing';
import { aSession, asFamily, school, withKey } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';
import { placesIn } from '../lessons/places.js';
import { Crashing } from './crashing.js';

const PATIENCE_MS = 420_000;
const BATHS = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC' };

let crashing: Crashing;
beforeAll(async () => {
  crashing = await Crashing.start();
}, PATIENCE_MS);
afterAll(() => crashing?.stop());

const aHoldInput = (instructor_id: string) => ({
  instructor_id,
  member_ids: [crashing.people.member()],
  sessions: [{ date: inDays(10), duration_minutes: 30 }],
});
/** A lesson of four places, and the request to hold two of them. */
async function somePlaces() {
  const instructor_id = crashing.people.instructor();
  const wanted = { instructor_id, date: inDays(10), duration_minutes: 30, capacity: 4, price_cents: 1_500 };
  const lesson = await crashing.harness.insist(createLesson, wanted, { principal: school });
  const member_ids = [crashing.people.member(), crashing.people.member()];
  await crashing.wholeness();
  return { lesson, lesson_id: lesson.id, input: { lesson_ids: [lesson.id], member_ids } };
}
/** Sends a request while recovery may be at work, until it is answered. */
const call = <O extends Parameters<Crashing['harness']['call']>[0]>(
  operation: O,
  input: Parameters<typeof crashing.harness.call<O>>[1],
) => crashing.harness.insist(operation, input, asFamily);

/** Joins the line for an instructor's day; its id. */
async function join(
  instructor_id: string,
  range = { date_from: inDays(10, 0), date_to: inDays(11, 0) },
): Promise<string> {
  const input = { instructor_id, member_id: crashing.people.member(), ...range, duration_minutes: 30 };
  return (await call(joinWaitlist, input)).id;
}

const reaches = (waitlist_id: string, status: WaitlistEntry['status']) =>
  until(async () => {
    const now = await call(getWaitlistEntry, { waitlist_id });
    return now.status === status ? now : null;
  }, `the place in line is ${status}`);

describe('a process that dies after any single write', () => {
  it(
    'loses and doubles nothing of a hold',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const instructor = crashing.people.instructor();
        const { died, value } = await crashing.dieAt(n, createHold, aHoldInput(instructor), withKey(`hold ${n}`));
        expect(await call(getHold, { hold_id: value.id })).toMatchObject({ status: 'active' });
        expect(await rejectionOf(call(makeSession, aSession(instructor, crashing.people.member())))).toMatchObject({
          reason: 'instructor_busy',
        });
        await call(removeHold, { hold_id: value.id });
        await call(makeSession, aSession(instructor, crashing.people.member()));
        await crashing.wholeness();
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(8);
    },
    PATIENCE_MS,
  );

  it(
    'loses and doubles nothing of a booking that takes a hold over',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const hold = await call(createHold, aHoldInput(crashing.people.instructor()));
        const input = conversionOf(crashing.people, hold);
        const { died } = await crashing.dieAt(n, claimBooking, input, asFamily);
        const { sessions } = await crashing.wholeness();
        expect(sessions.filter(({ bookingId }) => bookingId === input.bookingId)).toHaveLength(1);
        await until(
          async () => (await call(getHold, { hold_id: hold.id })).status === 'converted',
          'the hold is the booking’s',
        );
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(3);
    },
    PATIENCE_MS,
  );

  it(
    'loses and doubles nothing of a hold of places',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const { lesson_id, input } = await somePlaces();
        const { died, value } = await crashing.dieAt(n, createHold, input, withKey(`places ${n}`));
        expect(await call(getHold, { hold_id: value.id })).toMatchObject({ status: 'active', lesson_ids: [lesson_id] });
        expect(await call(getLesson, { lesson_id })).toMatchObject({ places_left: 2 });
        await call(removeHold, { hold_id: value.id });
        expect(await call(getLesson, { lesson_id })).toMatchObject({ places_left: 4 });
        await crashing.wholeness();
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(7);
    },
    PATIENCE_MS,
  );

  it(
    'loses and doubles nothing of a booking that takes held places over',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const { lesson_id, lesson, input } = await somePlaces();
        const hold = await call(createHold, input);
        const members = hold.member_ids.map((id) => ({ id, level: 'beginner' as const, dateOfBirth: '2020-01-15' }));
        const booking = placesIn(crashing.people, [lesson], members, { holdId: hold.id });
        const { died } = await crashing.dieAt(n, claimBooking, booking, asFamily);
        const { sessions } = await crashing.wholeness();
        expect(sessions.filter(({ bookingId }) => bookingId === booking.bookingId)).toHaveLength(2);
        expect(await call(getLesson, { lesson_id })).toMatchObject({ places_left: 2 });
        const isConverted = async () => (await call(getHold, { hold_id: hold.id })).status === 'converted';
        await until(isConverted, 'the hold is the booking’s');
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(3);
    },
    PATIENCE_MS,
  );

  it(
    'ends a hold in a lesson that it moves',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const { lesson_id, input } = await somePlaces();
        const hold = await call(createHold, input);
        const move = { lesson_id, changes: { date: inDays(12) } };
        const { died } = await crashing.dieAt(n, updateLesson, move, withKey(`away ${n}`, school));
        expect(await call(getHold, { hold_id: hold.id })).toMatchObject({ status: 'expired' });
        expect(await call(getLesson, { lesson_id })).toMatchObject({ places_left: 4, date: inDays(12) });
        await crashing.wholeness();
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(6);
    },
    PATIENCE_MS,
  );

  it(
    'offers released time to who waits for it, once',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const instructor = crashing.people.instructor();
        const session = await call(makeSession, aSession(instructor, crashing.people.member()));
        const entry = await join(instructor);
        const { died } = await crashing.dieAt(n, cancelSession, { session_id: session.id }, withKey(`free ${n}`));
        const { offer } = await reaches(entry, 'offered');
        expect(offer).toMatchObject({ date: inDays(10) });
        expect(await call(getHold, { hold_id: offer!.hold_id })).toMatchObject({ status: 'active' });
        expect(await rejectionOf(call(makeSession, aSession(instructor, crashing.people.member())))).toMatchObject({
          reason: 'instructor_busy',
        });
        await crashing.publishedOnce(entry, ['waitlist.joined', 'waitlist.offered']);
        await call(leaveWaitlist, { waitlist_id: entry });
        await crashing.endPlaceholders();
        await crashing.wholeness();
        await call(makeSession, aSession(instructor, crashing.people.member()));
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(12);
    },
    PATIENCE_MS,
  );

  it(
    'offers the time that more lanes make free, once',
    async () => {
      const options = { principal: school };
      const writes = await crashing.everywhere(async (n) => {
        const pool_id = (await crashing.harness.insist(createPool, { ...BATHS, lanes: 1 }, options)).id;
        const inPool = () => crashing.people.instructor({ defaultPoolId: pool_id, poolIds: [pool_id] });
        await call(makeSession, aSession(inPool(), crashing.people.member()));
        const range = { date_from: inDays(10), date_to: inDays(10, 10, 30) };
        const entry = await join(inPool(), range);
        const wider = { pool_id, changes: { lanes: 2 } };
        const { died } = await crashing.dieAt(n, updatePool, wider, withKey(`lanes ${n}`, school));
        await reaches(entry, 'offered');
        await crashing.publishedOnce(entry, ['waitlist.joined', 'waitlist.offered']);
        await call(leaveWaitlist, { waitlist_id: entry });
        await crashing.wholeness();
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(5);
    },
    PATIENCE_MS,
  );

  it(
    'passes an offer that is declined on to the next, and ends the first',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const instructor = crashing.people.instructor();
        const session = await call(makeSession, aSession(instructor, crashing.people.member()));
        const [first, second] = [await join(instructor), await join(instructor)];
        await call(cancelSession, { session_id: session.id });
        const { offer } = await reaches(first, 'offered');
        const { died } = await crashing.dieAt(n, removeHold, { hold_id: offer!.hold_id }, withKey(`decline ${n}`));
        await reaches(first, 'expired');
        await reaches(second, 'offered');
        await crashing.publishedOnce(first, ['waitlist.joined', 'waitlist.offered', 'waitlist.expired']);
        await call(leaveWaitlist, { waitlist_id: second });
        await crashing.endPlaceholders();
        await crashing.wholeness();
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(8);
    },
    PATIENCE_MS,
  );
});
