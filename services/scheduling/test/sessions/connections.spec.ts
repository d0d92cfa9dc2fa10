import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  cancelUnconnected,
  getSession,
  getWaitlistEntry,
  joinWaitlist,
  listSessions,
  listWaitlist,
  makeSession,
  type Participants,
  type Principal,
  type Session,
  updateLesson,
  updateSession,
  type WaitlistEntry,
} from '@swim/contracts';
import { aPrincipal, collectMessages, inDays, rejectionOf, until } from '@swim/testing';
import { classesOf } from '../classes/classes-client.js';
import { aSession, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aLesson, bookPlace } from '../lessons/places.js';

let scheduling: SchedulingHarness;
let published: BusEvent[];
let family = aPrincipal();
beforeAll(async () => {
  scheduling = await startScheduling();
  published = await collectMessages<BusEvent>(scheduling.harness.connection, 'event.*.scheduling.>');
});
afterAll(() => scheduling?.stop());
beforeEach(() => {
  family = aPrincipal();
  planned({ generation: 1, names: true });
});

/** Sets what people says of the connection from now on. */
function planned(connection: Partial<NonNullable<Participants['connection']>>): void {
  scheduling.people.connection = { generation: 1, names: false, isEndedBySchool: false, ...connection };
}
const aMember = () => scheduling.people.member(family.accountId);
const book = (memberId = aMember(), days = 10, by = family) =>
  scheduling.harness.call(makeSession, aSession(scheduling.people.instructor(), memberId, { date: inDays(days) }), {
    principal: by,
  });
const read = (session_id: string) => scheduling.harness.call(getSession, { session_id }, { principal: school });
const stateOf = async (id: string) => {
  const { status, cancellation } = await read(id);
  return status === 'cancelled' ? cancellation?.cancelled_by : status;
};
const wait = (member_id: string) =>
  scheduling.harness.call(
    joinWaitlist,
    {
      instructor_id: scheduling.people.instructor(),
      member_id,
      date_from: inDays(20),
      date_to: inDays(21),
      duration_minutes: 30,
    },
    { principal: family },
  );
const waitForPlace = async (member_id: string) => {
  const { id: lesson_id } = await aLesson(scheduling);
  return scheduling.harness.call(joinWaitlist, { lesson_id, member_id }, { principal: family });
};
const waitForClass = async (member_id: string) => {
  const { create, open } = classesOf(() => scheduling);
  const { id: class_id } = await open((await create({})).id, { outside_hours: true });
  return scheduling.harness.call(joinWaitlist, { class_id, member_id }, { principal: family });
};
const inLine = async () => (await scheduling.harness.call(listWaitlist, {}, { principal: family })).items;
type End = { generation: number; by: 'family' | 'school'; notify: boolean } | null;
const end = (generation: number, last: End, left: { memberId: string; generation: number; isQuiet?: boolean }[] = []) =>
  scheduling.harness.call(
    cancelUnconnected,
    { schoolId: school.accountId, accountId: family.accountId, generation, end: last, left },
    { principal: family },
  );
const endedBy = (by: 'family' | 'school', generation = 2) => end(generation, { generation, by, notify: true });
const connectedMembers = () => scheduling.people.connected.filter(({ accountId }) => accountId === family.accountId);

describe('a booking', () => {
  it('connects its members before its events are published', async () => {
    planned({ generation: 4 });
    const memberId = aMember();
    let known = false;
    const isPublished = () => published.some(({ audience }) => audience.includes(family.accountId));
    scheduling.people.whileConnecting = () => {
      known = isPublished();
    };
    try {
      await book(memberId);
    } finally {
      scheduling.people.whileConnecting = () => undefined;
    }
    await until(isPublished, 'the session is published');
    expect(known).toBe(false);
    expect(connectedMembers()).toEqual([
      { schoolId: school.accountId, accountId: family.accountId, memberIds: [memberId], generation: 4 },
    ]);
  });

  it('connects no member whom the connection names already, and none of the school itself', async () => {
    await book();
    const { connection } = scheduling.people;
    await book(scheduling.people.member(school.accountId), 10, school);
    expect(connection).toBe(scheduling.people.connection);
    expect(connectedMembers()).toEqual([]);
  });

  it('connects nobody when it fails', async () => {
    planned({});
    const memberId = aMember();
    await rejectionOf(book(memberId, -1));
    expect(connectedMembers()).toEqual([]);
  });

  it('is rejected with connection_ended once the school has ended the connection, and so is a place in line', async () => {
    planned({ isEndedBySchool: true });
    expect((await rejectionOf(book())).reason).toBe('connection_ended');
    for (const join of [wait, waitForPlace, waitForClass])
      expect((await rejectionOf(join(aMember()))).reason).toBe('connection_ended');
  });
});

