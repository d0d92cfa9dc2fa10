import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  applyClockToTimes,
  cancelSession,
  claimBooking,
  completeSession,
  confirmBooking,
  getSession,
  joinWaitlist,
  listWaitlist,
  makeSession,
  memberErased,
  type Session,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, inDays, publishEvent, until } from '@swim/testing';
import {
  aSession,
  asFamily,
  family,
  type SchedulingHarness,
  school,
  startScheduling,
  TERMS,
  withKey,
} from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());
beforeEach(() => scheduling.clock.set(new Date()));

const CANARY = 'canary';
const collection = (name: string) => scheduling.harness.database('scheduling_test').collection<{ _id: string }>(name);
const read = (session_id: string) => scheduling.harness.call(getSession, { session_id }, asFamily);
const make = (instructor: string, member: string, date: string, options = asFamily): Promise<Session> =>
  scheduling.harness.call(
    makeSession,
    { ...aSession(instructor, member, { date }), notes: CANARY, metadata: { by: CANARY } },
    options,
  );

/** Publishes the erasure of a member; people no longer knows it. */
async function erase(id: string, account_id = family.accountId): Promise<void> {
  scheduling.people.memberAccounts.delete(id);
  await publishEvent(scheduling.harness, memberErased, {
    object: { id, account_id, erased_at: new Date().toISOString() },
    audience: [account_id, school.accountId],
  });
}

const isMarked = (id: string) => until(() => collection('erased_members').findOne({ _id: id }), 'it is marked');

/** Sessions of a group, booked and confirmed. */
async function aBooking(instructorId: string, memberIds: string[], date: string): Promise<Session[]> {
  const { schedule, timezone } = scheduling.people.instructors.get(instructorId)!;
  const bookingId = newId('bkg');
  const rules = {
    instructorId,
    schoolId: school.accountId,
    timezone,
    schedule,
    enforceAvailability: true,
    defaultPoolId: null,
  };
  const sessions = memberIds.map((memberId) => ({ id: newId('ses'), memberId }));
  await scheduling.harness.call(
    claimBooking,
    {
      bookingId,
      accountId: family.accountId,
      rules,
      terms: TERMS,
      currency: 'USD',
      location: null,
      notes: CANARY,
      slots: [{ date, durationMinutes: 30, priceCents: 3_000, sessions }],
      onConflict: 'fail',
      dryRun: false,
    },
    asFamily,
  );
  return (await scheduling.harness.call(confirmBooking, { bookingId }, asFamily)).sessions;
}

