import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  createHold,
  getHold,
  getWaitlistEntry,
  type Hold,
  joinWaitlist,
  makeSession,
  releaseBooking,
} from '@swim/contracts';
import { Databases } from '@swim/mongo';
import { newId, systemContext } from '@swim/platform';
import { inDays, partOf, rejectionOf, until } from '@swim/testing';
import { CalendarService } from '../../src/calendar/calendar.service.js';
import { HoldPlacementService } from '../../src/holds/hold-placement.service.js';
import { HoldsRepository } from '../../src/holds/holds.repository.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { conversionOf } from './hold-conversion.js';

const LATE_MS = 8_000;
let scheduling: SchedulingHarness;
let calendar: CalendarService;
let placement: HoldPlacementService;
let holds: HoldsRepository;
beforeAll(async () => {
  scheduling = await startScheduling();
  calendar = partOf(scheduling.service, CalendarService);
  placement = partOf(scheduling.service, HoldPlacementService);
  holds = partOf(scheduling.service, HoldsRepository);
});
afterAll(() => scheduling?.stop());

const make = (): Promise<Hold> =>
  scheduling.harness.call(
    createHold,
    {
      instructor_id: scheduling.people.instructor(),
      member_ids: [scheduling.people.member()],
      sessions: [{ date: inDays(10), duration_minutes: 30 }],
    },
    // A school may have more of them at once than a family.
    { principal: school },
  );
const rival = ({ instructor_id }: Hold) =>
  scheduling.harness.call(makeSession, aSession(instructor_id, scheduling.people.member()), asFamily);
/** Books the hold's time. */
async function book(hold: Hold) {
  const conversion = conversionOf(scheduling.people, hold);
  await scheduling.harness.call(claimBooking, conversion, asFamily);
  const { bookingId } = conversion;
  const { sessions } = await scheduling.harness.call(confirmBooking, { bookingId }, asFamily);
  return { bookingId, sessions };
}

describe('an interrupted offer', () => {
  it('is finished by the sweep', async () => {
    const instructor_id = scheduling.people.instructor();
    const member_id = scheduling.people.member();
    const range = { date_from: inDays(10, 0), date_to: inDays(11, 0), duration_minutes: 30 };
    const entry = await scheduling.harness.call(joinWaitlist, { instructor_id, member_id, ...range }, asFamily);
    const startMs = Date.parse(inDays(10));
    const _id = newId('hold');
    const slots = [{ startMs, endMs: startMs + 1_800_000, sessions: [{ id: newId('ses'), memberId: member_id }] }];
    const offered = {
      _id,
      slots,
      accountId: family.accountId,
      schoolId: school.accountId,
      instructorId: instructor_id,
    };
    const more = { memberIds: [member_id], location: null, waitlistId: entry.id, lastsMs: 1_800_000 };
    await holds.insertClaiming(systemContext('test', family.accountId), { ...offered, ...more });
    const stored = scheduling.harness.database('scheduling_test').collection<{ _id: string; dueAt: Date }>('holds');
    await stored.updateOne({ _id }, { $set: { dueAt: new Date(0) } });
    const read = () => scheduling.harness.call(getWaitlistEntry, { waitlist_id: entry.id }, asFamily);
    await until(async () => (await read()).status === 'offered', 'it is offered');
  });
});

describe('a hold whose claim returned late', () => {
  it('lasts no longer than the claim', async () => {
    const { clock } = scheduling.service.app.get(Databases, { strict: false });
    const inTime = holds.markActive.bind(holds);
    holds.markActive = async (...made) => {
      const late = jest.spyOn(clock, 'now').mockReturnValue(clock.inMs(LATE_MS));
      return inTime(...made).finally(() => late.mockRestore());
    };
    const hold = await make().finally(() => (holds.markActive = inTime));
    const claim = (await calendar.findLive(hold.id))!;
    expect(new Date(hold.expires_at).getTime()).toBeLessThanOrEqual(claim.until!.getTime());
  });
});

describe('a process that acts on a stale read', () => {
  it('does not undo an offer that has become a booking', async () => {
    const hold = await make();
    const seen = (await holds.findAny(hold.id))!;
    await book(hold);
    await placement.discard(seen);
    expect(await rejectionOf(rival(hold))).toMatchObject({ reason: 'instructor_busy' });
    expect(await scheduling.harness.call(getHold, { hold_id: hold.id }, asFamily)).toMatchObject({
      status: 'converted',
    });
  });

  it('does not release a claim that has been confirmed since', async () => {
    const hold = await make();
    const conversion = conversionOf(scheduling.people, hold);
    await scheduling.harness.call(claimBooking, conversion, asFamily);
    const released = await scheduling.harness.call(releaseBooking, { bookingId: conversion.bookingId }, asFamily);
    expect(released).toEqual({ state: 'confirmed' });
    expect(await rejectionOf(rival(hold))).toMatchObject({ reason: 'instructor_busy' });
  });

  it('does not remove a hold that has become active since', async () => {
    const hold = await make();
    await holds.forgetClaiming(hold.id);
    expect(await scheduling.harness.call(getHold, { hold_id: hold.id }, asFamily)).toMatchObject({ status: 'active' });
  });

  it('ends a hold once: its time is free, and a booking can no longer take it', async () => {
    const hold = await make();
    const seen = (await holds.findAny(hold.id))!;
    expect(await placement.end(seen)).not.toBeNull();
    expect(await rejectionOf(book(hold))).toMatchObject({ reason: 'invalid_state' });
    await placement.discard(seen);
    const session = await rival(hold);
    await scheduling.harness.call(cancelSession, { session_id: session.id }, asFamily);
  });
});
