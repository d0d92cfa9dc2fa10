import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  joinWaitlist,
  makeSession,
  memberErased,
  type Session,
  type WaitlistEntry,
} from '@swim/contracts';
import { inDays, partOf, publishEvent, rejectionOf, until, updateAll } from '@swim/testing';
import type { Claim } from '../../src/calendar/claim.schema.js';
import { OffersService } from '../../src/waitlist/offers.service.js';
import { isQuiet, wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';
import { aPlace, lineOf } from '../holds/waitlist-client.js';

const ROUNDS = 20;
jest.setTimeout(600_000);
// Many concurrent requests: a busy machine needs time for each.
const unhurried = { ...asFamily, budgetMs: 60_000 };

let scheduling: SchedulingHarness;
let offers: OffersService;
beforeAll(async () => {
  scheduling = await startScheduling();
  offers = partOf(scheduling.service, OffersService);
});
afterAll(() => scheduling?.stop());

const { read } = lineOf(() => scheduling.harness);
const database = () => scheduling.harness.database('scheduling_test');
const join = (instructor: string): Promise<WaitlistEntry> =>
  scheduling.harness.call(joinWaitlist, aPlace(scheduling.people, instructor), unhurried);
const cancel = ({ id }: Session, principal = family) =>
  scheduling.harness.call(cancelSession, { session_id: id }, { ...unhurried, principal });
const stranger = (instructor: string) =>
  scheduling.harness.call(makeSession, aSession(instructor, scheduling.people.member()), unhurried);

/** A group's lessons on these days, one session for each member and day. */
async function aGroup(instructor: string, members: string[], days = [10]): Promise<Session[]> {
  const sessions = days.map((day) => ({ date: inDays(day), duration_minutes: 30 }));
  const held = { id: '', instructor_id: instructor, member_ids: members, sessions };
  const booking = conversionOf(scheduling.people, held);
  await scheduling.harness.call(claimBooking, { ...booking, holdId: null }, unhurried);
  return (await scheduling.harness.call(confirmBooking, { bookingId: booking.bookingId }, unhurried)).sessions;
}
const members = (count: number) => Array.from({ length: count }, () => scheduling.people.member());

/** Tries to claim the instructor's time until the first entry has an offer; returns whether it ever succeeded. */
async function intrudes(instructor: string, first: WaitlistEntry): Promise<boolean> {
  let hasIntruded = false;
  await until(async () => {
    hasIntruded ||= await stranger(instructor).then(
      () => true,
      () => false,
    );
    return hasIntruded || (await read(first.id)).status === 'offered';
  }, 'the first waitlist entry has an offer');
  return hasIntruded;
}

describe('the time of a group whose members all leave concurrently', () => {
  it('is offered to the first waitlist entry each time, and another account never gets it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const instructor = scheduling.people.instructor();
      const sessions = await aGroup(instructor, members(3));
      const [first, second] = [await join(instructor), await join(instructor)];
      const intruding = intrudes(instructor, first);
      await Promise.all(sessions.map((session) => cancel(session)));
      expect(await intruding).toBe(false);
      expect(await read(first.id)).toMatchObject({ status: 'offered', offer: { date: inDays(10) } });
      expect(await read(second.id)).toMatchObject({ status: 'waiting' });
    }
    await database().collection('waitlist').deleteMany({});
    await until(async () => {
      // Again: a run that has read an entry before its removal may hold the time for it after this.
      await updateAll(
        database().collection('holds'),
        { status: 'active' },
        { expiresAt: new Date(0), dueAt: new Date(0) },
      );
      return isQuiet(database());
    }, 'all holds have ended');
    await wholeness(database());
  });

  it('is offered when a booking expires, eight sessions at a time', async () => {
    const instructor = scheduling.people.instructor();
    const sessions = await aGroup(instructor, members(4), [10, 11]);
    const first = await join(instructor);
    const intruding = intrudes(instructor, first);
    await Promise.all(sessions.map((session) => cancel(session, school)));
    expect(await intruding).toBe(false);
  });

  it('is offered when its members are erased', async () => {
    const instructor = scheduling.people.instructor();
    const group = members(3);
    await aGroup(instructor, group);
    const first = await join(instructor);
    const intruding = intrudes(instructor, first);
    await Promise.all(
      group.map((id) =>
        publishEvent(scheduling.harness, memberErased, {
          object: { id, account_id: family.accountId, erased_at: new Date().toISOString() },
          audience: [family.accountId, school.accountId],
        }),
      ),
    );
    expect(await intruding).toBe(false);
  });

  it('stays the group’s until its last member leaves, as do its other dates', async () => {
    const instructor = scheduling.people.instructor();
    const sessions = await aGroup(instructor, members(3), [10, 12]);
    const first = await join(instructor);
    const onFirstDay = sessions.filter(({ date }) => date === inDays(10));
    await Promise.all(onFirstDay.slice(1).map((session) => cancel(session)));
    expect(await rejectionOf(stranger(instructor))).toMatchObject({ reason: 'instructor_busy' });
    expect(await read(first.id)).toMatchObject({ status: 'waiting' });
    const intruding = intrudes(instructor, first);
    await cancel(onFirstDay[0]!);
    expect(await intruding).toBe(false);
    const onOtherDay = aSession(instructor, scheduling.people.member(), { date: inDays(12) });
    expect(await rejectionOf(scheduling.harness.call(makeSession, onOtherDay, unhurried))).toMatchObject({
      reason: 'instructor_busy',
    });
  });
});

