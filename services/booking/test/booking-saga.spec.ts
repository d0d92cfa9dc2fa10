import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, getBooking } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { type Caller, inDays, refusalOfCall, until } from '@swim/testing';
import { familyIn, gate, startWorld, times, type WantedBooking, type World } from './booking-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.calendar.calm());
afterAll(() => world.stop());

const { create, listed, storedFor } = familyIn(() => world);

/** Waits until the only stored booking of this wish has this status, the time of whoever works on it being over. */
const becomes = (wanted: WantedBooking, status: string) =>
  until(async () => {
    await world.letLapse({ memberIds: wanted.member_ids });
    const [stored, ...others] = await storedFor(wanted);
    expect(others).toEqual([]);
    return stored?.status === status ? stored : null;
  }, `the booking becomes ${status}`);

interface CutOff {
  wanted: WantedBooking;
  caller: Caller;
  /** Lets the step go on. */
  open: () => void;
}

/**
 * A request whose time is over while the booking waits before or after the work of this step. On a busy machine the time
 * may be over before it comes to that: then another is made.
 */
const cutOff = (
  step: 'claim' | 'confirm',
  when: 'before' | 'after',
  wish: () => WantedBooking | Promise<WantedBooking> = world.wanted,
): Promise<CutOff> =>
  until(async () => {
    const [wanted, caller] = [await wish(), { idempotencyKey: newId('req'), requestId: newId('req') }];
    const { passed, open } = gate();
    let isReached = false;
    const wait = () => {
      isReached = true;
      return passed();
    };
    world.calendar.disturb(step, { [when]: wait });
    expect((await refusalOfCall(create(wanted, { ...caller, budgetMs: 300 }))).reason).toBe('deadline_exceeded');
    if (isReached) return { wanted, caller, open };
    open();
    return null;
  }, `a request is cut off ${when} its ${step}`);

describe('twenty requests with one Idempotency-Key', () => {
  it('make one booking, which all of them are answered', async () => {
    const wanted = world.wanted();
    const one = () => create(wanted, { idempotencyKey: 'one of twenty' });
    const answered = async (): Promise<Booking> => {
      for (;;) {
        const outcome = await one().catch((error: unknown) => error);
        if (!(outcome instanceof AppError)) return outcome as Booking;
        expect(outcome.reason).toBe('idempotency_in_progress');
      }
    };
    const answers = await Promise.all(Array.from({ length: 20 }, answered));
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await storedFor(wanted)).toHaveLength(1);
    expect(world.calendar.confirmedSessions(answers[0]!.id)).toHaveLength(1);
    expect((await world.hearing.atLeast(2, answers[0]!.id)).map(({ type }) => type)).toEqual([
      'booking.created',
      'booking.confirmed',
    ]);
  });
});

describe('when scheduling answers the claim too late', () => {
  it('the client is told that the outcome is unknown, and the booking goes forward without it', async () => {
    const { wanted, caller, open } = await cutOff('claim', 'after', () => world.wanted({ sessions: times(1, 2) }));
    const { _id } = await becomes(wanted, 'confirmed');
    open();
    const [booking] = await listed(wanted);
    expect(booking).toMatchObject({ id: _id, status: 'confirmed', amount_cents: 10_000 });
    const events = await world.hearing.atLeast(2, booking!.id);
    expect(events.map(({ type }) => type)).toEqual(['booking.created', 'booking.confirmed']);
    expect(events[0]!.cause).toEqual({
      requestId: caller.requestId,
      idempotencyKey: caller.idempotencyKey,
      actor: world.family.keyId,
      accountId: world.family.accountId,
    });
  });

  it('the same key then answers the booking that was made', async () => {
    const { wanted, caller, open } = await cutOff('claim', 'after');
    world.calendar.calm();
    open();
    const made = await until(() => create(wanted, caller).catch(() => null), 'the same key answers');
    expect(await listed(wanted)).toEqual([made]);
    expect(await storedFor(wanted)).toHaveLength(1);
  });

  it('the same key answers it also once recovery has finished it, without asking anybody for times again', async () => {
    const { wanted, caller, open } = await cutOff('claim', 'after');
    const { _id } = await becomes(wanted, 'confirmed');
    world.calendar.calm();
    open();
    expect((await create(wanted, caller)).id).toBe(_id);
    expect(world.calendar.calls).toEqual(['sessions']);
  });
});

describe('when the answer to the confirmation is lost', () => {
  it('the booking is confirmed all the same, once', async () => {
    const { wanted, open } = await cutOff('confirm', 'after');
    world.calendar.calm();
    open();
    const { _id } = await becomes(wanted, 'confirmed');
    expect(world.calendar.allSessions.filter(({ booking_id }) => booking_id === _id)).toHaveLength(1);
  });
});

