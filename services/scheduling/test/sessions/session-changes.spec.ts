import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type BusEvent,
  cancelSession,
  getSession,
  type InputOf,
  makeSession,
  type SessionObject,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, collectMessages, inDays, partOf, rejectionOf, until } from '@swim/testing';
import { SlotsService } from '../../src/slots/slots.service.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
let events: BusEvent<SessionObject>[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages(scheduling.harness.connection, 'event.test.scheduling.session.>');
});
afterAll(() => scheduling?.stop());

const make = (instructorId: string, memberId: string, overrides: Partial<InputOf<typeof makeSession>> = {}) =>
  scheduling.harness.call(makeSession, aSession(instructorId, memberId, overrides), asFamily);
const pair = () => [scheduling.people.instructor(), scheduling.people.member()] as const;
const rejected = (work: Promise<unknown>) => rejectionOf(work);
const cancel = (id: string, more: object = {}, options = asFamily) =>
  scheduling.harness.call(cancelSession, { session_id: id, ...more }, options);

describe('changing a session', () => {
  const update = (id: string, changes: object, options = asFamily) =>
    scheduling.harness.call(updateSession, { session_id: id, changes } as InputOf<typeof updateSession>, options);

  it('moves it, keeps its id, releases the old time and takes the new one', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    const moved = await update(made.id, { date: inDays(10, 12), duration_minutes: 60, notes: 'Later' });
    expect(moved).toMatchObject({
      id: made.id,
      date: inDays(10, 12),
      duration_minutes: 60,
      price_cents: 6000,
      notes: 'Later',
      version: 2,
      created_at: made.created_at,
    });
    await make(ins, scheduling.people.member());
    expect(await rejected(make(ins, scheduling.people.member(), { date: inDays(10, 12, 45) }))).toMatchObject({
      reason: 'instructor_busy',
    });
  });

  it('to what it is keeps its version, and publishes nothing', async () => {
    const [ins, mem] = pair();
    const details = { notes: 'Goggles', location: { type: 'home' as const }, metadata: { lane: '2' } };
    const made = await make(ins, mem, details);
    const { date, duration_minutes, instructor_id } = made;
    for (const same of [details, { notes: made.notes }, { date, duration_minutes, instructor_id, version: 1 }]) {
      expect(await update(made.id, same, { ...asFamily, dryRun: true })).toEqual(made);
      expect(await update(made.id, same)).toEqual(made);
    }
    expect(await scheduling.harness.call(getSession, { session_id: made.id }, asFamily)).toEqual(made);
    expect(await rejected(update(made.id, { notes: made.notes, version: 2 }))).toMatchObject({
      reason: 'stale_version',
    });
    // The number of a session's next event is its version.
    expect(await update(made.id, { metadata: { lane: null } })).toMatchObject({ version: 2, metadata: {} });
  });

  it('publishes one event: rescheduled when time or instructor change, and updated otherwise', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    await update(made.id, { notes: 'Goggles' });
    await update(made.id, { date: inDays(10, 12), notes: 'Later', location: { type: 'home' } });
    await update(made.id, { duration_minutes: 45 });
    await update(made.id, { instructor_id: scheduling.people.instructor() });
    await update(made.id, { metadata: { lane: '2' } });
    await cancel(made.id);
    const own = () => events.filter(({ objectId }) => objectId === made.id);
    await until(() => own().at(-1)?.type === 'session.cancelled', 'its last event is published');
    expect(own().map(({ n, type }) => [n, type])).toEqual([
      [1, 'session.created'],
      [2, 'session.updated'],
      [3, 'session.rescheduled'],
      [4, 'session.rescheduled'],
      [5, 'session.rescheduled'],
      [6, 'session.updated'],
      [7, 'session.cancelled'],
    ]);
  });

  it('may overlap itself, and moves back and forth', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    for (const minutes of [15, 0, 20]) await update(made.id, { date: inDays(10, 10, minutes) });
    expect(await scheduling.harness.call(getSession, { session_id: made.id }, asFamily)).toMatchObject({
      version: 4,
      date: inDays(10, 10, 20),
    });
  });

  it('moves it to another instructor of the school, and rejects other instructors', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    const other = scheduling.people.instructor({ hourlyRateCents: 9000 });
    expect(await update(made.id, { instructor_id: other })).toMatchObject({ instructor_id: other, price_cents: 4500 });
    const foreign = scheduling.people.instructor({ schoolId: newId('acct') });
    expect(await rejected(update(made.id, { instructor_id: foreign }))).toMatchObject({
      reason: 'not_found',
      details: { field: 'instructor_id' },
    });
    expect(
      await rejected(update(made.id, { instructor_id: scheduling.people.instructor({ status: 'inactive' }) })),
    ).toMatchObject({ reason: 'inactive_instructor' });
  });

  it('leaves it unchanged when the new time is taken, outside hours or past', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    await make(ins, scheduling.people.member(), { date: inDays(10, 12) });
    const other = scheduling.people.instructor();
    await make(other, mem, { date: inDays(10, 14) });
    expect(await rejected(update(made.id, { date: inDays(10, 12) }))).toMatchObject({ reason: 'instructor_busy' });
    expect(await rejected(update(made.id, { date: inDays(10, 14) }))).toMatchObject({
      reason: 'member_busy',
      details: { member_id: mem },
    });
    expect(await rejected(update(made.id, { date: inDays(10, 2) }))).toMatchObject({ reason: 'outside_availability' });
    expect(await rejected(update(made.id, { date: '2020-01-01T10:00:00Z' }))).toMatchObject({ reason: 'in_past' });
    expect(await scheduling.harness.call(getSession, { session_id: made.id }, asFamily)).toEqual(made);
    await update(made.id, { date: inDays(10, 16) });
  });

  it('rejects a stale version, an empty patch, unknown fields, a cancelled session and a foreign one', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    await update(made.id, { notes: 'one', version: 1 });
    expect(await rejected(update(made.id, { notes: 'two', version: 1 }))).toMatchObject({
      reason: 'stale_version',
      code: 'CONFLICT',
      message: expect.stringMatching(/^version must be 2, .*; you sent 1\./),
      details: { field: 'version', current_version: 2 },
    });
    expect(await rejected(update(made.id, {}))).toMatchObject({ reason: 'empty_patch', code: 'VALIDATION_ERROR' });
    expect(await rejected(update(made.id, { status: 'completed' }))).toMatchObject({ reason: 'read_only' });
    expect(await rejected(update(made.id, { location: { type: 'pool', pool_id: newId('pool') } }))).toMatchObject({
      reason: 'not_found',
    });
    expect(await rejected(update(made.id, { notes: 'x' }, { principal: aPrincipal() }))).toMatchObject({
      reason: 'resource_not_found',
    });
    await scheduling.harness.call(cancelSession, { session_id: made.id }, asFamily);
    expect(await rejected(update(made.id, { notes: 'x' }))).toMatchObject({ reason: 'invalid_state' });
  });

  it('lets one of two concurrent moves win and keeps the calendar consistent', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    const results = await Promise.allSettled(
      [12, 13, 14, 15].map((hour) => update(made.id, { date: inDays(10, hour), version: 1 })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const now = await scheduling.harness.call(getSession, { session_id: made.id }, asFamily);
    for (const hour of [10, 12, 13, 14, 15]) {
      const attempt = make(ins, scheduling.people.member(), { date: inDays(10, hour) });
      if (now.date === inDays(10, hour)) expect(await rejected(attempt)).toMatchObject({ reason: 'instructor_busy' });
      else await attempt;
    }
  });
});

