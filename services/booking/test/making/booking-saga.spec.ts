import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, getBooking } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { inDays, ofSeveralTries, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, type BookingInput, familyIn, gate, startFixture, times } from '../harness.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create, listed, storedFor, draftsFor } = familyIn(() => fixture);

/** Waits until the only draft of this request has failed, with its lease ended. */
const fails = (input: BookingInput) =>
  until(async () => {
    await fixture.letLapse({ memberIds: input.member_ids });
    const [draft, ...others] = await draftsFor(input);
    expect([others, await storedFor(input)]).toEqual([[], []]);
    return draft?.state === 'failed' ? draft : null;
  }, 'the draft fails');

/** Waits until the only booking of this request is confirmed, with the lease of its draft ended. */
const isConfirmed = (input: BookingInput) =>
  until(async () => {
    await fixture.letLapse({ memberIds: input.member_ids });
    const [stored, ...others] = await storedFor(input);
    expect(others).toEqual([]);
    return stored?.status === 'confirmed' ? stored : null;
  }, 'the booking is confirmed');

interface CutOff {
  bookingInput: BookingInput;
  options: RequestOptions;
  /** Opens the step. */
  open: () => void;
}

/**
 * A request whose deadline passes while the booking waits before or after this step. On a busy machine the deadline may pass
 * before the step: then another request is made.
 */
const cutOff = (
  step: 'claim',
  when: 'before' | 'after',
  makeInput: () => BookingInput | Promise<BookingInput> = fixture.bookingInput,
): Promise<CutOff> =>
  until(async () => {
    const [input, options] = [await makeInput(), { idempotencyKey: newId('req'), requestId: newId('req') }];
    const { passed, open } = gate();
    let isReached = false;
    const wait = () => {
      isReached = true;
      return passed();
    };
    fixture.calendar.disturb(step, { [when]: wait });
    expect((await rejectionOf(create(input, { ...options, budgetMs: 300 }))).reason).toBe('deadline_exceeded');
    if (isReached) return { bookingInput: input, options, open };
    open();
    return null;
  }, `a request is cut off ${when} its ${step}`);

describe('twenty requests with one Idempotency-Key', () => {
  it('make one booking, which all of them return', async () => {
    const input = fixture.bookingInput();
    const one = () => create(input, { idempotencyKey: 'one of twenty' });
    const answered = async (): Promise<Booking> => {
      for (;;) {
        const outcome = await one().catch((error: unknown) => error);
        if (!(outcome instanceof AppError)) return outcome as Booking;
        expect(outcome.reason).toBe('idempotency_in_progress');
      }
    };
    const answers = await Promise.all(Array.from({ length: 20 }, answered));
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await storedFor(input)).toHaveLength(1);
    expect(fixture.calendar.confirmedSessions(answers[0]!.id)).toHaveLength(1);
    expect((await fixture.recorder.atLeast(2, answers[0]!.id)).map(({ type }) => type)).toEqual([
      'booking.created',
      'booking.confirmed',
    ]);
  });
});

describe('when scheduling responds to the claim too late', () => {
  it('the client gets an error with unknown outcome, and the booking is finished without it', async () => {
    const {
      bookingInput: input,
      options,
      open,
    } = await cutOff('claim', 'after', () => fixture.bookingInput({ sessions: times(1, 2) }));
    const { _id } = await isConfirmed(input);
    open();
    const [booking] = await listed(input);
    expect(booking).toMatchObject({ id: _id, status: 'confirmed', amount_cents: 10_000 });
    const events = await fixture.recorder.atLeast(2, booking!.id);
    expect(events.map(({ type }) => type)).toEqual(['booking.created', 'booking.confirmed']);
    expect(events[0]!.cause).toEqual({
      requestId: options.requestId,
      idempotencyKey: options.idempotencyKey,
      actor: fixture.family.keyId,
      accountId: fixture.family.accountId,
    });
  });

  it('the same key then returns the booking', async () => {
    const { bookingInput: input, options, open } = await cutOff('claim', 'after');
    fixture.calendar.calm();
    open();
    const made = await until(() => create(input, options).catch(() => null), 'the same key answers');
    expect(await listed(input)).toEqual([made]);
    expect(await storedFor(input)).toHaveLength(1);
  });

  it('the same key returns it also after recovery has finished it, without another claim', async () => {
    const { bookingInput: input, options, open } = await cutOff('claim', 'after');
    const { _id } = await isConfirmed(input);
    fixture.calendar.calm();
    open();
    expect((await create(input, options)).id).toBe(_id);
    expect(fixture.calendar.calls).not.toContain('claim');
  });
});