describe('the end of a connection', () => {
  it.each(['family', 'school'] as const)('cancels lessons to come once, as by the %s', async (by) => {
    const [first, second] = [await book(), await book()];
    expect(await endedBy(by)).toEqual({ done: true });
    const side = by === 'school' ? school.accountId : family.accountId;
    for (const { id } of [first, second]) expect(await stateOf(id)).toBe(side);
    const before = await read(first.id);
    expect(await endedBy(by)).toEqual({ done: true });
    expect(await read(first.id)).toEqual(before);
  });

  it('cancels nothing that was booked since, and no lessons of other families or with other schools', async () => {
    const other = family;
    const kept = await book();
    family = aPrincipal();
    const ended = await book();
    await endedBy('family');
    planned({ generation: 2, names: true });
    const revived = await book();
    await endedBy('family');
    expect(await stateOf(revived.id)).toBe('scheduled');
    expect(await stateOf(ended.id)).toBe(family.accountId);
    expect(await stateOf(kept.id)).toBe('scheduled');
    expect(other.accountId).not.toBe(family.accountId);
  });

  it('leaves nothing of a booking that was planned before it and stored afterwards', async () => {
    await endedBy('school');
    const late = await book();
    await until(async () => (await stateOf(late.id)) === school.accountId, 'the session is cancelled');
  });

  it('cancels lessons of a member that was left out, as by the family, and no others', async () => {
    const [stays, leaves] = [aMember(), aMember()];
    const [kept, left] = [await book(stays), await book(leaves)];
    await end(2, null, [{ memberId: leaves, generation: 2 }]);
    expect([await stateOf(kept.id), await stateOf(left.id)]).toEqual(['scheduled', family.accountId]);
    expect((await read(left.id)).cancellation?.participants_notified).toBe(true);
    planned({ generation: 2, names: true });
    const again = await book(leaves);
    await end(2, null, [{ memberId: leaves, generation: 2 }]);
    expect(await stateOf(again.id)).toBe('scheduled');
    await end(3, null, [{ memberId: leaves, generation: 3, isQuiet: true }]);
    expect((await read(again.id)).cancellation?.participants_notified).toBe(false);
  });

  it('changes nothing when a later end arrived before it', async () => {
    await endedBy('school', 5);
    await endedBy('family', 2);
    planned({ generation: 3, names: true });
    const late = await book();
    await until(async () => (await stateOf(late.id)) === school.accountId, 'the session is cancelled');
  });
});

describe('a place in line', () => {
  const LINES: [string, () => (memberId: string) => Promise<WaitlistEntry>, string][] = [
    ['time', () => wait, 'instructor_id'],
    ['a lesson', () => waitForPlace, 'lesson_id'],
    ['a class', () => waitForClass, 'class_id'],
  ];
  it.each(LINES)('for %s connects its member, and ends with the connection', async (_, joining) => {
    planned({});
    const memberId = aMember();
    const { id } = await joining()(memberId);
    expect(connectedMembers()).toMatchObject([{ memberIds: [memberId], generation: 1 }]);
    await endedBy('school');
    const gone = scheduling.harness.call(getWaitlistEntry, { waitlist_id: id }, { principal: family });
    expect((await rejectionOf(gone)).reason).toBe('resource_not_found');
  });

  it.each(LINES)('for %s ends when the account leaves its member out', async (_, joining) => {
    const memberId = aMember();
    const { id } = await joining()(memberId);
    await end(2, null, [{ memberId, generation: 2 }]);
    const gone = scheduling.harness.call(getWaitlistEntry, { waitlist_id: id }, { principal: family });
    expect((await rejectionOf(gone)).reason).toBe('resource_not_found');
  });

  it.each(LINES)('for %s is refused when it is stored after the end of the connection', async (_, joining, field) => {
    await endedBy('family');
    const late = await rejectionOf(joining()(aMember()));
    expect([late.reason, late.details.field]).toEqual(['connection_ended', field]);
    expect(await inLine()).toEqual([]);
  });

  it('ends with the connection although its request died once it was stored', async () => {
    const { id } = await wait(aMember());
    const pair = { schoolId: school.accountId, accountId: family.accountId };
    const readers = [school.accountId, family.accountId];
    const end = { generation: 2, by: 'family', notify: true };
    const marked = { _id: `${pair.schoolId}|${pair.accountId}`, ...pair, readers, generation: 2, end, left: [] };
    const database = scheduling.harness.database('scheduling_test');
    await database.collection<{ _id: string }>('connection_ends').insertOne(marked);
    await database.collection<{ _id: string }>('waitlist').updateOne({ _id: id }, { $set: { dueAt: new Date(0) } });
    await until(async () => (await inLine()).length === 0, 'nobody is in line');
  });
});

describe('a session that had begun when the connection ended', () => {
  afterEach(() => scheduling.clock.set(new Date()));
  const begunAtTheEnd = async ({ date }: Pick<Session, 'date'>) => {
    scheduling.clock.set(new Date(Date.parse(date) + 60_000));
    await endedBy('family');
  };

  it('is not moved by anybody', async () => {
    const other = await aLesson(scheduling, { date: inDays(12) });
    const session = await book(aMember(), 11);
    await begunAtTheEnd(session);
    for (const changes of [{ date: inDays(13) }, { lesson_id: other.id }]) {
      const moved = scheduling.harness.call(updateSession, { session_id: session.id, changes }, { principal: school });
      expect((await rejectionOf(moved)).reason).toBe('connection_ended');
    }
    expect(await stateOf(session.id)).toBe('scheduled');
  });

  it('is cancelled when its lesson is moved to a time to come, and those of others are not', async () => {
    const lesson = await aLesson(scheduling, { date: inDays(11), capacity: 2 });
    const place = ({ accountId }: Principal) =>
      bookPlace(scheduling, lesson, { accountId, memberId: scheduling.people.member(accountId) });
    const [ended, other] = [await place(family), await place(aPrincipal())];
    await begunAtTheEnd(ended);
    const changes = { date: inDays(13) };
    await scheduling.harness.call(updateLesson, { lesson_id: lesson.id, changes }, { principal: school });
    expect([await stateOf(ended.id), await stateOf(other.id)]).toEqual([family.accountId, 'scheduled']);
  });
});

it('the sessions of a family stay listed once its connection has ended', async () => {
  const { id } = await book();
  await endedBy('family');
  const { items } = await scheduling.harness.call(listSessions, {}, { principal: family });
  expect(items.map((each) => each.id)).toEqual([id]);
});
