import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  cancelSession,
  completeSession,
  getSession,
  makeSession,
  quoteCancellation,
  recordAttendance,
  type Session,
  type SessionObject,
  updateSession,
} from '@swim/contracts';
import { aPrincipal, aSchedule, collectMessages, inDays, rejectionOf, until } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
let events: BusEvent<SessionObject>[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages(scheduling.harness.connection, 'event.test.scheduling.session.>');
});
afterAll(() => scheduling?.stop());
beforeEach(() => scheduling.clock.set(new Date()));

const MINUTE_MS = 60_000;
const make = (date = inDays(10)): Promise<Session> => {
  const instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  return scheduling.harness.call(makeSession, aSession(instructor, scheduling.people.member(), { date }), asFamily);
};
const atStartOf = (session: Session, minutes = 0) =>
  scheduling.clock.set(new Date(Date.parse(session.date) + minutes * MINUTE_MS));
const complete = (session: Session, options = {}) =>
  scheduling.harness.call(completeSession, { session_id: session.id }, options);
const attend = (session: Session, attendance: Session['attendance'], options = {}) =>
  scheduling.harness.call(recordAttendance, { session_id: session.id, attendance }, options);

describe('completing a session', () => {
  it('is possible for the school, once the session has begun, and only once', async () => {
    const session = await make();
    expect(await rejectionOf(complete(session))).toMatchObject({ reason: 'not_started', code: 'CONFLICT' });
    atStartOf(session);
    expect(await rejectionOf(complete(session, asFamily))).toMatchObject({
      reason: 'school_only',
      code: 'AUTHORIZATION_ERROR',
    });
    expect(await rejectionOf(complete(session, { principal: aPrincipal() }))).toMatchObject({
      reason: 'resource_not_found',
    });
    expect(await complete(session, { dryRun: true })).toMatchObject({ status: 'completed' });
    expect(await complete(session)).toMatchObject({ status: 'completed', version: 2 });
    expect(await rejectionOf(complete(session))).toMatchObject({ reason: 'invalid_state' });
    const update = scheduling.harness.call(
      updateSession,
      { session_id: session.id, changes: { notes: 'x' } },
      asFamily,
    );
    expect(await rejectionOf(update)).toMatchObject({ reason: 'invalid_state' });
    expect(
      await rejectionOf(scheduling.harness.call(cancelSession, { session_id: session.id }, asFamily)),
    ).toMatchObject({ reason: 'invalid_state' });
  });

  it('happens automatically 15 minutes after the end, and not before', async () => {
    const session = await make();
    const read = () => scheduling.harness.call(getSession, { session_id: session.id }, asFamily);
    const later = await make();
    atStartOf(session, 44);
    await complete(later, {}).catch(() => undefined);
    expect((await read()).status).toBe('scheduled');
    atStartOf(session, 45);
    expect(
      await until(async () => ((await read()).status === 'completed' ? read() : null), 'it is completed'),
    ).toMatchObject({ version: 2 });
  });

  it('is postponed by a move and does not happen for a cancelled session', async () => {
    const [moved, cancelled, plain] = [await make(), await make(), await make()];
    await scheduling.harness.call(updateSession, { session_id: moved.id, changes: { date: inDays(12) } }, asFamily);
    await scheduling.harness.call(cancelSession, { session_id: cancelled.id }, asFamily);
    atStartOf(plain, 60);
    const status = async (session: Session) =>
      (await scheduling.harness.call(getSession, { session_id: session.id }, asFamily)).status;
    await until(async () => (await status(plain)) === 'completed', 'the plain one is completed');
    expect(await status(moved)).toBe('scheduled');
    expect(await status(cancelled)).toBe('cancelled');
  });
});

describe('attendance', () => {
  it('is recorded and corrected by the school, from the start on, also after the end', async () => {
    const session = await make();
    expect(await rejectionOf(attend(session, 'attended'))).toMatchObject({ reason: 'not_started' });
    atStartOf(session);
    expect(await rejectionOf(attend(session, 'attended', asFamily))).toMatchObject({ reason: 'school_only' });
    expect(await rejectionOf(attend(session, 'attended', { principal: aPrincipal() }))).toMatchObject({
      reason: 'resource_not_found',
    });
    expect(await attend(session, 'attended')).toMatchObject({
      attendance: 'attended',
      status: 'scheduled',
      version: 2,
    });
    expect(await attend(session, 'attended')).toMatchObject({ version: 2 });
    expect(await attend(session, 'attended', { dryRun: true })).toMatchObject({ version: 2 });
    expect(await attend(session, 'no_show', { dryRun: true })).toMatchObject({ attendance: 'no_show', version: 3 });
    await complete(session);
    expect(await attend(session, 'no_show')).toMatchObject({ attendance: 'no_show', status: 'completed', version: 4 });
    const own = () => events.filter(({ objectId }) => objectId === session.id);
    await until(() => own().length === 4, 'its events are published');
    expect(own().map(({ type, object }) => [type, object.attendance])).toEqual([
      ['session.created', 'pending'],
      ['session.attendance_recorded', 'attended'],
      ['session.completed', 'attended'],
      ['session.attendance_recorded', 'no_show'],
    ]);
  });

  it.each(['attended', 'no_show'] as const)(
    'recorded as %s lets the school alone cancel the session',
    async (attendance) => {
      const session = await make();
      atStartOf(session);
      await attend(session, attendance);
      for (const operation of [cancelSession, quoteCancellation])
        expect(
          await rejectionOf(scheduling.harness.call(operation, { session_id: session.id }, asFamily)),
        ).toMatchObject({
          reason: 'invalid_state',
          details: { status: 'scheduled', attendance },
        });
      const cancelled = await scheduling.harness.call(cancelSession, { session_id: session.id });
      expect(cancelled).toMatchObject({ status: 'cancelled', attendance });
      expect(await scheduling.harness.call(cancelSession, { session_id: session.id }, asFamily)).toEqual(cancelled);
    },
  );

  it('is not recorded for a cancelled session', async () => {
    const session = await make();
    await scheduling.harness.call(cancelSession, { session_id: session.id }, asFamily);
    atStartOf(session);
    expect(await rejectionOf(attend(session, 'attended'))).toMatchObject({ reason: 'invalid_state' });
  });
});
