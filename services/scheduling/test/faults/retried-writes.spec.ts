import { afterAll, beforeAll, beforeEach, it } from '@jest/globals';
import {
  cancelSession,
  completeSession,
  createHold,
  createPool,
  getHold,
  getPool,
  getSession,
  joinWaitlist,
  leaveWaitlist,
  listPools,
  listSessions,
  listWaitlist,
  makeSession,
  mintInstructorCalendarToken,
  mintMemberCalendarToken,
  type Principal,
  recordAttendance,
  recordLessonAttendance,
  removeHold,
  removePool,
  revokeInstructorCalendarToken,
  revokeMemberCalendarToken,
  type Session,
  updatePool,
  updateSession,
} from '@swim/contracts';
import { aPrincipal, aSchedule, inDays, publicWrites, RetriedWrites, retried } from '@swim/testing';
import { classWrites } from '../classes/retried-classes.js';
import { closureWrites } from '../closures/retried-closures.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aPlace } from '../holds/waitlist-client.js';
import { heldPlaces, retriedLessons } from './retried-lessons.js';

const PATIENCE_MS = 240_000;

let scheduling: SchedulingHarness;
let writes: RetriedWrites;
beforeAll(async () => {
  writes = await RetriedWrites.before('scheduling');
  scheduling = await startScheduling();
});
afterAll(async () => {
  writes?.release();
  await scheduling?.stop();
  await writes?.close();
});
beforeEach(() => scheduling.clock.set(new Date()));

const call: SchedulingHarness['harness']['call'] = (...request) => scheduling.harness.call(...request);
const asSchool = { principal: school };
const anInstructor = () => scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
const swim = (instructor = anInstructor(), date = inDays(10)) =>
  call(makeSession, aSession(instructor, scheduling.people.member(), { date }), asFamily);
const read = ({ id: session_id }: Pick<Session, 'id'>) => call(getSession, { session_id }, asFamily);
/** Sessions of an instructor. */
const sessionsOf = async (instructor_id: string) =>
  (await call(listSessions, { instructor_id }, asFamily)).items.map(({ id, status, date }) => [id, status, date]);
/** Claims of an instructor's time. */
const takenOf = (resource: string) =>
  scheduling.harness
    .database('scheduling_test')
    .collection('claims')
    .find({ 'elements.resource': resource, state: { $in: ['held', 'confirmed'] } })
    .project({ state: 1 })
    .toArray();
const BATHS = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC' };
const aSwimSchool = () => aPrincipal({ kind: 'school' });
const poolsOf = async (principal: Principal) =>
  (await call(listPools, {}, { principal })).items.filter(({ account_id }) => account_id === principal.accountId);

/** A session that has begun. */
async function begun(): Promise<Session> {
  scheduling.clock.set(new Date());
  const session = await swim();
  scheduling.clock.set(new Date(Date.parse(session.date) + 60_000));
  return session;
}

const SESSIONS = [
  retried(makeSession, async () => {
    const instructor = anInstructor();
    return {
      principal: family,
      input: aSession(instructor, scheduling.people.member()),
      rival: ({ id: session_id }) => call(cancelSession, { session_id }, asFamily),
      look: () => sessionsOf(instructor),
    };
  }),
  retried(updateSession, async () => {
    const instructor = anInstructor();
    const session = await swim(instructor);
    const changed = (date: string) => ({ session_id: session.id, changes: { date, notes: date } });
    return {
      principal: family,
      input: changed(inDays(11)),
      rival: () => call(updateSession, changed(inDays(12)), asFamily),
      look: () => read(session),
    };
  }),
  retried(cancelSession, async () => {
    const instructor = anInstructor();
    const { id } = await swim(instructor);
    return {
      principal: family,
      input: { session_id: id },
      rival: () => swim(instructor, inDays(11)),
      look: () => sessionsOf(instructor),
    };
  }),
  retried(completeSession, async () => {
    const session = await begun();
    return {
      principal: school,
      input: { session_id: session.id },
      rival: () => call(recordAttendance, { session_id: session.id, attendance: 'no_show' }, asSchool),
      look: () => read(session),
    };
  }),
  retried(recordAttendance, async () => {
    const session = await begun();
    return {
      principal: school,
      input: { session_id: session.id, attendance: 'no_show' as const },
      rival: () => call(recordAttendance, { session_id: session.id, attendance: 'attended' }, asSchool),
      look: () => read(session),
    };
  }),
  retried(recordLessonAttendance, async () => {
    const session = await begun();
    return {
      principal: school,
      input: { lesson_id: session.lesson_id, entries: [{ session_id: session.id, attendance: 'attended' as const }] },
      rival: () => call(recordAttendance, { session_id: session.id, attendance: 'no_show' }, asSchool),
      look: () => read(session),
    };
  }),
];

