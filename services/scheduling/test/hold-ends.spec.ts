import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  createHold,
  createSession,
  getHold,
  type Hold,
  releaseBooking,
} from '@swim/contracts';
import { inDays, refusalOfCall } from '@swim/testing';
import { CalendarService } from '../src/calendar/calendar.service.js';
import { HoldKeepingService } from '../src/holds/hold-keeping.service.js';
import { HoldsRepository } from '../src/holds/holds.repository.js';
import { conversionOf } from './hold-conversion.js';
import { aSession, asFamily, type SchedulingParts, startScheduling } from './scheduling-parts.js';

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
