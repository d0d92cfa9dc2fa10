import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  claimBooking,
  confirmBooking,
  createHold,
  getHold,
  type InputOf,
  joinWaitlist,
  makeSession,
  removeHold,
  updateSession,
  type WaitlistEntry,
} from '@swim/contracts';
import { inDays, rejectionOf, until, updateAll } from '@swim/testing';
import { aSession, asFamily, family, type SchedulingHarness, startScheduling } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';
import { aPlace, lessonsOf, lineOf } from '../holds/waitlist-client.js';
import { wholeness } from './calendar-checks.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type JoinInput = InputOf<typeof joinWaitlist>;

const joinInput = (instructor_id: string, overrides: Partial<JoinInput> = {}) =>
  aPlace(scheduling.people, instructor_id, overrides);
const { join, read, leave, reaches } = lineOf(() => scheduling.harness);
const { book, cancel } = lessonsOf(() => scheduling);

/** Books the offer of an entry. */
async function accept({ instructor_id, member_id, offer }: WaitlistEntry): Promise<string> {
  const duration_minutes = (Date.parse(offer!.end_date) - Date.parse(offer!.date)) / 60_000;
  const sessions = [{ date: offer!.date, duration_minutes }];
  const held = { id: offer!.hold_id, instructor_id, member_ids: [member_id], sessions };
  const conversion = conversionOf(scheduling.people, held);
  await scheduling.harness.call(claimBooking, conversion, asFamily);
  await scheduling.harness.call(confirmBooking, { bookingId: conversion.bookingId }, asFamily);
  return conversion.bookingId;
}

/** Puts the end of an offer into the past. */
async function runOut(holdId: string): Promise<void> {
  const past = new Date(Date.now() - 60_000);
  const holds = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('holds');
  // A new revision, so that no sweep that has read the hold before schedules its end anew.
  await holds.updateOne({ _id: holdId }, { $set: { expiresAt: past, dueAt: past }, $inc: { rev: 1 } });
}