describe('a move whose `version` was read before another change', () => {
  it('is rejected when that change is stored while the new time is claimed', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    const slots = partOf(scheduling.service, SlotsService);
    const [claiming, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const claim = jest.spyOn(slots, 'claim').mockImplementationOnce(async (...request) => {
      const claimed = await SlotsService.prototype.claim.apply(slots, request);
      claiming.resolve();
      await gate.promise;
      return claimed;
    });
    const change = (changes: object) =>
      scheduling.harness.call(updateSession, { session_id: made.id, changes }, asFamily);
    const moving = rejected(change({ date: inDays(10, 12), notes: 'a', version: 1 }));
    await claiming.promise;
    const sessions = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('sessions');
    // What another process stores that has read the session before the move began.
    await sessions.updateOne({ _id: made.id }, { $set: { metadata: [['lane', '2']] }, $inc: { version: 1, rev: 1 } });
    gate.resolve();
    expect(await moving).toMatchObject({ code: 'CONFLICT', reason: 'stale_version' });
    const now = await scheduling.harness.call(getSession, { session_id: made.id }, asFamily);
    expect(now).toMatchObject({ date: made.date, notes: made.notes, version: 2 });
    claim.mockRestore();
    // The new time is free again.
    await make(ins, scheduling.people.member(), { date: inDays(10, 12) });
  });
});

describe('cancelling a session', () => {
  it('sets its status, releases its time, and is idempotent', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    const cancelled = await cancel(made.id, { reason: 'Flu', notify_participants: false });
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      version: 2,
      cancellation: { reason: 'Flu', late: false, fee_cents: 0, participants_notified: false, refund_id: null },
    });
    expect(await cancel(made.id, { reason: 'Other' })).toEqual(cancelled);
    await make(ins, mem);
  });

  it('is late within the free hours', async () => {
    const ins = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
    const made = await make(ins, scheduling.people.member(), { date: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await cancel(made.id)).cancellation).toMatchObject({ late: true, fee_cents: 0 });
  });

  it('is rejected for accounts that do not see the session', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem);
    expect(await rejected(cancel(made.id, {}, { principal: aPrincipal() }))).toMatchObject({
      reason: 'resource_not_found',
      code: 'NOT_FOUND',
    });
    expect(await cancel(made.id, {}, { principal: school })).toMatchObject({ status: 'cancelled' });
  });
});
