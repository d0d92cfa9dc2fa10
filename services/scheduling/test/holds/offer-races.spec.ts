import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  claimBooking,
  confirmBooking,
  createHold,
  type InputOf,
  type joinWaitlist,
  makeSession,
  removeHold,
  type WaitlistEntry,
} from '@swim/contracts';
import { aSchedule, inDays, partOf, until, updateAll } from '@swim/testing';
import { CalendarService, type Claim } from '../../src/calendar/calendar.service.js';
import { ReleasedTimeService } from '../../src/calendar/released-time.service.js';
import type { HoldDocument } from '../../src/holds/hold.schema.js';
import { WaitlistRepository } from '../../src/waitlist/storage/waitlist.repository.js';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, type SchedulingHarness, startScheduling } from '../harness.js';
import { conversionOf } from './hold-conversion.js';
import { aPlace, lessonsOf, lineOf } from './waitlist-client.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const part = <T extends object>(type: new (...args: never[]) => T): T => partOf(scheduling.service, type);
const database = () => scheduling.harness.database('scheduling_test');
const holds = () => database().collection<HoldDocument>('holds');
const claims = () => database().collection<Claim>('claims');
const holdOf = (filter: object) => until(() => holds().findOne({ status: 'active', ...filter }), 'the hold is active');

const { join: joinLine, read, leave, reaches } = lineOf(() => scheduling.harness);
const join = (instructor: string, overrides: Partial<InputOf<typeof joinWaitlist>> = {}): Promise<WaitlistEntry> =>
  joinLine(aPlace(scheduling.people, instructor, overrides));
const { book, cancel } = lessonsOf(() => scheduling);
const decline = (hold_id: string) => scheduling.harness.call(removeHold, { hold_id }, asFamily);
const hold = (instructor_id: string) => {
  const sessions = [{ date: inDays(10), duration_minutes: 30 }];
  const input = { instructor_id, member_ids: [scheduling.people.member()], sessions };
  return scheduling.harness.call(createHold, input, asFamily);
};

/** An entry that cannot use the time, since its member has another lesson then. */
async function joinUnsuited(instructor: string): Promise<void> {
  const member_id = scheduling.people.member();
  const lesson = aSession(scheduling.people.instructor(), member_id, { date: inDays(10) });
  await scheduling.harness.call(makeSession, lesson, asFamily);
  await join(instructor, { member_id });
}

/** More entries than are read at once, which cannot use the time either; all of one member. */
async function joinManyUnsuited(instructor: string): Promise<void> {
  const member_id = scheduling.people.member();
  const lesson = aSession(scheduling.people.instructor(), member_id, { date: inDays(10) });
  await scheduling.harness.call(makeSession, lesson, asFamily);
  const [from, to] = [Date.parse(inDays(10)), inDays(10, 10, 30)];
  const dateOf = (index: number) => new Date(from - index).toISOString();
  const joined = Array.from({ length: 101 }, (_, index) =>
    join(instructor, { member_id, date_from: dateOf(index), date_to: to }),
  );
  await Promise.all(joined);
}

/** Replaces a method by one that holds back the calls that match, until `goOn` is called. */
function heldBack<A extends unknown[], R>(
  original: (...args: A) => Promise<R>,
  replace: (method: (...args: A) => Promise<R>) => void,
  matches: (...args: A) => boolean = () => true,
) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  replace(async (...args) => {
    if (matches(...args)) {
      reached.resolve();
      await gate.promise;
    }
    return original(...args);
  });
  return { reached: reached.promise, goOn: gate.resolve, restore: () => replace(original) };
}

function releaseOf(matches: (claimId: string) => boolean) {
  const calendar = part(CalendarService);
  const replace = (release: CalendarService['release']) => void Object.assign(calendar, { release });
  return heldBack(calendar.release.bind(calendar), replace, matches);
}

function markingOfOffers() {
  const entries = part(WaitlistRepository);
  const replace = (markOffered: WaitlistRepository['markOffered']) => void Object.assign(entries, { markOffered });
  return heldBack(entries.markOffered.bind(entries), replace);
}

