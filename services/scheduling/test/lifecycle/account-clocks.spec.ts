import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  applyClockToTimes,
  type BusEvent,
  createHold,
  getAvailability,
  getHold,
  getLesson,
  getSession,
  joinWaitlist,
  makeSession,
  quoteCancellation,
  type Session,
  type SessionObject,
  updateSession,
} from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import { aPrincipal, aSchedule, collectMessages, inDays, rejectionOf, until } from '@swim/testing';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aLesson, takePlace } from '../lessons/places.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LIVE = { principal: { ...family, env: 'live' as const } };

let scheduling: SchedulingHarness;
let replica: RunningService;
let events: BusEvent<SessionObject>[];
beforeAll(async () => {
  scheduling = await startScheduling();
  const { config } = await import('../../src/config.js');
  const { AppModule } = await import('../../src/app.module.js');
  replica = await startService('scheduling', AppModule, { ...config, HEALTH_PORT: 0 }, scheduling.clock);
  events = await collectMessages(scheduling.harness.connection, 'event.*.scheduling.session.>');
});
afterAll(async () => {
  await replica?.stop();
  await scheduling?.stop();
});
afterEach(() => {
  scheduling.people.clockOffsetMs = undefined;
});

/** Applies the clock of an account; by default of the family. */
const apply = (offsetMs: number, accountId = family.accountId) =>
  scheduling.harness.call(applyClockToTimes, { accountId, fromMs: 0, offsetMs });
const anInstructor = () => scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
const make = (date: string, options = asFamily): Promise<Session> =>
  scheduling.harness.call(makeSession, aSession(anInstructor(), scheduling.people.member(), { date }), options);
const read = ({ id }: Session, options = asFamily) => scheduling.harness.call(getSession, { session_id: id }, options);
const typesOf = ({ id }: Session) => events.filter(({ objectId }) => objectId === id).map(({ type }) => type);
const stored = async ({ id }: { id: string }, collection = 'sessions', env = 'test') =>
  (await scheduling.harness
    .database(`scheduling_${env}`)
    .collection(collection)
    .findOne({ _id: id as never }))!;
const whole = ['session.created', 'session.reminder', 'session.reminder', 'session.completed'];

describe('the clock of an account that passes the due times of a session', () => {
  it('sends its reminders and completes it before it answers, once, on two replicas at a time', async () => {
    const session = await make(inDays(3));
    const applied = await Promise.all([1, 2, 3, 4].map(() => apply(4 * DAY_MS)));
    expect(await read(session)).toMatchObject({ status: 'completed' });
    expect(applied.reduce((sum, { handled }) => sum + handled, 0)).toBeGreaterThanOrEqual(3);
    expect(await apply(4 * DAY_MS)).toEqual({ handled: 0, nextOffsetMs: null });
    await until(() => typesOf(session).length >= 4, 'its events are published');
    expect(typesOf(session)).toEqual(whole);
  });

  it('handles sessions in the order of their due times', async () => {
    const [late, early] = [await make(inDays(9)), await make(inDays(6))];
    await apply(10 * DAY_MS);
    await until(() => typesOf(late).length >= 4 && typesOf(early).length >= 4, 'their events are published');
    const completed = await stored(early);
    const reminded = (await stored(late)).updatedAt as Date;
    expect(completed.status).toBe('completed');
    expect((completed.updatedAt as Date).getTime()).toBeLessThanOrEqual(reminded.getTime());
  });

  it('that is applied late, after a further advance, changes nothing', async () => {
    const session = await make(inDays(20));
    await apply(12 * DAY_MS);
    const isPublished = async () => (await stored(session)).relayAt === undefined;
    await until(isPublished, 'its event is published, which changes what is stored');
    const before = await stored(session);
    await apply(11 * DAY_MS);
    expect(await stored(session)).toEqual(before);
    expect(before.clockOffsetMs).toBe(12 * DAY_MS);
  });

  it('reaches a session that a request from before the advance stores afterwards', async () => {
    const other = aPrincipal();
    scheduling.people.clockOffsetMs = undefined;
    await apply(2 * DAY_MS, other.accountId);
    const member = scheduling.people.member(other.accountId);
    const date = new Date(scheduling.clock.now().getTime() + 20 * HOUR_MS).toISOString();
    const input = aSession(anInstructor(), member, { date });
    const session = await scheduling.harness.call(makeSession, input, { principal: other });
    await apply(2 * DAY_MS, other.accountId);
    expect(await read(session, { principal: other })).toMatchObject({ status: 'completed' });
  });

  it('does not reach sessions of other accounts, nor live ones', async () => {
    const [foreign, live] = [aPrincipal(), await make(inDays(30), LIVE)];
    const member = scheduling.people.member(foreign.accountId);
    const input = aSession(anInstructor(), member, { date: inDays(30) });
    const session = await scheduling.harness.call(makeSession, input, { principal: foreign });
    await apply(31 * DAY_MS);
    expect(await read(session, { principal: foreign })).toMatchObject({ status: 'scheduled' });
    expect(await read(live, LIVE)).toMatchObject({ status: 'scheduled' });
    expect(await stored(live, 'sessions', 'live')).not.toHaveProperty('clockOffsetMs');
  });
});

