import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cancelBooking, getBooking, memberErased, sessionCancelled, updateBooking } from '@swim/contracts';
import { EventPublisher } from '@swim/messaging';
import { inEnvironment, newId } from '@swim/platform';
import { partOf, publishEvent, rejectionOf, until } from '@swim/testing';
import type { OpenDraft } from '../../src/bookings/drafts/draft.schema.js';
import { DraftsRepository } from '../../src/bookings/drafts/drafts.repository.js';
import { BookingsRepository } from '../../src/bookings/storage/bookings.repository.js';
import { cancelledBy, change, sessionsIn } from '../faults/session-events.js';
import { type BookingFixture, type BookingInput, familyIn, startFixture, times } from '../harness.js';
import { moneyIn } from '../money/money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterEach(() => void jest.restoreAllMocks());
afterAll(() => fixture.stop());

const { create, storedFor, draftsFor } = familyIn(() => fixture);
const { pay, create: createWith } = moneyIn(() => fixture);
const { publish } = sessionsIn(() => fixture);
const collection = (name: string) => fixture.harness.database('booking_test').collection<{ _id: string }>(name);
const draftOf = async (id: string) => (await fixture.allDrafts()).find(({ _id }) => _id === id);
const hasEnded = async (id: string) => (await draftOf(id))?.state === 'made';
const drafts = () => partOf(fixture.service, DraftsRepository);
const unavailable = () => new Error('JetStream does not store events');

const erase = (id: string) =>
  publishEvent(fixture.harness, memberErased, {
    object: { id, account_id: fixture.family.accountId, erased_at: new Date().toISOString() },
    audience: [fixture.family.accountId, fixture.school.accountId],
  });

/** Leaves a draft whose claim is confirmed, or not, as a process does that was killed then. */
async function aLeftDraft(when: 'before' | 'after', changes: Partial<BookingInput> = {}) {
  const [input, options] = [fixture.bookingInput(changes), { idempotencyKey: newId('req') }];
  const fail = () => {
    throw new Error('The process was killed.');
  };
  fixture.calendar.disturb('claim', { [when]: fail });
  await rejectionOf(create(input, options));
  fixture.calendar.calm();
  const [draft] = await draftsFor(input);
  return { input, options, draft: draft as unknown as OpenDraft };
}

const recovered = (input: BookingInput) =>
  until(async () => {
    await fixture.letLapse({ memberIds: input.member_ids });
    const [booking] = await storedFor(input);
    return booking?.status === 'confirmed' && (await hasEnded(booking._id)) ? booking : null;
  }, 'recovery has made the booking');

describe('a booking whose first events could not be published', () => {
  const INPUTS: [string, () => BookingInput | Promise<BookingInput>][] = [
    ['one member', () => fixture.bookingInput({ sessions: times(1, 2), notes: 'Gate 4', metadata: { a: 'b' } })],
    [
      'a group',
      () =>
        fixture.bookingInput({
          member_ids: [1, 2, 3].map(() => fixture.people.aMember(fixture.family.accountId)),
          sessions: times(4, 3),
        }),
    ],
    [
      'an account that has to prepay',
      () =>
        fixture.bookingInput({
          instructor_id: fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true }),
        }),
    ],
    [
      'a hold of several times and members, to be prepaid',
      () =>
        fixture.bookingInput({
          instructor_id: fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true }),
          member_ids: [1, 2].map(() => fixture.people.aMember(fixture.family.accountId)),
          sessions: times(6, 5),
          hold_id: newId('hold'),
        }),
    ],
    [
      'dates of which one is skipped',
      async () => {
        const { instructor_id } = await create(fixture.bookingInput({ sessions: times(2) }));
        return fixture.bookingInput({ instructor_id, sessions: times(1, 2), on_conflict: 'skip' });
      },
    ],
    [
      'an account that uses a makeup credit',
      async () => {
        const paid = await createWith({ sessions: times(9) });
        await pay(paid);
        const asCredit = { booking_id: paid.id, refund_as: 'credit' as const };
        await fixture.harness.call(cancelBooking, asCredit, { principal: fixture.family });
        const given = await until(
          () => collection('credits').findOne({ sessionId: paid.session_ids[0]! } as object),
          'a credit',
        );
        return fixture.bookingInput({ makeup_credit_id: given!._id });
      },
    ],
  ];

  it.each(INPUTS)('for %s: recovery publishes the same events, also after it has changed', async (_, inputFor) => {
    const input = await inputFor();
    const failing = jest.spyOn(EventPublisher.prototype, 'publishAll').mockRejectedValue(unavailable());
    const made = await create(input);
    await until(() => failing.mock.calls.flat(2).some(({ objectId }) => objectId === made.id), 'it was tried');
    const tried = failing.mock.calls.flat(2).filter(({ objectId }) => objectId === made.id);
    failing.mockRestore();
    const ofBooking = { booking_id: made.id };
    const asFamily = { principal: fixture.family };
    await fixture.harness.call(updateBooking, { ...ofBooking, changes: { notes: 'Later' } }, asFamily);
    await fixture.harness.call(cancelBooking, ofBooking, asFamily);
    expect(await hasEnded(made.id)).toBe(false);
    await until(async () => {
      await fixture.letLapse({ _id: made.id });
      return hasEnded(made.id);
    }, 'the draft has ended');
    const published = await fixture.recorder.atLeast(tried.length + 1, made.id);
    expect(published.slice(0, -1)).toEqual(JSON.parse(JSON.stringify(tried)));
    expect(published.at(-1)).toMatchObject({ type: 'booking.cancelled', n: published.length });
    expect(await fixture.harness.call(getBooking, ofBooking, asFamily)).toMatchObject({ notes: 'Later' });
  });

  it('is the result of its request, and of a repetition whose answer was lost', async () => {
    jest.spyOn(EventPublisher.prototype, 'publishAll').mockRejectedValue(unavailable());
    const [input, options] = [fixture.bookingInput(), { idempotencyKey: newId('req') }];
    const made = await create(input, options);
    await collection('idempotency').updateOne({ state: 'done', subjects: input.member_ids[0]! } as object, {
      $set: { state: 'running', leaseUntil: new Date(0) },
    });
    expect(await create(input, options)).toEqual(made);
    expect(fixture.calendar.calls.filter((step) => step === 'claim')).toHaveLength(1);
  });
});