describe('when the claim was never made', () => {
  const down = () => {
    throw new AppError('unavailable', { retryAfterSeconds: 1 });
  };

  it('the booking fails, is never seen, and tells nobody', async () => {
    world.calendar.disturb('claim', { before: down });
    const wanted = world.wanted();
    expect((await refusalOfCall(create(wanted))).reason).toBe('unavailable');
    expect(await listed(wanted)).toEqual([]);
    const { _id } = await becomes(wanted, 'failed');
    const error = await refusalOfCall(world.parts.call(getBooking, { booking_id: _id }, { principal: world.family }));
    expect(error.reason).toBe('resource_not_found');
    expect(await listed(wanted)).toEqual([]);
    expect(world.hearing.of(_id)).toEqual([]);
  });

  it('the same key starts over and makes the same booking', async () => {
    world.calendar.disturb('claim', { before: down });
    const wanted = world.wanted();
    const caller = { idempotencyKey: newId('req') };
    await refusalOfCall(create(wanted, caller));
    const { _id } = await becomes(wanted, 'failed');
    world.calendar.calm();
    const made = await create(wanted, caller);
    expect(made.id).toBe(_id);
    expect(await listed(wanted)).toEqual([made]);
    expect((await storedFor(wanted))[0]).toMatchObject({
      status: 'confirmed',
      failedAt: null,
      nextAt: null,
      asked: null,
    });
  });

  it('the same key need not wait for recovery', async () => {
    world.calendar.disturb('claim', { before: down });
    const wanted = world.wanted();
    const caller = { idempotencyKey: newId('req') };
    await refusalOfCall(create(wanted, caller));
    world.calendar.calm();
    expect((await create(wanted, caller)).status).toBe('confirmed');
    expect(await storedFor(wanted)).toHaveLength(1);
  });

  it('everything is finished when scheduling comes back', async () => {
    for (const step of ['claim', 'confirm', 'release'] as const) world.calendar.disturb(step, { before: down });
    const wanted = world.wanted();
    await refusalOfCall(create(wanted));
    await until(async () => {
      await world.letLapse({ memberIds: wanted.member_ids });
      return Number((await storedFor(wanted))[0]?.attempt) >= 3;
    }, 'recovery was tried twice');
    expect((await storedFor(wanted))[0]?.status).toBe('claiming');
    world.calendar.calm();
    await becomes(wanted, 'failed');
  });
});

describe('when a hold runs out before it is confirmed', () => {
  it('the client is told to try again, and the same key then books', async () => {
    const wanted = world.wanted();
    world.calendar.disturb('claim', {
      after: () => [...world.calendar.claims.keys()].forEach((id) => world.calendar.lapse(id)),
    });
    const caller = { idempotencyKey: newId('req') };
    const error = await refusalOfCall(create(wanted, caller));
    expect(error).toMatchObject({ reason: 'unavailable', retryAfterSeconds: 1 });
    world.calendar.calm();
    expect((await create(wanted, caller)).status).toBe('confirmed');
  });
});

describe('when the maker is slower than its lease', () => {
  it('a booking that recovery had given up is made after all once its claim is confirmed', async () => {
    const slow = gate();
    world.calendar.disturb('claim', { before: slow.passed });
    const wanted = world.wanted();
    const making = create(wanted);
    await becomes(wanted, 'failed');
    slow.open();
    const made = await making;
    expect(await listed(wanted)).toEqual([made]);
    expect(await world.hearing.atLeast(2, made.id)).toHaveLength(2);
  });

  it('a claim that comes when everybody has gone books nothing', async () => {
    const { wanted, open } = await cutOff('claim', 'before');
    const { _id } = await becomes(wanted, 'failed');
    open();
    await until(() => world.calendar.claims.has(_id), 'the late claim is held');
    world.calendar.lapse(_id);
    expect(await listed(wanted)).toEqual([]);
  });
});

describe('when a run has been taken over by another under the same key', () => {
  it('what it hears too late changes nothing for its successor', async () => {
    const [first, second] = [gate(), gate()];
    const claims = [first, second];
    world.calendar.disturb('claim', {
      before: async () => {
        const mine = claims.shift();
        await mine?.passed();
        if (mine === first) throw new AppError('conflicting_dates', { details: { conflicts: [] } });
      },
    });
    const [wanted, caller] = [world.wanted(), { idempotencyKey: newId('req') }];
    const overtaken = refusalOfCall(create(wanted, caller));
    await until(() => claims.length === 1, 'the first run waits for its claim');
    await world.letRunsLapse();
    const successor = until(() => create(wanted, caller).catch(() => null), 'the second run answers');
    await until(() => claims.length === 0, 'the second run waits for its claim');
    first.open();
    expect((await overtaken).reason).toBe('conflicting_dates');
    second.open();
    const made = await successor;
    expect(await listed(wanted)).toEqual([made]);
  });
});

describe('a booking that may skip dates', () => {
  /** A wish for two dates of which one is taken. */
  const skipping = async () => {
    const { instructor_id } = await create(world.wanted({ sessions: times(2) }));
    return world.wanted({ instructor_id, sessions: times(1, 2), on_conflict: 'skip' });
  };

  it('fails when the answer to its claim was lost, for nobody knows what it skipped; the same key then books', async () => {
    const { wanted, caller, open } = await cutOff('claim', 'after', skipping);
    await becomes(wanted, 'failed');
    world.calendar.calm();
    open();
    const made = await create(wanted, caller);
    expect(made).toMatchObject({ skipped: [{ date: inDays(2), reason: 'instructor_busy' }], amount_cents: 5_000 });
  });

  it('goes forward when only the answer to its confirmation was lost, and still knows what it skipped', async () => {
    const { wanted, open } = await cutOff('confirm', 'after', skipping);
    world.calendar.calm();
    open();
    await becomes(wanted, 'confirmed');
    expect((await listed(wanted))[0]!.skipped).toEqual([{ date: inDays(2), reason: 'instructor_busy' }]);
  });
});