const isPlaceholder = (claimId: string) => claimId.includes('@');

describe('released time reaches the next entry', () => {
  it.each([
    ['cancellation', 'offer'],
    ['offer', 'cancellation'],
  ] as const)(
    'when an offer is declined while the cancelled session is still offered, and the %s ends first',
    async (earlier, later) => {
      const instructor = scheduling.people.instructor();
      const session = await book(instructor);
      const [first, second] = [await join(instructor), await join(instructor)];
      const cancellation = releaseOf(isPlaceholder);
      await cancel(session);
      const { hold_id } = (await reaches(first, 'offered')).offer!;
      const { claimId } = await holdOf({ _id: hold_id });
      await cancellation.reached;
      const offer = releaseOf((id) => id === claimId);
      await decline(hold_id);
      await offer.reached;
      const releases = { cancellation, offer };
      releases[earlier].goOn();
      const ended = earlier === 'offer' ? { _id: claimId! } : { _id: /@/, 'elements.resource': instructor };
      await until(async () => (await claims().countDocuments(ended)) === 0, `the ${earlier} has ended`);
      releases[later].goOn();
      await reaches(second, 'offered');
      offer.restore();
      cancellation.restore();
    },
  );

  it.each(['a cancelled session', 'a removed hold'])(
    'when it joins while the time of %s is being released, although the first look for it fails',
    async (what) => {
      const instructor = scheduling.people.instructor();
      const session = what === 'a cancelled session' ? await book(instructor) : null;
      const held = session ? null : await hold(instructor);
      const claimId = held && (await holdOf({ _id: held.id })).claimId;
      await joinUnsuited(instructor);
      const release = releaseOf((id) => id === claimId || isPlaceholder(id));
      if (session) await cancel(session);
      else await decline(held!.id);
      await release.reached;
      const late = await join(instructor);
      const looking = jest.spyOn(part(ReleasedTimeService), 'hasFreePart').mockRejectedValueOnce(new Error('injected'));
      release.goOn();
      await reaches(late, 'offered');
      expect(looking).toHaveBeenCalled();
      release.restore();
      looking.mockRestore();
    },
  );

  it('when it waits behind more entries than are read at once, none of which can use the time', async () => {
    const instructor = scheduling.people.instructor();
    const session = await book(instructor);
    await joinManyUnsuited(instructor);
    const last = await join(instructor);
    await cancel(session);
    await reaches(last, 'offered');
  });

  it('when it needs the time of two sessions that are cancelled at once', async () => {
    const instructor = scheduling.people.instructor();
    const dates = [inDays(10), inDays(10, 10, 30)];
    const sessions = [await book(instructor, dates[0]), await book(instructor, dates[1])];
    const entry = await join(instructor, { date_from: dates[0]!, date_to: inDays(10, 11), duration_minutes: 60 });
    const releases = dates.map((date) => releaseOf((claimId) => claimId.endsWith(`@${Date.parse(date)}`)));
    for (const session of sessions) await cancel(session);
    for (const { reached } of releases) await reached;
    for (const { goOn } of releases) goOn();
    await reaches(entry, 'offered');
    for (const { restore } of releases.toReversed()) restore();
  });

  it('when the claim of a hold expires before the sweep has ended the hold', async () => {
    const instructor = scheduling.people.instructor();
    const { id } = await hold(instructor);
    const entry = await join(instructor);
    const { claimId } = await holdOf({ _id: id });
    const past = new Date(Date.now() - 60_000);
    await claims().updateOne({ _id: claimId! }, { $set: { until: past } });
    expect(await part(CalendarService).releaseIfLapsed((await claims().findOne({ _id: claimId! }))!)).toBe(true);
    await holds().updateOne({ _id: id }, { $set: { expiresAt: past, dueAt: past }, $inc: { rev: 1 } });
    await reaches(entry, 'offered');
  });

  it('when its offer could not be recorded and the entry has left meanwhile', async () => {
    const instructor = scheduling.people.instructor();
    const session = await book(instructor);
    const [first, second] = [await join(instructor), await join(instructor)];
    const entries = part(WaitlistRepository);
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const recording = jest.spyOn(entries, 'markOffered').mockImplementationOnce(async () => {
      reached.resolve();
      await gate.promise;
      throw new Error('injected');
    });
    await cancel(session);
    await reached.promise;
    await leave(first.id);
    gate.resolve();
    await reaches(second, 'offered');
    recording.mockRestore();
  });

  it('for its second half, when the instructor publishes no hours', async () => {
    const instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
    const session = await book(instructor, inDays(10), { duration_minutes: 60 });
    const entries = [await join(instructor), await join(instructor)];
    await cancel(session);
    const offers = await Promise.all(entries.map(async (entry) => (await reaches(entry, 'offered')).offer!.date));
    expect(offers).toEqual([inDays(10), inDays(10, 10, 30)]);
  });
});