describe('a draft', () => {
  it('of an erased member, whose booking is stored after the search of the erasure, leaves no texts', async () => {
    const texts = { notes: 'canary', metadata: { by: 'canary' } };
    const { input, draft } = await aLeftDraft('after', texts);
    await fixture.letRunsLapse();
    const bookings = fixture.service.app.get(BookingsRepository, { strict: false });
    const insert = bookings.insertMade.bind(bookings);
    const clear = bookings.clearNotes.bind(bookings);
    let failures = 0;
    jest.spyOn(bookings, 'insertMade').mockImplementation(async (...given) => {
      expect(given[1].booking.notes).toBe('canary');
      await erase(input.member_ids[0]!);
      await until(() => collection('erased_members').findOne({ _id: input.member_ids[0]! }), 'it is marked');
      await until(async () => (await draftOf(draft._id))?.textsErased, 'the draft has lost its texts');
      // The erasure has searched the bookings by then.
      await until(
        async () => (await collection('idempotency').countDocuments({ subjects: input.member_ids[0]! })) === 0,
        'it is through',
      );
      jest.spyOn(bookings, 'clearNotes').mockImplementation(async (...which) => {
        if (which[1] === draft._id && failures++ === 0) throw unavailable();
        await clear(...which);
      });
      return insert(...given);
    });
    await recovered(input);
    expect(failures).toBeGreaterThan(0);
    expect(await fixture.stored(draft._id)).toMatchObject({ notes: null, metadata: [] });
    expect(JSON.stringify(await draftOf(draft._id))).not.toContain('canary');
  });

  it('whose session is cancelled before its booking is stored makes a booking that is cancelled then', async () => {
    const { input, draft } = await aLeftDraft('after');
    const [session] = fixture.calendar.confirmedSessions(draft._id);
    await publish(sessionCancelled, change(session!, cancelledBy(fixture.school.accountId)));
    await until(async () => {
      await fixture.letLapse({ memberIds: input.member_ids });
      return (await storedFor(input))[0]?.status === 'cancelled';
    }, 'the booking is cancelled');
    const events = await fixture.recorder.atLeast(3, draft._id);
    expect(events.map(({ type, object }) => [type, object.status, object.amount_cents])).toEqual([
      ['booking.created', 'confirmed', 5_000],
      ['booking.confirmed', 'confirmed', 5_000],
      ['booking.cancelled', 'cancelled', 0],
    ]);
  });

  it('has the amount of its makeup credit decided once, by the latest run', async () => {
    const { draft } = await aLeftDraft('before');
    await collection('drafts').updateOne({ _id: draft._id }, { $set: { nextAt: new Date(0) } });
    const { unfinished } = drafts();
    const [overdue] = (await inEnvironment('test', () => unfinished.findDue(100))).filter(
      ({ _id }) => _id === draft._id,
    );
    const latest =
      (overdue && (await inEnvironment('test', () => unfinished.take(overdue)))) ?? (await drafts().find(draft._id))!;
    expect(await drafts().decideCredit(draft, 1)).not.toHaveProperty('creditedCents');
    expect(await drafts().decideCredit(latest as OpenDraft, 2)).toMatchObject({ creditedCents: 2 });
    expect(await drafts().decideCredit(latest as OpenDraft, 3)).toMatchObject({ creditedCents: 2 });
  });
});

describe('a process that is stopped', () => {
  it('has ended the drafts of the bookings that it has made', async () => {
    const { id } = await create(fixture.bookingInput());
    // Well before the copies of its events are stored.
    await fixture.service.stop();
    expect(await hasEnded(id)).toBe(true);
  });
});
