import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { memberErased, resetBookings, sessionRescheduled } from '@swim/contracts';
import { EventPublisher } from '@swim/messaging';
import { AppError, newId } from '@swim/platform';
import { inDays, publishEvent, rejectionOf, until } from '@swim/testing';
import type { OpenDraft } from '../../src/bookings/drafts/draft.schema.js';
import { ErasureService } from '../../src/bookings/following/erasure.service.js';
import { BookingsRepository } from '../../src/bookings/storage/bookings.repository.js';
import { type BookingFixture, type BookingInput, familyIn, gate, startFixture } from '../harness.js';
import { cancelledBy, change, sessionsIn } from './session-events.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterEach(() => void jest.restoreAllMocks());
afterAll(() => fixture.stop());

const { create, listed, storedFor, draftsFor } = familyIn(() => fixture);
const { publish } = sessionsIn(() => fixture);
const collection = (name: string) => fixture.harness.database('booking_test').collection<{ _id: string }>(name);
const draftOf = async (id: string) =>
  (await fixture.allDrafts()).find(({ _id }) => _id === id) as unknown as OpenDraft & { nextAt?: Date };
const fail = (message: string) => () => {
  throw new Error(message);
};

const recovered = (id: string) =>
  until(async () => {
    await fixture.letLapse({ _id: id });
    return (await draftOf(id)).state === 'made';
  }, 'recovery has ended the draft');

/** Makes a booking whose first events are not published; recovery can publish them then. */
async function madeUnpublished(input: BookingInput, options: Parameters<typeof create>[1] = {}) {
  const failing = jest.spyOn(EventPublisher.prototype, 'publishAll').mockRejectedValue(new Error('no JetStream'));
  const made = await create(input, options);
  const tried = () => failing.mock.calls.flat(2).filter(({ objectId }) => objectId === made.id);
  await until(() => tried().length > 0, 'it was tried');
  const events = JSON.parse(JSON.stringify(tried()));
  return { made, events, heal: () => failing.mockRestore() };
}

describe('first events that recovery publishes', () => {
  it('belong to the trace of the request', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { made, events, heal } = await madeUnpublished(fixture.bookingInput(), { traceparent });
    heal();
    await recovered(made.id);
    expect(await fixture.recorder.atLeast(events.length, made.id)).toEqual(events);
    expect(events[0].cause).toMatchObject({ traceparent });
  });

  it('have the sessions of a hold at the times for which they were booked, also when these have exchanged them', async () => {
    const sessions = [
      { date: inDays(7), duration_minutes: 30 },
      { date: inDays(6), duration_minutes: 60 },
    ];
    const { made, events, heal } = await madeUnpublished(fixture.bookingInput({ sessions, hold_id: newId('hold') }));
    heal();
    const [first, second] = fixture.calendar.confirmedSessions(made.id);
    const firstDate = first!.date;
    await publish(sessionRescheduled, change(first!, { date: inDays(9), end_date: inDays(9) }));
    await publish(sessionRescheduled, change(second!, { date: firstDate, end_date: firstDate }));
    await until(async () => {
      const { sessions: now } = (await fixture.stored(made.id)) as unknown as { sessions: { version: number }[] };
      return now.every(({ version }) => version === 2);
    }, 'the booking has followed');
    await recovered(made.id);
    expect(await fixture.recorder.atLeast(events.length, made.id)).toEqual(events);
  });

  it('have the request that began the booking as their cause, also when its repetition has made it', async () => {
    const [input, options] = [fixture.bookingInput(), { idempotencyKey: newId('req') }];
    fixture.calendar.disturb('claim', { after: fail('The process was killed.') });
    await rejectionOf(create(input, options));
    fixture.calendar.calm();
    const [draft] = await draftsFor(input);
    await fixture.letRunsLapse();
    const made = await create(input, options);
    const [created] = await fixture.recorder.atLeast(1, made.id);
    expect(created!.cause).toEqual((draft as unknown as OpenDraft).cause);
  });
});