const HOLDS = [
  retried(createHold, async () => {
    const instructor_id = anInstructor();
    const sessions = [{ date: inDays(10), duration_minutes: 30 }];
    return {
      principal: school,
      input: { instructor_id, member_ids: [scheduling.people.member()], sessions },
      rival: ({ id: hold_id }) => call(removeHold, { hold_id }, asSchool),
      look: async ({ id: hold_id }) => [
        await call(getHold, { hold_id }, asSchool).then(
          ({ status }) => status,
          ({ reason }) => reason,
        ),
        await takenOf(instructor_id),
      ],
    };
  }),
  retried(removeHold, async () => {
    const instructor_id = anInstructor();
    const sessions = [{ date: inDays(10), duration_minutes: 30 }];
    const hold = () =>
      call(createHold, { instructor_id, member_ids: [scheduling.people.member()], sessions }, asSchool);
    const { id: hold_id } = await hold();
    return { principal: school, input: { hold_id }, rival: hold, look: () => takenOf(instructor_id) };
  }),
  retried(joinWaitlist, async () => {
    const instructor = anInstructor();
    return {
      principal: family,
      input: aPlace(scheduling.people, instructor),
      rival: ({ id: waitlist_id }) => call(leaveWaitlist, { waitlist_id }, asFamily),
      look: async () => (await call(listWaitlist, { instructor_id: instructor }, asFamily)).items,
    };
  }),
  retried(leaveWaitlist, async () => {
    const instructor = anInstructor();
    const join = () => call(joinWaitlist, aPlace(scheduling.people, instructor), asFamily);
    const { id: waitlist_id } = await join();
    return {
      principal: family,
      input: { waitlist_id },
      rival: join,
      look: async () => (await call(listWaitlist, { instructor_id: instructor }, asFamily)).items,
    };
  }),
];

const POOLS = [
  retried(createPool, async () => {
    const principal = aSwimSchool();
    return {
      principal,
      input: BATHS,
      rival: ({ id: pool_id }) => call(removePool, { pool_id }, { principal }),
      look: () => poolsOf(principal),
    };
  }),
  retried(updatePool, async () => {
    const principal = aSwimSchool();
    const { id: pool_id } = await call(createPool, BATHS, { principal });
    const named = (name: string, lanes: number) => ({ pool_id, changes: { name, lanes, metadata: { name } } });
    return {
      principal,
      input: named('first', 1),
      rival: () => call(updatePool, named('second', 2), { principal }),
      look: () => call(getPool, { pool_id }, { principal }),
    };
  }),
  retried(removePool, async () => {
    const principal = aSwimSchool();
    const { id: pool_id } = await call(createPool, BATHS, { principal });
    return {
      principal,
      input: { pool_id },
      rival: () => call(createPool, BATHS, { principal }),
      look: () => poolsOf(principal),
    };
  }),
];

/** The stored token of a feed. */
const tokenOf = async (_id: string) => {
  const tokens = scheduling.harness
    .database('scheduling_test')
    .collection<{ _id: string; hash: string | null }>('calendar_tokens');
  return (await tokens.findOne({ _id }))?.hash ?? null;
};

const FEEDS = [
  retried(mintMemberCalendarToken, async () => {
    const member_id = scheduling.people.member();
    return {
      principal: family,
      input: { member_id },
      rival: () => call(mintMemberCalendarToken, { member_id }, asFamily),
      look: () => tokenOf(member_id),
    };
  }),
  retried(mintInstructorCalendarToken, async () => {
    const instructor_id = anInstructor();
    return {
      principal: school,
      input: { instructor_id },
      rival: () => call(revokeInstructorCalendarToken, { instructor_id }, asSchool),
      look: () => tokenOf(instructor_id),
    };
  }),
  retried(revokeMemberCalendarToken, async () => {
    const member_id = scheduling.people.member();
    await call(mintMemberCalendarToken, { member_id }, asFamily);
    return {
      principal: family,
      input: { member_id },
      rival: () => call(mintMemberCalendarToken, { member_id }, asFamily),
      look: () => tokenOf(member_id),
    };
  }),
  retried(revokeInstructorCalendarToken, async () => {
    const instructor_id = anInstructor();
    await call(mintInstructorCalendarToken, { instructor_id }, asSchool);
    return {
      principal: school,
      input: { instructor_id },
      rival: () => call(mintInstructorCalendarToken, { instructor_id }, asSchool),
      look: () => tokenOf(instructor_id),
    };
  }),
];

const LESSONS = [
  ...retriedLessons(() => scheduling),
  ...classWrites(() => scheduling),
  ...closureWrites(() => scheduling),
];
const CASES = [...SESSIONS, ...LESSONS, ...HOLDS, ...POOLS, ...FEEDS];

it.each([...publicWrites('scheduling'), makeSession])(
  'the effect of another client stands when $name, which came before it, is repeated or ends late',
  (operation) => writes.check(scheduling.harness, operation, CASES),
  PATIENCE_MS,
);

it(
  'the removal of a hold of places stands when its request is repeated or ends late',
  () => writes.check(scheduling.harness, createHold, [heldPlaces(() => scheduling)]),
  PATIENCE_MS,
);
