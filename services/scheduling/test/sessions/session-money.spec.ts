import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  completeSession,
  finalizeAttendances,
  getSession,
  listSessions,
  makeSession,
  recordAttendance,
  recordReturns,
  type Session,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, inDays, rejectionOf, until, updateAll } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());
beforeEach(() => scheduling.clock.set(new Date()));

const asSchool = { principal: school };
async function begun(): Promise<Session> {
  const instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  const session = await scheduling.harness.call(
    makeSession,
    aSession(instructor, scheduling.people.member(), { date: inDays(10) }),
    asFamily,
  );
  scheduling.clock.set(new Date(session.date));
  return session;
}
const attend = ({ id }: Session, attendance: Session['attendance']) =>
  scheduling.harness.call(recordAttendance, { session_id: id, attendance });
const finalize = ({ id, version }: Session) =>
  scheduling.harness.call(finalizeAttendances, { sessions: [{ id, version }] });
const read = ({ id }: Session) => scheduling.harness.call(getSession, { session_id: id }, asFamily);

describe('a session whose attendance is final', () => {
  it('is completed after its end although a reset has detached the school', async () => {
    const excused = await attend(await begun(), 'excused');
    await finalize(excused);
    const sessions = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('sessions');
    await sessions.updateOne({ _id: excused.id }, { $set: { readers: [excused.account_id] } });
    scheduling.clock.set(new Date(Date.parse(excused.end_date) + 16 * 60_000));
    await until(async () => (await read(excused)).status === 'completed', 'the session is completed');
  });

  it('rejects another attendance, a move and a cancellation, and can be completed', async () => {
    const excused = await attend(await begun(), 'excused');
    expect(await finalize(excused)).toMatchObject([{ isFinal: true, session: { version: excused.version } }]);
    const rejection = await rejectionOf(attend(excused, 'attended'));
    expect(rejection).toMatchObject({
      code: 'CONFLICT',
      reason: 'invalid_state',
      details: { status: 'scheduled', attendance: 'excused' },
    });
    expect(rejection.message).toContain('makeup credit');
    expect(await attend(excused, 'excused')).toEqual(excused);
    const move = { session_id: excused.id, changes: { duration_minutes: 15 } };
    expect((await rejectionOf(scheduling.harness.call(updateSession, move, asFamily))).reason).toBe('invalid_state');
    const cancel = scheduling.harness.call(cancelSession, { session_id: excused.id }, asFamily);
    expect((await rejectionOf(cancel)).reason).toBe('invalid_state');
    expect(await scheduling.harness.call(completeSession, { session_id: excused.id })).toMatchObject({
      status: 'completed',
      attendance: 'excused',
    });
    expect((await rejectionOf(attend(excused, 'no_show'))).reason).toBe('invalid_state');
    // Again is the same, also of the version before.
    expect(await finalize(excused)).toMatchObject([{ isFinal: true, session: { status: 'completed' } }]);
  });

  it('is not made by a request of an older version: it gets the newer state', async () => {
    const missed = await attend(await begun(), 'no_show');
    const corrected = await attend(missed, 'attended');
    expect(await finalize(missed)).toMatchObject([
      { isFinal: false, session: { attendance: 'attended', version: corrected.version } },
    ]);
    expect(await attend(corrected, 'no_show')).toMatchObject({ attendance: 'no_show' });
  });

  it('is never a cancelled one', async () => {
    const session = await begun();
    const cancelled = await scheduling.harness.call(cancelSession, { session_id: session.id }, asSchool);
    expect(await finalize(cancelled)).toMatchObject([{ isFinal: false, session: { status: 'cancelled' } }]);
  });
});

describe('what a cancellation gave back', () => {
  const record = ({ id }: Session, refundId: string | null, creditId: string | null) =>
    scheduling.harness.call(recordReturns, { sessions: [{ id, refundId, creditId }] });

  it('is recorded once in the session', async () => {
    const session = await begun();
    const cancelled = await scheduling.harness.call(cancelSession, { session_id: session.id }, asSchool);
    const [refundId, creditId] = [newId('rfd'), newId('crd')];
    await record(session, refundId, creditId);
    await record(session, refundId, creditId);
    const now = await read(session);
    expect(now).toEqual({
      ...cancelled,
      cancellation: { ...cancelled.cancellation, refund_id: refundId, makeup_credit: creditId },
      version: cancelled.version + 1,
      updated_at: now.updated_at,
    });
    const { items } = await scheduling.harness.call(listSessions, { member_id: session.member_id }, asFamily);
    expect(items).toEqual([now]);
  });

  it('is recorded in a session that a reset has taken from its school', async () => {
    const session = await begun();
    await scheduling.harness.call(cancelSession, { session_id: session.id }, asSchool);
    const stored = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('sessions');
    await updateAll(stored, { _id: session.id }, { readers: [] });
    const refundId = newId('rfd');
    await record(session, refundId, null);
    expect(await stored.findOne({ _id: session.id })).toMatchObject({ cancellation: { refund_id: refundId } });
  });

  it('is rejected for a session that is not cancelled', async () => {
    const session = await begun();
    expect((await rejectionOf(record(session, newId('rfd'), null))).reason).toBe('resource_not_found');
  });
});