describe('when a member is erased', () => {
  it('a lesson in progress is cancelled when it is moved to the future', async () => {
    const member = scheduling.people.member();
    const runs = await make(scheduling.people.instructor(), member, inDays(1));
    scheduling.clock.set(new Date(Date.parse(inDays(1)) + 60_000));
    await erase(member);
    await isMarked(member);
    const erased = await until(async () => {
      const now = await read(runs.id);
      // A read that began before has no notes either, once their key is destroyed.
      return now.notes === null && Object.keys(now.metadata).length === 0 ? now : null;
    }, 'the erasure is through');
    expect(erased).toMatchObject({ status: 'scheduled', metadata: {}, version: runs.version });
    expect(Date.parse(erased.updated_at)).toBeGreaterThan(Date.parse(runs.updated_at));
    const moved = await scheduling.harness.call(
      updateSession,
      { session_id: runs.id, changes: { date: inDays(9) } },
      { principal: school },
    );
    expect(moved).toMatchObject({ status: 'cancelled', date: inDays(9) });
  });

  it('a lesson in progress takes no notes and no metadata any more, and its other changes are stored', async () => {
    const member = scheduling.people.member();
    const runs = await make(scheduling.people.instructor(), member, inDays(1));
    scheduling.clock.set(new Date(Date.parse(inDays(1)) + 60_000));
    await erase(member);
    await until(async () => (await read(runs.id)).notes === null, 'the erasure is through');
    const location = { type: 'home' as const, pool_id: null };
    const changes = { notes: CANARY, metadata: { by: CANARY }, location };
    const answer = await scheduling.harness.call(
      updateSession,
      { session_id: runs.id, changes },
      { principal: school },
    );
    expect(answer).toMatchObject({ notes: null, location });
    expect(answer.metadata).toEqual({});
    expect(await read(runs.id)).toEqual(answer);
    expect(JSON.stringify(await collection('sessions').findOne({ _id: runs.id }))).not.toContain(CANARY);
  });

  it('a lesson that has begun by the clock of its account stays, and later ones are cancelled', async () => {
    const owner = aPrincipal();
    const as = { principal: owner };
    const instructor = scheduling.people.instructor();
    const member = scheduling.people.member(owner.accountId);
    const [begun, later] = [
      await make(instructor, member, inDays(2), as),
      await make(instructor, member, inDays(4), as),
    ];
    const offsetMs = Date.parse(begun.date) + 60_000 - scheduling.clock.now().getTime();
    await scheduling.harness.call(applyClockToTimes, { accountId: owner.accountId, fromMs: 0, offsetMs });
    await erase(member, owner.accountId);
    const statusOf = async ({ id }: Session) =>
      (await scheduling.harness.call(getSession, { session_id: id }, as)).status;
    await until(async () => (await statusOf(later)) === 'cancelled', 'the later one is cancelled');
    expect(await statusOf(begun)).toBe('scheduled');
  });

  it('its future sessions are cancelled in its account’s name, their time is free, and past ones stay', async () => {
    const instructor = scheduling.people.instructor();
    const member = scheduling.people.member();
    const was = await make(instructor, member, inDays(2));
    const toCome = [await make(instructor, member, inDays(10)), await make(instructor, member, inDays(11))];
    const events: { type: string; objectId: string; object: Session }[] = [];
    scheduling.harness.connection.subscribe('event.test.scheduling.>', {
      callback: (_, message) => void events.push(...[message.json<(typeof events)[number]>()].flat()),
    });
    scheduling.clock.set(new Date(inDays(2)));
    await scheduling.harness.call(completeSession, { session_id: was.id });
    scheduling.clock.set(new Date(inDays(3)));
    await erase(member);
    for (const { id } of toCome) {
      await until(async () => (await read(id)).status === 'cancelled', 'it is cancelled');
      const publishedEvents = await until(
        () => events.find(({ type, objectId }) => type === 'session.cancelled' && objectId === id),
        'the event is consumed',
      );
      const facts = { cancelled_by: family.accountId, participants_notified: true };
      expect(publishedEvents.object.cancellation).toMatchObject(facts);
      expect(publishedEvents.object.cancellation).not.toHaveProperty('reason');
    }
    expect(await read(was.id)).toMatchObject({ status: 'completed' });
    const next = aSession(instructor, scheduling.people.member(), { date: inDays(10) });
    const made = () => scheduling.harness.call(makeSession, next, asFamily).catch(() => null);
    expect(await until(made, 'its time is free')).toMatchObject({ status: 'scheduled' });
  });

  it('all texts are removed: notes, reasons, stored answers, and the notes of its groups', async () => {
    const instructor = scheduling.people.instructor();
    const [member, sibling] = [scheduling.people.member(), scheduling.people.member()];
    const cancelled = await make(instructor, member, inDays(20), withKey(`make ${member}`));
    await scheduling.harness.call(
      cancelSession,
      { session_id: cancelled.id, reason: CANARY },
      withKey(`cancel ${member}`),
    );
    const changed = await make(instructor, member, inDays(21));
    await scheduling.harness.call(
      updateSession,
      { session_id: changed.id, changes: { notes: `${CANARY} again` } },
      withKey(`change ${member}`),
    );
    const [, ofSibling] = await aBooking(instructor, [member, sibling], inDays(22));
    const others = await make(instructor, sibling, inDays(23));
    await erase(member);
    const clean = { notes: null, ops: [] };
    const ofMember = () => collection('sessions').find({ memberId: member }).toArray();
    await until(
      async () => (await ofMember()).every((each) => 'notes' in each && each.notes === null),
      'notes are gone',
    );
    for (const each of await ofMember()) expect(each).toMatchObject({ ...clean, status: 'cancelled' });
    const records = collection('idempotency');
    await until(async () => (await records.countDocuments({ subjects: member })) === 0, 'the answers are gone');
    for (const name of ['sessions', 'claims', 'days', 'waitlist', 'idempotency']) {
      const kept = () =>
        collection(name)
          .find({ _id: { $ne: others.id } })
          .toArray();
      // Plans of claims and events in the outbox are removed in due course.
      await until(async () => !JSON.stringify(await kept()).includes(CANARY), `nothing stays of it in ${name}`);
    }
    expect(await read(ofSibling!.id)).toMatchObject({ status: 'scheduled', notes: null });
    expect(await read(others.id)).toMatchObject({ notes: CANARY });
  });

  it('a booking made afterwards has no future session', async () => {
    const instructor = scheduling.people.instructor();
    const [member, sibling] = [scheduling.people.member(), scheduling.people.member()];
    await erase(member);
    await isMarked(member);
    const [late, beside] = await aBooking(instructor, [member, sibling], inDays(30));
    await until(async () => (await read(late!.id)).status === 'cancelled', 'it is cancelled');
    // The texts are erased after the cancellation.
    for (const { id } of [late!, beside!])
      await until(async () => (await read(id)).notes === null, 'its notes are erased');
    expect(await read(beside!.id)).toMatchObject({ status: 'scheduled' });
  });

  it('a concurrent booking has no future session either, in either order', async () => {
    for (let round = 0; round < 8; round++) {
      const instructor = scheduling.people.instructor();
      const member = scheduling.people.member();
      await Promise.all([aBooking(instructor, [member], inDays(31)), erase(member)]);
      await isMarked(member);
      await until(
        async () => (await collection('sessions').countDocuments({ memberId: member, status: 'cancelled' })) === 1,
        'the session is cancelled',
      );
    }
  });

  it('it leaves the waitlist', async () => {
    const instructor = scheduling.people.instructor({ schedule: aSchedule() });
    const member = scheduling.people.member();
    const range = { date_from: inDays(40), date_to: inDays(50), duration_minutes: 30 };
    await scheduling.harness.call(joinWaitlist, { instructor_id: instructor, member_id: member, ...range }, asFamily);
    await erase(member);
    await until(
      async () => (await scheduling.harness.call(listWaitlist, { member_id: member }, asFamily)).pagination.total === 0,
      'it no longer waits',
    );
  });

  it('it leaves the waitlist, however many entries it has', async () => {
    const instructor = scheduling.people.instructor({ schedule: aSchedule() });
    const member = scheduling.people.member();
    const join = (index: number) => {
      const range = { date_from: inDays(40, 0, index % 60), date_to: inDays(50 + (index % 50)), duration_minutes: 30 };
      const input = { instructor_id: instructor, member_id: member, ...range };
      return scheduling.harness.call(joinWaitlist, input, asFamily);
    };
    for (let from = 0; from < 250; from += 25)
      await Promise.all(Array.from({ length: 25 }, (_, at) => join(from + at)));
    const waiting = async () =>
      (await scheduling.harness.call(listWaitlist, { member_id: member }, asFamily)).pagination.total;
    expect(await waiting()).toBe(250);
    await erase(member);
    await until(async () => (await waiting()) === 0, 'it waits no more', 240_000);
  });

  it('a second delivery of the event changes nothing', async () => {
    const instructor = scheduling.people.instructor();
    const member = scheduling.people.member();
    const { id } = await make(instructor, member, inDays(60));
    await erase(member);
    await until(async () => (await read(id)).status === 'cancelled', 'it is cancelled');
    const before = await until(async () => {
      const now = await read(id);
      // A read that began before has no notes either, once their key is destroyed.
      return now.notes === null && Object.keys(now.metadata).length === 0 && now;
    }, 'its texts are gone');
    await erase(member);
    const witness = scheduling.people.member();
    await erase(witness);
    await isMarked(witness);
    expect(await read(id)).toEqual(before);
  });
});