describe('a decision goes by the later clock', () => {
  it('of what is made: in_past before it, and due in real time', async () => {
    scheduling.people.clockOffsetMs = 40 * DAY_MS;
    expect((await rejectionOf(make(inDays(40, 0)))).reason).toBe('in_past');
    const session = await make(inDays(50));
    const due = Date.parse(session.date) - DAY_MS - 40 * DAY_MS;
    expect(await stored(session)).toMatchObject({ clockOffsetMs: 40 * DAY_MS, nextDueAt: new Date(due) });
    const moved = await scheduling.harness.call(
      updateSession,
      { session_id: session.id, changes: { date: inDays(51) } },
      asFamily,
    );
    expect((await stored(moved)).nextDueAt).toEqual(new Date(due + DAY_MS));
    const late = { session_id: session.id, changes: { date: inDays(39) } };
    expect((await rejectionOf(scheduling.harness.call(updateSession, late, asFamily))).reason).toBe('in_past');
  });

  it('of a session: a cancellation is late once the clock is near its start', async () => {
    const session = await make(inDays(60));
    const quote = () => scheduling.harness.call(quoteCancellation, { session_id: session.id }, asFamily);
    expect(await quote()).toMatchObject({ late: false });
    await apply(Date.parse(session.date) - scheduling.clock.now().getTime() - 4 * HOUR_MS, school.accountId);
    expect(await quote()).toMatchObject({ late: true });
  });

  it('of caller and school: no slot before it', async () => {
    const instructor_id = scheduling.people.instructor();
    scheduling.people.clockOffsetMs = 5 * DAY_MS;
    const { slots } = await scheduling.harness.call(getAvailability, { instructor_id }, asFamily);
    const now = scheduling.clock.now().getTime();
    expect(slots.length).toBeGreaterThan(0);
    expect(slots.every(({ start }) => Date.parse(start) > now + 5 * DAY_MS)).toBe(true);
  });

  it('but never in live, whatever offset comes with the rules', async () => {
    scheduling.people.clockOffsetMs = 300 * DAY_MS;
    const session = await make(inDays(10), LIVE);
    expect(await stored(session, 'sessions', 'live')).not.toHaveProperty('clockOffsetMs');
    const hold = await scheduling.harness.call(
      createHold,
      {
        instructor_id: anInstructor(),
        member_ids: [scheduling.people.member()],
        sessions: [{ date: inDays(10), duration_minutes: 30 }],
      },
      LIVE,
    );
    expect(await stored(hold, 'holds', 'live')).not.toHaveProperty('clockOffsetMs');
    const { slots } = await scheduling.harness.call(
      getAvailability,
      { instructor_id: scheduling.people.instructor() },
      LIVE,
    );
    expect(Date.parse(slots[0]!.start)).toBeLessThan(scheduling.clock.now().getTime() + 4 * DAY_MS);
  });
});

describe('the clock of an account that has holds and waitlist entries', () => {
  const holdOf = (member: string, instructor_id = anInstructor()) =>
    scheduling.harness.call(
      createHold,
      { instructor_id, member_ids: [member], sessions: [{ date: inDays(200), duration_minutes: 60 }] },
      asFamily,
    );

  it('names the offset of the next end, shows the same end of a hold, and ends it once it is there', async () => {
    scheduling.people.clockOffsetMs = 100 * DAY_MS;
    const hold = await holdOf(scheduling.people.member());
    expect(Date.parse(hold.expires_at)).toBeGreaterThan(scheduling.clock.now().getTime() + 100 * DAY_MS);
    const { nextOffsetMs } = await apply(100 * DAY_MS);
    expect(nextOffsetMs).toBeGreaterThan(100 * DAY_MS);
    expect(nextOffsetMs).toBeLessThanOrEqual(100 * DAY_MS + 5 * 60_000 + 1_000);
    await apply(100 * DAY_MS + 60_000);
    expect(await scheduling.harness.call(getHold, { hold_id: hold.id }, asFamily)).toMatchObject({
      status: 'active',
      expires_at: hold.expires_at,
    });
    expect(await apply(nextOffsetMs!)).toEqual({ handled: 1, nextOffsetMs: null });
    expect(await scheduling.harness.call(getHold, { hold_id: hold.id }, asFamily)).toMatchObject({
      status: 'expired',
      expires_at: hold.expires_at,
    });
  });

  it('expires entries whose requested time it has passed', async () => {
    scheduling.people.clockOffsetMs = 110 * DAY_MS;
    const member_id = scheduling.people.member();
    const range = { date_from: inDays(119), date_to: inDays(120), duration_minutes: 30 };
    const entry = await scheduling.harness.call(
      joinWaitlist,
      { instructor_id: anInstructor(), member_id, ...range },
      asFamily,
    );
    await apply(121 * DAY_MS);
    expect(await stored(entry, 'waitlist')).toMatchObject({ status: 'expired' });
  });
});

describe('the clock of a school', () => {
  it('completes its lessons before it answers, which the clock of a family with a place in them does not', async () => {
    const lesson = await aLesson(scheduling, { date: inDays(70) });
    await takePlace(scheduling, lesson.id);
    const read = async () =>
      (await scheduling.harness.call(getLesson, { lesson_id: lesson.id }, { principal: school })).status;
    await apply(71 * DAY_MS);
    expect(await read()).toBe('scheduled');
    await apply(71 * DAY_MS, school.accountId);
    expect(await read()).toBe('completed');
  });
});