describe('the waitlist for released time', () => {
  const placeholders = () => database().collection<Claim>('claims').find({ _id: /@/ }).toArray();

  it('is offered the time after the cancellation has returned; meanwhile no other claim gets it', async () => {
    const instructor = scheduling.people.instructor();
    const [session] = await aGroup(instructor, members(1));
    const first = await join(instructor);
    const passOn = offers.passOn.bind(offers);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const offering = jest.spyOn(offers, 'passOn').mockImplementation(async (...released) => {
      await held;
      return passOn(...released);
    });
    expect(await cancel(session!)).toMatchObject({ status: 'cancelled' });
    expect(await rejectionOf(stranger(instructor))).toMatchObject({ reason: 'instructor_busy' });
    expect(await read(first.id)).toMatchObject({ status: 'waiting' });
    goOn();
    await until(async () => (await read(first.id)).status === 'offered', 'it is offered');
    offering.mockRestore();
  });

  it('keeps the time for a minute at most, by the database’s clock, however long the offer takes', async () => {
    const instructor = scheduling.people.instructor();
    const [session] = await aGroup(instructor, members(1));
    await join(instructor);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const offering = jest.spyOn(offers, 'passOn').mockImplementation(async (_instructorId, _times, release) => {
      await held;
      await release();
    });
    await cancel(session!);
    const [placeholder] = (await placeholders()).filter(({ elements }) => elements[0]!.resource === instructor);
    expect(Number(placeholder!.until) - Date.now()).toBeLessThanOrEqual(61_000);
    await database()
      .collection<Claim>('claims')
      .updateOne({ _id: placeholder!._id }, { $set: { until: new Date(0) } });
    expect(await stranger(instructor)).toMatchObject({ status: 'scheduled' });
    goOn();
    offering.mockRestore();
    await until(
      async () => (await placeholders()).every(({ elements }) => elements[0]!.resource !== instructor),
      'nothing of it is left',
    );
    expect(await rejectionOf(stranger(instructor))).toMatchObject({ reason: 'instructor_busy' });
  });

  it('continues with the next entry when one fails', async () => {
    const instructor = scheduling.people.instructor();
    const [session] = await aGroup(instructor, members(1));
    const [poisoned, next] = [await join(instructor), await join(instructor)];
    const describing = scheduling.people.describe.bind(scheduling.people);
    const failing = jest.spyOn(scheduling.people, 'describe').mockImplementation((id, memberIds, requester) => {
      if (memberIds.includes(poisoned.member_id)) throw new Error('poisoned');
      return describing(id, memberIds, requester);
    });
    await cancel(session!);
    await until(async () => (await read(next.id)).status === 'offered', 'the next has an offer');
    failing.mockRestore();
  });
});