describe('an offer whose hold a client finds before the entry is marked', () => {
  const offerUnmarked = async () => {
    const instructor = scheduling.people.instructor();
    const session = await book(instructor);
    const entry = await join(instructor);
    const marking = markingOfOffers();
    await cancel(session);
    await marking.reached;
    const { _id, memberIds } = await holdOf({ waitlistId: entry.id });
    return { instructor, entry, marking, held: { id: _id, instructor_id: instructor, member_ids: memberIds } };
  };

  it('is accepted when the hold is booked', async () => {
    const { entry, marking, held } = await offerUnmarked();
    const sessions = [{ date: inDays(10), duration_minutes: 30 }];
    const conversion = conversionOf(scheduling.people, { ...held, sessions });
    await scheduling.harness.call(claimBooking, conversion, asFamily);
    await scheduling.harness.call(confirmBooking, { bookingId: conversion.bookingId }, asFamily);
    marking.goOn();
    const accepted = await reaches(entry, 'accepted');
    expect(accepted).toMatchObject({ booking_id: conversion.bookingId, offer: { hold_id: held.id } });
    marking.restore();
    await leave(entry.id);
  });

  it('has expired when the hold is removed, and the next entry is offered the time', async () => {
    const { instructor, entry, marking, held } = await offerUnmarked();
    const next = await join(instructor);
    await decline(held.id);
    expect(await read(entry.id)).toMatchObject({ status: 'expired', offer: { hold_id: held.id } });
    marking.goOn();
    await reaches(next, 'offered');
    expect(await read(entry.id)).toMatchObject({ status: 'expired' });
    marking.restore();
    await leave(entry.id);
  });
});

it('an expired hold is removed at once, also while entries wait for its time', async () => {
  const instructor = scheduling.people.instructor();
  const { id } = await hold(instructor);
  const past = new Date(Date.now() - 60_000);
  await holds().updateOne({ _id: id }, { $set: { expiresAt: past, dueAt: past }, $inc: { rev: 1 } });
  await until(async () => (await holds().findOne({ _id: id }))?.status === 'expired', 'the hold has expired');
  const entry = await join(instructor);
  await decline(id);
  expect(await holds().findOne({ _id: id, readers: { $ne: [] } })).toBeNull();
  expect(await read(entry.id)).toMatchObject({ status: 'waiting' });
});

it('two removals of a hold at once both succeed', async () => {
  const { id } = await hold(scheduling.people.instructor());
  const calendar = part(CalendarService);
  const handOver = calendar.handOver.bind(calendar);
  const both = Promise.withResolvers<void>();
  let count = 0;
  calendar.handOver = async (...args) => {
    count += 1;
    if (count === 2) both.resolve();
    await both.promise;
    return handOver(...args);
  };
  expect(await Promise.all([decline(id), decline(id)])).toEqual([{}, {}]);
  calendar.handOver = handOver;
});

it('the calendar is consistent after all tests', async () => {
  await database().collection('waitlist').deleteMany({});
  // The revision keeps sweeps that have read a hold before from scheduling its end anew.
  const past = { expiresAt: new Date(0), dueAt: new Date(0), rev: 1_000_000 };
  await updateAll(holds(), { status: 'active' }, past);
  await wholeness(database());
});
