import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  cancelSession,
  getSession,
  makeSession,
  type Session,
  type SessionObject,
  sessionReminder,
  updateSession,
} from '@swim/contracts';
import { startService } from '@swim/messaging';
import { aSchedule, collectMessages, inDays, until } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, startScheduling } from '../harness.js';

const HOUR_MS = 3_600_000;

let scheduling: SchedulingHarness;
let events: BusEvent<SessionObject>[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages(scheduling.harness.connection, 'event.test.scheduling.session.>');
});
afterAll(() => scheduling?.stop());
beforeEach(() => scheduling.clock.set(new Date()));

const make = (date = inDays(10)): Promise<Session> => {
  const instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  return scheduling.harness.call(makeSession, aSession(instructor, scheduling.people.member(), { date }), asFamily);
};
const read = ({ id }: Session) => scheduling.harness.call(getSession, { session_id: id }, asFamily);
const remindersOf = ({ id }: Session) =>
  events.filter(({ type, objectId }) => type === sessionReminder.type && objectId === id);
const atHoursBefore = ({ date }: Session, hours: number) =>
  scheduling.clock.set(new Date(Date.parse(date) - hours * HOUR_MS));
const nextDueAtOf = async ({ id }: Session) =>
  (await scheduling.harness
    .database('scheduling_test')
    .collection('sessions')
    .findOne({ _id: id as never }))!.nextDueAt as Date | null;
const isNextDueHoursBefore = (session: Session, hours: number) =>
  until(
    async () => (await nextDueAtOf(session))?.getTime() === Date.parse(session.date) - hours * HOUR_MS,
    `it is next due ${hours} hours before`,
  );
const isNextDueForCompletion = (session: Session) => isNextDueHoursBefore(session, -0.75);

it('events of what is booked or moved say whether the participants are to be notified', async () => {
  const instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  const lesson = {
    ...aSession(instructor, scheduling.people.member(), { date: inDays(20) }),
    notify_participants: false,
  };
  const { id: session_id } = await scheduling.harness.call(makeSession, lesson, asFamily);
  const move = (date: string, more = {}) =>
    scheduling.harness.call(updateSession, { session_id, changes: { date, ...more } }, asFamily);
  await move(inDays(21), { notify_participants: false });
  await move(inDays(22));
  const own = () => events.filter(({ objectId }) => objectId === session_id).toSorted((a, b) => a.n - b.n);
  await until(() => own().length === 3, 'all are published');
  expect(own().map(({ cause }) => cause.isQuiet ?? false)).toEqual([true, true, false]);
});

describe('reminders of a session', () => {
  it('are sent 24 hours and 2 hours before, each once, without free text and without a new version', async () => {
    const session = await make();
    const oneHourLater = await make(new Date(Date.parse(session.date) + HOUR_MS).toISOString());
    atHoursBefore(session, 24);
    await isNextDueHoursBefore(session, 2);
    atHoursBefore(session, 2);
    await isNextDueForCompletion(session);
    await isNextDueHoursBefore(oneHourLater, 2);
    atHoursBefore(session, 1);
    const haveBoth = () => [session, oneHourLater].every((each) => remindersOf(each).length >= 2);
    await until(haveBoth, 'both reminders of each session are published');
    expect(remindersOf(session)).toHaveLength(2);
    const [first] = remindersOf(session);
    const { notes: _, metadata: __, price_reason: ___, ...visible } = session;
    expect(first).toMatchObject({ n: 2, object: visible, audience: expect.arrayContaining([session.account_id]) });
    expect(first!.object).not.toHaveProperty('notes');
    expect(Date.parse(first!.occurredAt)).toBeGreaterThan(Date.parse(session.updated_at));
    expect(await read(session)).toEqual(session);
  });

  it('are none when the session is booked after they would have been due', async () => {
    const late = await make(new Date(Date.now() + 3 * HOUR_MS).toISOString());
    expect((await nextDueAtOf(late))!.getTime()).toBe(Date.parse(late.date) - 2 * HOUR_MS);
    const last = await make(new Date(Date.now() + HOUR_MS).toISOString());
    await isNextDueForCompletion(last);
  });

  it('are due again when the session is moved', async () => {
    const session = await make();
    atHoursBefore(session, 24);
    await isNextDueHoursBefore(session, 2);
    const changes = { date: inDays(20) };
    const moved = await scheduling.harness.call(updateSession, { session_id: session.id, changes }, asFamily);
    await isNextDueHoursBefore(moved, 24);
    atHoursBefore(moved, 24);
    await isNextDueHoursBefore(moved, 2);
    await until(() => remindersOf(session).length === 2, 'the reminder of the new time is published');
    expect(remindersOf(session).at(-1)!.object.date).toBe(moved.date);
  });

  it('are not sent for a cancelled session', async () => {
    const [cancelled, other] = [await make(), await make()];
    await scheduling.harness.call(cancelSession, { session_id: cancelled.id }, asFamily);
    atHoursBefore(other, 24);
    await until(() => remindersOf(other).length === 1, 'the reminder of the other session is published');
    expect(remindersOf(cancelled)).toEqual([]);
    expect(await nextDueAtOf(cancelled)).toBeNull();
  });

  it('are one, when both became due while the service was down, and none once the session has begun', async () => {
    const [session, begun] = [await make(), await make(inDays(10, 7))];
    scheduling.clock.set(new Date(Date.parse(begun.date) + 60_000));
    expect(Date.parse(session.date) - scheduling.clock.now().getTime()).toBeLessThan(24 * HOUR_MS);
    await isNextDueForCompletion(begun);
    expect(remindersOf(begun)).toEqual([]);
    await until(() => remindersOf(session).length === 1, 'one reminder is published');
  });

  it('are sent once by several replicas', async () => {
    const [{ AppModule }, { config }] = await Promise.all([
      import('../../src/app.module.js'),
      import('../../src/config.js'),
    ]);
    const replica = await startService('scheduling', AppModule, { ...config, HEALTH_PORT: 0 }, scheduling.clock);
    try {
      const sessions = await Promise.all(Array.from({ length: 12 }, () => make()));
      atHoursBefore(sessions[0]!, 24);
      for (const session of sessions) await isNextDueHoursBefore(session, 2);
      await until(() => sessions.every((each) => remindersOf(each).length > 0), 'all reminders are published');
      expect(sessions.map((each) => remindersOf(each).map(({ n }) => n))).toEqual(sessions.map(() => [2]));
    } finally {
      await replica.stop();
    }
  });
});