describe('a draft whose recovery is superseded', () => {
  it('is made with the content of the request that has started over', async () => {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId);
    const [input, options] = [fixture.bookingInput({ instructor_id }), { idempotencyKey: newId('req') }];
    fixture.calendar.disturb('claim', { before: fail('Scheduling is restarted.') });
    await rejectionOf(create(input, options));
    fixture.calendar.calm();
    const [draft] = await draftsFor(input);
    const slow = gate();
    let releases = 0;
    fixture.calendar.disturb('release', { before: () => (releases++ === 0 ? slow.passed() : undefined) });
    await fixture.letLapse({ _id: draft!._id });
    await slow.reached;
    fixture.people.changeInstructor(instructor_id, { hourlyRateCents: 6_000 });
    const bookings = fixture.service.app.get(BookingsRepository, { strict: false });
    const insert = bookings.insertMade.bind(bookings);
    const paused = gate();
    let runs = 0;
    jest.spyOn(bookings, 'insertMade').mockImplementation(async (...given) => {
      if (runs++ === 0) await paused.passed();
      return insert(...given);
    });
    await fixture.letRunsLapse();
    const making = create(input, options);
    await paused.reached;
    // The claim of the request is confirmed, and it has not stored the booking yet.
    slow.open();
    await until(async () => (await storedFor(input)).length === 1, 'recovery has made it');
    paused.open();
    const made = await making;
    const [created] = await fixture.recorder.atLeast(2, made.id);
    const [session] = fixture.calendar.confirmedSessions(made.id);
    const amounts = [session!.price_cents, made.amount_cents, created!.object.amount_cents];
    expect(amounts).toEqual([6_000, 6_000, 6_000]);
  });

  it('stays open after an error of scheduling that asks for a repetition', async () => {
    const input = fixture.bookingInput();
    fixture.calendar.disturb('claim', {
      after: () => {
        throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      },
    });
    expect(await rejectionOf(create(input))).toMatchObject({ reason: 'change_in_progress' });
    fixture.calendar.calm();
    const [draft] = await draftsFor(input);
    await recovered(draft!._id);
    expect(await listed(input)).toMatchObject([{ id: draft!._id, status: 'confirmed' }]);
  });
});

describe('a draft that recovery finds', () => {
  it('loses the texts of a member that was erased before it was stored', async () => {
    const input = fixture.bookingInput({ notes: 'canary', metadata: { by: 'canary' } });
    const [member] = input.member_ids;
    await publishEvent(fixture.harness, memberErased, {
      object: { id: member!, account_id: fixture.family.accountId, erased_at: new Date().toISOString() },
      audience: [fixture.family.accountId],
    });
    await until(() => collection('erased_members').findOne({ _id: member! }), 'it is marked');
    const erasure = fixture.service.app.get(ErasureService, { strict: false });
    jest.spyOn(erasure, 'rejectErased').mockRejectedValue(new Error('The process was killed.'));
    await rejectionOf(create(input));
    const [draft] = await draftsFor(input);
    await until(async () => {
      await fixture.letLapse({ _id: draft!._id });
      return (await draftOf(draft!._id)).state === 'failed';
    }, 'recovery has ended it');
    const left = await draftOf(draft!._id);
    expect(left.booking.notes).toBeNull();
    expect(JSON.stringify(left)).not.toContain('canary');
  });

  it('is part of a reset until its booking has ended', async () => {
    const input = fixture.bookingInput();
    fixture.calendar.disturb('claim', { after: fail('The process was killed.') });
    await rejectionOf(create(input));
    const [draft] = await draftsFor(input);
    fixture.calendar.disturb('confirm', { before: fail('Scheduling is away.') });
    const before = new Date(Date.now() + 1_000).toISOString();
    const end = async () => {
      const part = { accountId: fixture.family.accountId, before, phase: 'end' as const };
      return (await fixture.harness.call(resetBookings, part, { principal: fixture.family })).done;
    };
    expect(await end()).toBe(false);
    fixture.calendar.calm();
    await recovered(draft!._id);
    for (const session of fixture.calendar.confirmedSessions(draft!._id))
      change(session, cancelledBy(fixture.family.accountId));
    await until(end, 'the reset has ended its booking');
    expect((await storedFor(input))[0]).toMatchObject({ status: 'cancelled' });
  });

  it('waits longer after each run while events cannot be published', async () => {
    const failing = jest.spyOn(EventPublisher.prototype, 'publishAll').mockRejectedValue(new Error('no JetStream'));
    const { made, heal } = await madeUnpublished(fixture.bookingInput());
    await until(async () => {
      await fixture.letLapse({ _id: made.id });
      return (await draftOf(made.id)).attempt >= 4;
    }, 'recovery has tried it three times');
    const { nextAt } = await until(async () => {
      const now = await draftOf(made.id);
      return now.nextAt && now.nextAt.getTime() > Date.now() ? now : null;
    }, 'it waits');
    expect(nextAt!.getTime()).toBeGreaterThan(Date.now() + 60_000);
    heal();
    failing.mockRestore();
    await recovered(made.id);
  });
});
