import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { applyClockToBookings, type Booking, cancelBooking, enrollmentCreated, enrollmentEnded } from '@swim/contracts';
import { until } from '@swim/testing';
import { type BookingFixture, startFixture } from '../harness.js';
import { dateIn, enrollmentsIn } from './enrolling.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.calendar.calm());
afterAll(() => fixture?.stop());

const { aClass, enroll, read, end } = enrollmentsIn(() => fixture);
const cancel = (booking_id: string): Promise<Booking> =>
  fixture.harness.call(cancelBooking, { booking_id }, { principal: fixture.family });

/** Stops the first cancellations of sessions from now on, one after the other, before they do anything. */
function stopped(count: number) {
  const gates = Array.from({ length: count }, () => Promise.withResolvers<void>());
  let came = 0;
  fixture.calendar.disturb('cancelAll', { before: () => gates[came++]?.promise });
  return {
    arrived: (which: number) => until(() => came >= which, `${which} cancellations have begun`),
    goOn: (which: number) => gates[which - 1]!.resolve(),
  };
}

describe('while the end of an enrollment is in progress', () => {
  it('its booking can be cancelled: the end comes first', async () => {
    const made = await enroll(aClass());
    const { arrived, goOn } = stopped(1);
    const ended = end(made.id, 2);
    await arrived(1);
    const cancelled = await cancel(made.booking_id);
    expect(cancelled.status).toBe('cancelled');
    goOn(1);
    expect(await ended).toMatchObject({ status: 'ended', ends_on: dateIn(2) });
    expect(cancelled.sessions.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('it can be ended earlier', async () => {
    const made = await enroll(aClass());
    const { arrived, goOn } = stopped(1);
    const later = end(made.id, 2);
    await arrived(1);
    expect(await end(made.id, 1)).toMatchObject({ status: 'active', ends_on: dateIn(1) });
    goOn(1);
    await later;
    expect(await read(made)).toMatchObject({ ends_on: dateIn(1) });
    const sessions = fixture.calendar.confirmedSessions(made.booking_id);
    expect(sessions.map(({ status }) => status)).toEqual(['scheduled', 'cancelled', 'cancelled']);
  });

  it('its late run changes nothing of a cancellation that has begun since', async () => {
    const made = await enroll(aClass());
    const { arrived, goOn } = stopped(3);
    const late = end(made.id, 2);
    await arrived(1);
    const cancelling = cancel(made.booking_id);
    await arrived(2);
    goOn(2);
    await arrived(3);
    goOn(1);
    await late;
    goOn(3);
    const cancelled = await cancelling;
    expect(cancelled.sessions.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(await read(made)).toMatchObject({ status: 'ended', ends_on: dateIn(2) });
  });
});

it('an enrollment ends once its last date is over, by the clock of its account', async () => {
  const made = await enroll(aClass());
  await end(made.id, 2);
  const pass = (days: number) =>
    fixture.harness.call(applyClockToBookings, {
      ...{ accountId: fixture.family.accountId, fromMs: 0, offsetMs: days * 86_400_000 },
    });
  await pass(1);
  expect(await read(made)).toMatchObject({ status: 'active', ends_on: dateIn(2) });
  await pass(3);
  expect(await read(made)).toMatchObject({ status: 'ended', ends_on: dateIn(2) });
  const events = await fixture.recorder.atLeast(2, made.id);
  expect(events.map(({ type }) => type)).toEqual([enrollmentCreated.type, enrollmentEnded.type]);
});

it('an enrollment without a start leaves out what can no longer be booked, unless nothing can', async () => {
  const [some, none] = [aClass(), aClass()];
  const lessons = fixture.calendar.classes;
  fixture.calendar.tooSoon.add(lessons.get(some.class_id)![0]!.id);
  for (const { id } of lessons.get(none.class_id)!) fixture.calendar.tooSoon.add(id);
  expect(await enroll(some)).toMatchObject({ starts_on: dateIn(2) });
  expect(await enroll(none)).toMatchObject({ starts_on: dateIn(1) });
});
