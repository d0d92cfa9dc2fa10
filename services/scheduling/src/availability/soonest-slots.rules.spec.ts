import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type InstructorSlot, SoonestSlots } from './soonest-slots.rules.js';

const starts = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 15 });
const calendars = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), starts);
const byStart = (one: InstructorSlot, other: InstructorSlot) =>
  one.startMs - other.startMs || one.instructorId.localeCompare(other.instructorId);

/** Every slot in order, by sorting all of them. */
const sortedSlots = (given: Record<string, number[]>): InstructorSlot[] =>
  Object.entries(given)
    .flatMap(([instructorId, all]) => all.map((startMs) => ({ instructorId, startMs, endMs: startMs + 1 })))
    .sort(byStart);

function pageOf(given: Record<string, number[]>, request: ConstructorParameters<typeof SoonestSlots>[0]) {
  const soonest = new SoonestSlots(request);
  for (const [id, all] of Object.entries(given)) {
    const ascending = [...all].sort((one, other) => one - other);
    soonest.add(
      id,
      ascending.map((startMs) => ({ startMs, endMs: startMs + 1 })),
    );
  }
  return soonest.page();
}

describe('one page of the soonest slots of many instructors', () => {
  it('after a number of slots, is that part of all slots in order', () => {
    fc.assert(
      fc.property(calendars, fc.nat(30), fc.integer({ min: 1, max: 8 }), (given, offset, limit) => {
        const all = sortedSlots(given);
        expect(pageOf(given, { after: null, offset, limit })).toEqual({
          slots: all.slice(offset, offset + limit),
          hasMore: all.length > offset + limit,
          total: all.length,
        });
      }),
    );
  });

  it('after a position, continues behind it, whether or not that slot is still there', () => {
    const positions = fc.record({ startMs: fc.nat(45), instructorId: fc.constantFrom('a', 'bb', 'c', 'z') });
    fc.assert(
      fc.property(calendars, positions, fc.integer({ min: 1, max: 8 }), (given, after, limit) => {
        const all = sortedSlots(given);
        const rest = all.filter((slot) => byStart(slot, { ...after, endMs: 0 }) > 0);
        expect(pageOf(given, { after, offset: 0, limit })).toEqual({
          slots: rest.slice(0, limit),
          hasMore: rest.length > limit,
          total: all.length,
        });
      }),
    );
  });
});
