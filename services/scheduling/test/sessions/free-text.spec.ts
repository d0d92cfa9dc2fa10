import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  cancelSession,
  claimBooking,
  confirmBooking,
  getSession,
  listSessions,
  makeSession,
  memberErased,
  type Session,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { collectMessages, everythingStored, inDays, publishEvent, until, updateAll } from '@swim/testing';
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

const NOTES = 'oriolusnotes';
const REASON = 'oriolusreason';
const METADATA = 'canarymetadata';

let scheduling: SchedulingHarness;
let events: BusEvent[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages<BusEvent>(scheduling.harness.connection, 'event.>');
});
afterAll(() => scheduling?.stop());

const call: SchedulingHarness['harness']['call'] = (...args) => scheduling.harness.call(...args);
const read = (session_id: string) => call(getSession, { session_id }, asFamily);
const collection = <D extends { _id: string }>(name: string) =>
  scheduling.harness.database('scheduling_test').collection<D>(name);
const keyOf = (_id: string) =>
  scheduling.harness
    .database('scheduling_keys_test')
    .collection<{ _id: string; wrapped?: string }>('personal_keys')
    .findOne({ _id });

/** A member with a session that was changed and cancelled, and one of a booking, all with texts. */
async function writtenAbout(): Promise<{ memberId: string; cancelled: Session; booked: Session }> {
  const memberId = scheduling.people.member();
  const instructorId = scheduling.people.instructor();
  const input = { ...aSession(instructorId, memberId), notes: NOTES, metadata: { tag: METADATA } };
  const { id } = await call(makeSession, input, withKey(`make ${memberId}`));
  await call(updateSession, { session_id: id, changes: { notes: `${NOTES} more` } }, withKey(`note ${memberId}`));
  await call(updateSession, { session_id: id, changes: { date: inDays(11) } }, withKey(`move ${memberId}`));
  const cancelled = await call(cancelSession, { session_id: id, reason: REASON }, withKey(`cancel ${memberId}`));
  const bookingId = newId('bkg');
  const { schedule, timezone } = scheduling.people.instructors.get(instructorId)!;
  const rules = { instructorId, schoolId: school.accountId, timezone, schedule };
  await call(
    claimBooking,
    {
      bookingId,
      accountId: family.accountId,
      rules: { ...rules, enforceAvailability: true, defaultPoolId: null },
      terms: TERMS,
      currency: 'USD',
      location: null,
      notes: NOTES,
      slots: [{ date: inDays(12), durationMinutes: 30, priceCents: 3_000, sessions: [{ id: newId('ses'), memberId }] }],
      onConflict: 'fail',
      dryRun: false,
    },
    asFamily,
  );
  const [booked] = (await call(confirmBooking, { bookingId }, asFamily)).sessions;
  return { memberId, cancelled, booked: booked! };
}

async function erase(id: string): Promise<void> {
  scheduling.people.memberAccounts.delete(id);
  await publishEvent(scheduling.harness, memberErased, {
    object: { id, account_id: family.accountId, erased_at: new Date().toISOString() },
    audience: [family.accountId, school.accountId],
  });
}

describe('notes and the reason of a cancellation', () => {
  it('are returned in clear, and stored in clear nowhere: in no document, event or stream', async () => {
    const { cancelled, booked } = await writtenAbout();
    expect(cancelled).toMatchObject({ notes: `${NOTES} more`, cancellation: { reason: REASON } });
    expect(await read(cancelled.id)).toEqual(cancelled);
    expect(await read(booked.id)).toMatchObject({ notes: NOTES });
    const { items } = await call(listSessions, { member_id: booked.member_id, limit: 10 }, asFamily);
    expect(items.map(({ notes }) => notes)).toEqual([`${NOTES} more`, NOTES]);
    await until(
      () => events.some(({ type, objectId }) => type === 'session.cancelled' && objectId === cancelled.id),
      'the cancellation is published',
    );
    const everything = await everythingStored(scheduling.harness);
    expect(everything).toContain(cancelled.id);
    for (const canary of [NOTES, REASON]) {
      expect(everything).not.toContain(canary);
      expect(JSON.stringify(events)).not.toContain(canary);
    }
    expect(cancelled.metadata).toEqual({ tag: METADATA });
    expect(JSON.stringify(events)).not.toContain(METADATA);
  });

  it('are returned again to a repeated request', async () => {
    const { memberId, cancelled } = await writtenAbout();
    const { attempt } = (await collection<{ _id: string; attempt: number }>('idempotency').findOne({}))!;
    expect(attempt).toBe(1);
    // The state after a crash between the change and the record of its answer.
    await updateAll(collection('idempotency'), {}, { state: 'running', leaseUntil: new Date(0) });
    const repeated = await call(
      cancelSession,
      { session_id: cancelled.id, reason: REASON },
      withKey(`cancel ${memberId}`),
    );
    expect(repeated).toEqual(cancelled);
  });

  it('are unreadable once the erased member’s key is destroyed, also in a backup of the sessions', async () => {
    const { memberId, cancelled } = await writtenAbout();
    const backup = (await collection('sessions').findOne({ _id: cancelled.id }))!;
    expect(await keyOf(memberId)).toHaveProperty('wrapped');
    await erase(memberId);
    await until(async () => (await keyOf(memberId))?.wrapped === undefined, 'the key is destroyed');
    expect(await read(cancelled.id)).toMatchObject({ notes: null, cancellation: { reason: null } });
    await collection('sessions').replaceOne({ _id: cancelled.id }, backup);
    expect(await read(cancelled.id)).toMatchObject({ notes: null, cancellation: { reason: null } });
  });
});
