import { describe, expect, it } from '@jest/globals';
import { heldSessionSalts } from '@swim/contracts';
import fc from 'fast-check';
import { aSchedule } from '../../test/availability/availability.samples.js';
import { keptSlots, type RejectedSlot, type Slot } from './slot.rules.js';

const MINUTE_MS = 60_000;
const BASE_MS = Date.UTC(2028, 1, 28, 23);

/** A request for lessons at these minutes, in this order, each for two members. */
const aRequest = (times: { at: number; minutes: number }[], buffers: { before: number; after: number }) => ({
  rules: {
    instructorId: 'ins_1',
    schoolId: 'acct_1',
    timezone: 'UTC',
    schedule: aSchedule({ buffer_before_minutes: buffers.before, buffer_after_minutes: buffers.after }),
    enforceAvailability: true,
    defaultPoolId: null,
  },
  pool: { id: 'pool_1', lanes: 1 },
  slots: times.map(({ at, minutes }, index) => ({
    startMs: BASE_MS + at * MINUTE_MS,
    endMs: BASE_MS + (at + minutes) * MINUTE_MS,
    sessions: ['mem_1', 'mem_2'].map((memberId) => ({ id: `ses_${index}_${memberId}`, memberId })),
  })),
});

const blockOf = (slot: Slot): RejectedSlot => ({ slot, reason: 'outside_availability' });

/** Slots in any order with buffers, and for each whether published hours or the calendar block it. */
const sample = fc
  .record({
    times: fc.array(
      fc.record({ at: fc.nat(400), minutes: fc.integer({ min: 15, max: 60 }), isBlocked: fc.boolean() }),
      {
        maxLength: 14,
      },
    ),
    buffers: fc.record({ before: fc.constantFrom(0, 5, 30), after: fc.constantFrom(0, 10, 45) }),
  })
  .map(({ times, buffers }) => {
    const request = aRequest(times, buffers);
    return { request, buffers, isBlocked: new Set(request.slots.filter((_, index) => times[index]!.isBlocked)) };
  });

describe('the slots of a request that are kept', () => {
  it('are those that are not blocked and whose minutes, with buffers, no slot kept before has', () => {
    fc.assert(
      fc.property(sample, ({ request, buffers, isBlocked }) => {
        const taken = new Set<number>();
        const expected = request.slots.filter((slot) => {
          const minutes: number[] = [];
          const endMs = slot.endMs + buffers.after * MINUTE_MS;
          for (let at = slot.startMs - buffers.before * MINUTE_MS; at < endMs; at += MINUTE_MS) minutes.push(at);
          if (isBlocked.has(slot) || minutes.some((at) => taken.has(at))) return false;
          for (const at of minutes) taken.add(at);
          return true;
        });
        const { kept, rejected } = keptSlots(request, [...isBlocked].map(blockOf));
        expect(kept).toEqual(expected);
        expect(rejected.map(({ slot }) => slot)).toEqual(request.slots.filter((slot) => !expected.includes(slot)));
        for (const { slot, reason } of rejected)
          expect(reason).toBe(isBlocked.has(slot) ? 'outside_availability' : 'instructor_busy');
      }),
      { numRuns: 500 },
    );
  });

  it('are the same whether all blocked slots are known at once or each is found when it is claimed', () => {
    fc.assert(
      fc.property(sample, ({ request, isBlocked }) => {
        const found: RejectedSlot[] = [];
        for (let claims = 0; claims <= request.slots.length; claims += 1) {
          const next = keptSlots(request, found).kept.filter((slot) => isBlocked.has(slot));
          found.push(...next.map(blockOf));
        }
        expect(keptSlots(request, found).kept).toEqual(keptSlots(request, [...isBlocked].map(blockOf)).kept);
      }),
      { numRuns: 500 },
    );
  });

  it('include the one after a blocked slot, whose buffer it would overlap', () => {
    const times = [0, 30, 60].map((at) => ({ at, minutes: 30 }));
    const request = aRequest(times, { before: 0, after: 10 });
    const [first, second, third] = request.slots as [Slot, Slot, Slot];
    expect(keptSlots(request, [])).toEqual({
      kept: [first, third],
      rejected: [{ slot: second, reason: 'instructor_busy' }],
    });
    expect(keptSlots(request, [blockOf(first)])).toEqual({
      kept: [second],
      rejected: [blockOf(first), { slot: third, reason: 'instructor_busy' }],
    });
  });
});

describe('the salt of the id of a session of a hold', () => {
  it('depends on its member and the place of its time in the calendar, in whichever order the times are listed', () => {
    const members = ['mem_1', 'mem_2'];
    const saltsOf = (startsMs: number[]) => {
      const saltOf = heldSessionSalts(startsMs);
      return new Map(
        startsMs.flatMap((startMs, index) => members.map((each) => [`${startMs} ${each}`, saltOf(index, each)])),
      );
    };
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 41 }), { minLength: 1, maxLength: 12 });
    const orders = times.chain((each) =>
      fc.tuple(fc.constant(each), fc.shuffledSubarray(each, { minLength: each.length })),
    );
    fc.assert(
      fc.property(orders, ([listed, shuffled]) => {
        const salts = saltsOf(listed);
        expect(new Set(salts.values()).size).toBe(listed.length * members.length);
        expect(new Map([...saltsOf(shuffled)].sort())).toEqual(new Map([...salts].sort()));
      }),
    );
  });

  it('differs between equal times', () => {
    const saltOf = heldSessionSalts([5, 5]);
    expect(saltOf(0, 'mem_1')).not.toBe(saltOf(1, 'mem_1'));
  });
});