describe('when the claim was never made', () => {
  const down = () => {
    throw new AppError('unavailable', { retryAfterSeconds: 1 });
  };

  it('the booking fails, is never visible, and publishes nothing', async () => {
    fixture.calendar.disturb('claim', { before: down });
    const input = fixture.bookingInput();
    expect((await rejectionOf(create(input))).reason).toBe('unavailable');
    expect(await listed(input)).toEqual([]);
    const { _id } = await fails(input);
    const error = await rejectionOf(
      fixture.harness.call(getBooking, { booking_id: _id }, { principal: fixture.family }),
    );
    expect(error.reason).toBe('resource_not_found');
    expect(await listed(input)).toEqual([]);
    expect(fixture.recorder.of(_id)).toEqual([]);
  });

  it('the same key starts over and makes the same booking', async () => {
    fixture.calendar.disturb('claim', { before: down });
    const input = fixture.bookingInput();
    const options = { idempotencyKey: newId('req') };
    await rejectionOf(create(input, options));
    const { _id } = await fails(input);
    fixture.calendar.calm();
    const made = await create(input, options);
    expect(made.id).toBe(_id);
    expect(await listed(input)).toEqual([made]);
    expect((await storedFor(input))[0]).toMatchObject({ status: 'confirmed', nextAt: null });
    const draft = async () => (await fixture.allDrafts()).find((each) => each._id === _id);
    const ended = await until(async () => ((await draft())?.state === 'made' ? draft() : null), 'the draft ends');
    expect(Object.keys(ended!).sort()).toEqual(['_id', 'accountId', 'attempt', 'endedAt', 'state']);
  });

  it('the same key does not wait for recovery', async () => {
    fixture.calendar.disturb('claim', { before: down });
    const input = fixture.bookingInput();
    const options = { idempotencyKey: newId('req') };
    await rejectionOf(create(input, options));
    fixture.calendar.calm();
    expect((await create(input, options)).status).toBe('confirmed');
    expect(await storedFor(input)).toHaveLength(1);
  });

  it('all bookings are finished when scheduling is back', async () => {
    for (const step of ['claim', 'confirm', 'release'] as const) fixture.calendar.disturb(step, { before: down });
    const input = fixture.bookingInput();
    await rejectionOf(create(input));
    await until(async () => {
      await fixture.letLapse({ memberIds: input.member_ids });
      return Number((await draftsFor(input))[0]?.attempt) >= 3;
    }, 'recovery was tried twice');
    expect((await draftsFor(input))[0]?.state).toBe('claiming');
    fixture.calendar.calm();
    await fails(input);
  });
});

describe('when the maker is slower than its lease', () => {
  const claimsLate = async () => {
    const slow = gate();
    fixture.calendar.disturb('claim', { before: slow.passed });
    const input = fixture.bookingInput();
    const making = rejectionOf(create(input));
    const { _id } = await fails(input);
    slow.open();
    expect((await making).reason).toBe('busy_retry');
    expect(fixture.calendar.confirmedSessions(_id)).toEqual([]);
    expect(await listed(input)).toEqual([]);
  };
  // Recovery must end before the deadline of the request.
  it('a claim after recovery has failed the booking makes nothing, and the client may retry', () =>
    ofSeveralTries(claimsLate));

  it('a claim after all runs have ended books nothing', async () => {
    const { bookingInput: input, open } = await cutOff('claim', 'before');
    const { _id } = await fails(input);
    open();
    expect(fixture.calendar.confirmedSessions(_id)).toEqual([]);
    expect(await listed(input)).toEqual([]);
  });
});

describe('when a run is superseded by another under the same key', () => {
  const respondsLate = async () => {
    const [first, second] = [gate(), gate()];
    const claims = [first, second];
    fixture.calendar.disturb('claim', {
      before: async () => {
        const mine = claims.shift();
        await mine?.passed();
        if (mine === first) throw new AppError('conflicting_dates', { details: { conflicts: [] } });
      },
    });
    const [input, options] = [fixture.bookingInput(), { idempotencyKey: newId('req') }];
    const superseded = rejectionOf(create(input, options));
    await until(() => claims.length === 1, 'the first run waits for its claim');
    await fixture.letRunsLapse();
    const successor = until(() => create(input, options).catch(() => null), 'the second run answers');
    await until(() => claims.length === 0, 'the second run waits for its claim');
    first.open();
    const { reason } = await superseded;
    second.open();
    const made = await successor;
    expect(reason).toBe('conflicting_dates');
    expect(await listed(input)).toEqual([made]);
  };
  // The second run must begin before the deadline of the first request.
  it('its late responses change nothing for its successor', () => ofSeveralTries(respondsLate));
});

describe('a booking that may skip dates', () => {
  /** A request for two dates of which one is taken. */
  const skipping = async () => {
    const { instructor_id } = await create(fixture.bookingInput({ sessions: times(2) }));
    return fixture.bookingInput({ instructor_id, sessions: times(1, 2), on_conflict: 'skip' });
  };

  it('is finished when the response to its claim was lost, with its skipped dates', async () => {
    const { bookingInput: input, open } = await cutOff('claim', 'after', skipping);
    fixture.calendar.calm();
    open();
    await isConfirmed(input);
    const [booking] = await listed(input);
    expect(booking).toMatchObject({ skipped: [{ date: inDays(2), reason: 'instructor_busy' }], amount_cents: 5_000 });
  });

  it('returns the same to the same key when the first response was lost', async () => {
    const { bookingInput: input, options, open } = await cutOff('claim', 'after', skipping);
    fixture.calendar.calm();
    open();
    const made = await until(() => create(input, options).catch(() => null), 'the same key answers');
    expect(made).toMatchObject({ skipped: [{ date: inDays(2), reason: 'instructor_busy' }], amount_cents: 5_000 });
    expect(await listed(input)).toEqual([made]);
  });
});