describe('released time', () => {
  it('is offered to the first entry before any other account can claim it, and then to the next', async () => {
    const instructor = scheduling.people.instructor();
    const session = await book(instructor);
    const [first, second] = [await join(joinInput(instructor)), await join(joinInput(instructor))];
    await cancel(session);
    const offered = await reaches(first, 'offered');
    expect(offered).toMatchObject({ offer: { date: inDays(10), end_date: session.end_date } });
    const lastsMinutes = (Date.parse(offered.offer!.expires_at) - Date.now()) / 60_000;
    expect(Math.round(lastsMinutes)).toBe(30);
    expect(await scheduling.harness.call(getHold, { hold_id: offered.offer!.hold_id }, asFamily)).toMatchObject({
      status: 'active',
      waitlist_id: first.id,
      member_ids: [first.member_id],
    });
    expect(await rejectionOf(book(instructor))).toMatchObject({ reason: 'instructor_busy' });
    await runOut(offered.offer!.hold_id);
    await reaches(first, 'expired');
    const next = await reaches(second, 'offered');
    expect(await rejectionOf(book(instructor))).toMatchObject({ reason: 'instructor_busy' });
    const bookingId = await accept(next);
    expect(await read(second.id)).toMatchObject({ status: 'accepted', booking_id: bookingId });
    expect(await rejectionOf(book(instructor))).toMatchObject({ reason: 'instructor_busy' });
  });

  it('is offered to the next at once when an offer is declined, by removing its hold or leaving the waitlist', async () => {
    const instructor = scheduling.people.instructor();
    const session = await book(instructor);
    const [first, second, third] = [
      await join(joinInput(instructor)),
      await join(joinInput(instructor)),
      await join(joinInput(instructor)),
    ];
    await cancel(session);
    await scheduling.harness.call(removeHold, { hold_id: (await reaches(first, 'offered')).offer!.hold_id }, asFamily);
    expect(await read(first.id)).toMatchObject({ status: 'expired' });
    await reaches(second, 'offered');
    await leave(second.id);
    await reaches(third, 'offered');
    await leave(third.id);
    // The claim of the offer before is released after the third has been offered its time.
    await until(() => book(instructor).catch(() => null), 'the time is free for all');
  });

  it('also comes from a move, a shorter session and an unused hold', async () => {
    const instructor = scheduling.people.instructor();
    const moved = await book(instructor);
    const entry = await join(joinInput(instructor));
    await scheduling.harness.call(
      updateSession,
      { session_id: moved.id, changes: { date: inDays(12) } },
      { principal: family },
    );
    expect(await reaches(entry, 'offered')).toMatchObject({ offer: { date: inDays(10) } });

    const long = await book(instructor, inDays(14), { duration_minutes: 60 });
    const halfPast = new Date(Date.parse(inDays(14)) + 1_800_000).toISOString();
    const shorter = await join(joinInput(instructor, { date_from: halfPast, date_to: inDays(15, 0) }));
    await scheduling.harness.call(
      updateSession,
      { session_id: long.id, changes: { duration_minutes: 30 } },
      { principal: family },
    );
    expect(await reaches(shorter, 'offered')).toMatchObject({ offer: { date: halfPast } });

    const held = await scheduling.harness.call(
      createHold,
      {
        instructor_id: instructor,
        member_ids: [scheduling.people.member()],
        sessions: [{ date: inDays(16), duration_minutes: 30 }],
      },
      asFamily,
    );
    const waits = await join(joinInput(instructor, { date_from: inDays(16, 0), date_to: inDays(17, 0) }));
    await runOut(held.id);
    await reaches(waits, 'offered');
  });

  it('is not offered to an entry that cannot use it: another day, a longer lesson, a member who is busy then', async () => {
    const { people } = scheduling;
    const instructor = people.instructor();
    const session = await book(instructor);
    const half = 1_800_000;
    await book(instructor, new Date(Date.parse(inDays(10)) + half).toISOString());
    await book(instructor, new Date(Date.parse(inDays(10)) - half).toISOString());
    const busyMember = people.member();
    await scheduling.harness.call(makeSession, aSession(people.instructor(), busyMember), asFamily);
    const useless = [
      await join(joinInput(instructor, { date_from: inDays(11, 0), date_to: inDays(12, 0) })),
      await join(joinInput(instructor, { duration_minutes: 60 })),
      await join(joinInput(instructor, { member_id: busyMember })),
    ];
    const fits = await join(joinInput(instructor));
    await cancel(session);
    expect(await reaches(fits, 'offered')).toMatchObject({ offer: { date: inDays(10) } });
    for (const entry of useless) expect(await read(entry.id)).toMatchObject({ status: 'waiting' });
  });

  it('is free at once without a waiting entry', async () => {
    const instructor = scheduling.people.instructor();
    const session = await book(instructor);
    await leave((await join(joinInput(instructor))).id);
    await cancel(session);
    await book(instructor);
  });

  it('of a group is offered only when its last member has left', async () => {
    const { people } = scheduling;
    const instructor = people.instructor();
    const held = { id: '', instructor_id: instructor, member_ids: [people.member(), people.member()] };
    const booking = conversionOf(people, { ...held, sessions: [{ date: inDays(10), duration_minutes: 30 }] });
    await scheduling.harness.call(claimBooking, { ...booking, holdId: null }, asFamily);
    const { sessions } = await scheduling.harness.call(confirmBooking, { bookingId: booking.bookingId }, asFamily);
    const entry = await join(joinInput(instructor));
    await cancel(sessions[0]!);
    expect(await read(entry.id)).toMatchObject({ status: 'waiting' });
    await cancel(sessions[1]!);
    expect(await reaches(entry, 'offered')).toMatchObject({ offer: { date: inDays(10) } });
  });

  it('is not offered to a member or instructor that no longer exists', async () => {
    const instructor = scheduling.people.instructor();
    const session = await book(instructor);
    const gone = await join(joinInput(instructor));
    const next = await join(joinInput(instructor));
    scheduling.people.memberAccounts.delete(gone.member_id);
    await cancel(session);
    await reaches(next, 'offered');
    expect(await read(gone.id)).toMatchObject({ status: 'waiting' });
  });

  it('serves several entries when it is long enough', async () => {
    const instructor = scheduling.people.instructor();
    const session = await book(instructor, inDays(10), { duration_minutes: 60 });
    const entries = [await join(joinInput(instructor)), await join(joinInput(instructor))];
    await cancel(session);
    const offers = await Promise.all(entries.map(async (entry) => (await reaches(entry, 'offered')).offer!));
    expect(offers.map(({ date }) => date)).toEqual([
      inDays(10),
      new Date(Date.parse(inDays(10)) + 1_800_000).toISOString(),
    ]);
  });

  it('goes to one entry each when many sessions are cancelled at once', async () => {
    const instructor = scheduling.people.instructor();
    const sessions = await Promise.all([10, 11, 12].map((day) => book(instructor, inDays(day))));
    const input = { date_from: inDays(10, 0), date_to: inDays(13, 0) };
    const entries = [await join(joinInput(instructor, input)), await join(joinInput(instructor, input))];
    await Promise.all(sessions.map(cancel));
    const offered = await Promise.all(entries.map((entry) => reaches(entry, 'offered')));
    expect(new Set(offered.map(({ offer }) => offer!.date)).size).toBe(2);
    const free = sessions.filter(({ date }) => !offered.some(({ offer }) => offer!.date === date));
    expect(free).toHaveLength(1);
    await until(() => book(instructor, free[0]!.date).catch(() => null), 'what is over is free');
  });
});

it('the calendar is consistent after all tests', async () => {
  const database = scheduling.harness.database('scheduling_test');
  await database.collection('waitlist').deleteMany({});
  // The revision keeps sweeps that have read a hold before from scheduling its end anew.
  const past = { expiresAt: new Date(0), dueAt: new Date(0), rev: 1_000_000 };
  await updateAll(database.collection('holds'), { status: 'active' }, past);
  await wholeness(database);
});
