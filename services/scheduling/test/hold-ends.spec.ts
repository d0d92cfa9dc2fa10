import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  createHold,
  createSession,
  getHold,
  getWaitlistEntry,
  type Hold,
  joinWaitlist,
  releaseBooking,
} from '@swim/contracts';
import { systemCall } from '@swim/messaging';
import { Databases } from '@swim/mongo';
import { newId } from '@swim/platform';
import { inDays, refusalOfCall, until } from '@swim/testing';
import { CalendarService } from '../src/calendar/calendar.service.js';
import { HoldKeepingService } from '../src/holds/hold-keeping.service.js';
import { HoldsRepository } from '../src/holds/holds.repository.js';
import { conversionOf } from './hold-conversion.js';
import { aSession, asFamily, family, type SchedulingParts, school, startScheduling } from './scheduling-parts.js';

const LATE_MS = 8_000;
let world: SchedulingParts;
let calendar: CalendarService;
let keeping: HoldKeepingService;
let holds: HoldsRepository;
beforeAll(async () => {
  world = await startScheduling();
  const { app } = world.service;
  calendar = app.get(CalendarService, { strict: false });
  keeping = app.get(HoldKeepingService, { strict: false });
  holds = app.get(HoldsRepository, { strict: false });
});
afterAll(() => world?.stop());

const make = (): Promise<Hold> =>
  world.parts.call(
    createHold,
    {
      instructor_id: world.people.instructor(),
      member_ids: [world.people.member()],
      sessions: [{ date: inDays(10), duration_minutes: 30 }],
    },
    asFamily,
  );
const rival = ({ instructor_id }: Hold) =>
  world.parts.call(createSession, aSession(instructor_id, world.people.member()), asFamily);
/** A booking that has the hold's time for good. */
async function book(hold: Hold) {
  const conversion = conversionOf(world.people, hold);
  await world.parts.call(claimBooking, conversion, asFamily);
  const { bookingId } = conversion;
  const { sessions } = await world.parts.call(confirmBooking, { bookingId }, asFamily);
  return { bookingId, sessions };
}

describe('an offer whose making was cut off', () => {
  it('is made by the sweep', async () => {
    const instructor_id = world.people.instructor();
    const member_id = world.people.member();
    const range = { date_from: inDays(10, 0), date_to: inDays(11, 0), duration_minutes: 30 };
    const entry = await world.parts.call(joinWaitlist, { instructor_id, member_id, ...range }, asFamily);
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
    await holds.insertClaiming(systemCall('test', family.accountId), { ...offered, ...more });
    const stored = world.parts.database('scheduling_test').collection<{ _id: string; dueAt: Date }>('holds');
    await stored.updateOne({ _id }, { $set: { dueAt: new Date(0) } });
    const read = () => world.parts.call(getWaitlistEntry, { waitlist_id: entry.id }, asFamily);
    await until(async () => (await read()).status === 'offered', 'it is offered');
  });
});

describe('a hold whose claim answered late', () => {
  it('lasts no longer than the claim', async () => {
    const { clock } = world.service.app.get(Databases, { strict: false });
    const inTime = holds.markActive.bind(holds);
    holds.markActive = async (...made) => {
      const late = jest.spyOn(clock, 'now').mockReturnValue(clock.inMs(LATE_MS));
      return inTime(...made).finally(() => late.mockRestore());
    };
    const hold = await make().finally(() => (holds.markActive = inTime));
    const claim = (await calendar.findLive('test', hold.id))!;
    expect(new Date(hold.expires_at).getTime()).toBeLessThanOrEqual(claim.until!.getTime());
  });
});

describe('somebody who looked too early', () => {
  it('does not undo an offer that has become a booking', async () => {
    const hold = await make();
    const seen = (await holds.findAny('test', hold.id))!;
    await book(hold);
    await keeping.discard('test', seen);
    expect(await refusalOfCall(rival(hold))).toMatchObject({ reason: 'instructor_busy' });
    expect(await world.parts.call(getHold, { hold_id: hold.id }, asFamily)).toMatchObject({ status: 'converted' });
  });

  it('does not release a claim that has been confirmed since', async () => {
    const hold = await make();
    const conversion = conversionOf(world.people, hold);
    await world.parts.call(claimBooking, conversion, asFamily);
    const held = (await calendar.findLive('test', conversion.bookingId))!;
    expect(held.state).toBe('held');
    await world.parts.call(confirmBooking, { bookingId: conversion.bookingId }, asFamily);
    expect(await calendar.releaseHeld('test', held)).toBe(false);
    const released = await world.parts.call(releaseBooking, { bookingId: conversion.bookingId }, asFamily);
    expect(released).toEqual({ state: 'confirmed' });
    expect(await refusalOfCall(rival(hold))).toMatchObject({ reason: 'instructor_busy' });
  });

  it('does not forget a hold that has become active since', async () => {
    const hold = await make();
    await holds.forgetClaiming('test', hold.id);
    expect(await world.parts.call(getHold, { hold_id: hold.id }, asFamily)).toMatchObject({ status: 'active' });
  });

  it('ends a hold once: its time comes back, and cannot be had by a booking any more', async () => {
    const hold = await make();
    const seen = (await holds.findAny('test', hold.id))!;
    expect(await keeping.end('test', seen)).not.toBeNull();
    expect(await refusalOfCall(book(hold))).toMatchObject({ reason: 'invalid_state' });
    await keeping.discard('test', seen);
    const session = await rival(hold);
    await world.parts.call(cancelSession, { session_id: session.id }, asFamily);
  });
});
