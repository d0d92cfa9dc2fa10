import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blockersOf, busySpansOf, dayIdsOf, elementsByDay, fullSpans, overlapping } from './claim.rules.js';
import type { ClaimElement } from './claim.schema.js';
import type { Day } from './day.schema.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const BASE_MS = Date.UTC(2028, 1, 28);

const element = (startMs: number, endMs: number, holder = 'ses_a', resource = 'ins_1'): ClaimElement => ({
  resource,
  startMs,
  endMs,
  holder,
});

/** The day documents that contain these elements. */
function daysWith(elements: ClaimElement[]): Day[] {
  return elementsByDay(elements).map(([_id, onDay]) => ({
    _id,
    gone: [],
    busy: onDay.map(({ startMs, endMs, holder }) => ({
      s: new Date(startMs),
      e: new Date(endMs),
      c: `claim of ${holder}`,
      h: holder,
    })),
  }));
}

const span = fc
  .record({ startMinutes: fc.integer({ min: 0, max: 4 * 1_440 }), minutes: fc.integer({ min: 1, max: 2_000 }) })
  .map(({ startMinutes, minutes }) => ({
    startMs: BASE_MS + startMinutes * MINUTE_MS,
    endMs: BASE_MS + (startMinutes + minutes) * MINUTE_MS,
  }));

describe('the days of a stretch of time', () => {
  it('are one within a day, two across midnight, and exclude the day that begins at the end', () => {
    expect(dayIdsOf('ins_1', BASE_MS, BASE_MS + DAY_MS)).toEqual(['ins_1:2028-02-28']);
    expect(dayIdsOf('ins_1', BASE_MS + DAY_MS - 1, BASE_MS + DAY_MS + 1)).toEqual([
      'ins_1:2028-02-28',
      'ins_1:2028-02-29',
    ]);
    expect(dayIdsOf('ins_1', BASE_MS, BASE_MS)).toEqual([]);
  });

  it('contain every minute of the span', () => {
    fc.assert(
      fc.property(span, fc.double({ min: 0, max: 0.999_999, noNaN: true }), ({ startMs, endMs }, share) => {
        const inside = Math.floor(startMs + (endMs - startMs) * share);
        expect(dayIdsOf('x', startMs, endMs)).toContain(`x:${new Date(inside).toISOString().slice(0, 10)}`);
      }),
    );
  });

  it('are locked in one order, whatever the order of the elements', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), fc.constantFrom('ins_1', 'mem_1'), (spans, resource) => {
        const ids = elementsByDay(spans.map(({ startMs, endMs }) => element(startMs, endMs, 's', resource))).map(
          ([id]) => id,
        );
        expect(ids).toEqual([...new Set(ids)].sort());
      }),
    );
  });
});

describe('blockers of an element', () => {
  it('are exactly the overlapping elements: found on shared days if and only if the two share an instant', () => {
    fc.assert(
      fc.property(span, span, (a, b) => {
        const overlapping = a.startMs < b.endMs && b.startMs < a.endMs;
        const found = blockersOf(daysWith([element(a.startMs, a.endMs, 'ses_other')]), [element(b.startMs, b.endMs)]);
        expect(found.length > 0).toBe(overlapping);
      }),
      { numRuns: 500 },
    );
  });

  it('include those of other holders, but not those of their own', () => {
    const taken = (holder: string) => daysWith([element(BASE_MS, BASE_MS + MINUTE_MS, holder)]);
    const requested = [element(BASE_MS, BASE_MS + MINUTE_MS, 'ses_a')];
    expect(blockersOf(taken('ses_a'), requested)).toEqual([]);
    expect(blockersOf(taken('ses_b'), requested)).toHaveLength(1);
  });

  it('exclude elements of another resource', () => {
    const taken = daysWith([element(BASE_MS, BASE_MS + DAY_MS, 'ses_b', 'ins_2')]);
    expect(blockersOf(taken, [element(BASE_MS, BASE_MS + DAY_MS)])).toEqual([]);
  });
});

describe('the lanes of a pool', () => {
  const overlaps = (a: { startMs: number; endMs: number }, b: { startMs: number; endMs: number }) =>
    a.startMs < b.endMs && b.startMs < a.endMs;

  it('are full for suggestions exactly where a claim is rejected, also across midnight', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), span, fc.integer({ min: 1, max: 4 }), (taken, slot, lanes) => {
        const elements = taken.map(({ startMs, endMs }, index) => element(startMs, endMs, `ses_${index}`, 'pool_1'));
        const days = daysWith(elements);
        const isFull = fullSpans(busySpansOf(days), lanes).some((full) => overlaps(full, slot));
        const blocked = blockersOf(days, [{ ...element(slot.startMs, slot.endMs, 'ses_x', 'pool_1'), lanes }]);
        expect(isFull).toBe(blocked.length > 0);
      }),
      { numRuns: 500 },
    );
  });

  it('contain each lesson once, with its holder, on however many days it lies', () => {
    const overMidnight = element(BASE_MS - MINUTE_MS, BASE_MS + DAY_MS + MINUTE_MS, 'lsn_a', 'pool_1');
    const { startMs, endMs, holder } = overMidnight;
    expect(busySpansOf(daysWith([overMidnight]))).toEqual([{ startMs, endMs, holder }]);
  });
});

describe('the places of a lesson', () => {
  const place = (holder: string, resource = 'lsn_1') => ({
    ...element(BASE_MS, BASE_MS + MINUTE_MS, holder, resource),
    lanes: 2,
  });

  it('lie on the lesson itself, whatever its day', () => {
    expect(dayIdsOf('lsn_1', BASE_MS, BASE_MS + 2 * DAY_MS)).toEqual(['lsn_1']);
  });

  it('block a group for which too few are left', () => {
    const taken = daysWith([place('ses_a')]);
    expect(blockersOf(taken, [place('ses_b')])).toEqual([]);
    expect(blockersOf(taken, [place('ses_b'), place('ses_c')])).toHaveLength(2);
    expect(blockersOf(taken, [place('ses_b'), place('ses_c', 'lsn_2')])).toEqual([]);
  });
});

describe('overlaps within one claim', () => {
  it('are found within one resource and not between two, nor in the lanes of a pool', () => {
    const [a, b] = [element(BASE_MS, BASE_MS + 2), element(BASE_MS + 1, BASE_MS + 3, 'ses_b')];
    expect(overlapping([b], [a])).toEqual([b]);
    expect(overlapping([{ ...b, resource: 'ins_2' }], [a])).toEqual([]);
    expect(overlapping([{ ...b, lanes: 2 }], [{ ...a, lanes: 2 }])).toEqual([]);
    expect(overlapping([element(BASE_MS + 2, BASE_MS + 3, 'ses_b')], [a])).toEqual([]);
  });
});
