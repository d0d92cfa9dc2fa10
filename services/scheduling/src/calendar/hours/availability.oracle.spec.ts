import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFree, isWithinReach, oracleOf } from '../../../test/availability/availability.oracle.js';
import { aSchedule, input, sample } from '../../../test/availability/availability.samples.js';
import { freeSlots, isOffered, openWindows, type Span, suggestionRange, suggestStarts } from './availability.rules.js';

/** `npm run chaos` has ten times as many. */
const RUNS = process.env.CHAOS ? 300 : 30;

const MINUTE_MS = 60_000;
/** Nine days of the shortest interval, five minutes. */
const STEPS_TO_ANY_END = 2592;

describe('for any zone, schedule and date, minute by minute', () => {
  it('open windows are the open minutes', () => {
    fc.assert(
      fc.property(sample, ({ schedule, timezone, fromUtc, toUtc }) => {
        expect(openWindows(schedule, timezone, fromUtc, toUtc)).toEqual(
          oracleOf(schedule, timezone).openSpans(fromUtc, toUtc),
        );
      }),
      { numRuns: 4 * RUNS },
    );
  });

  it('free slots are the minutes at which a free slot starts', () => {
    fc.assert(
      fc.property(sample, (query) => {
        expect(freeSlots(query)).toEqual(oracleOf(query.schedule, query.timezone).freeSlots(query));
      }),
      { numRuns: 4 * RUNS },
    );
  });

  it('a session is offered when each of its minutes is open', () => {
    fc.assert(
      fc.property(
        sample,
        fc.integer({ min: -2, max: 2 }),
        ({ schedule, timezone, fromUtc, toUtc, nowUtc, durationMinutes }, shift) => {
          fc.pre(schedule.weekly.length > 0);
          const oracle = oracleOf(schedule, timezone);
          for (const edge of oracle.openSpans(fromUtc, toUtc)) {
            for (const startUtc of [
              edge.startMs + shift * MINUTE_MS,
              edge.endMs - (durationMinutes + shift) * MINUTE_MS,
            ]) {
              const endUtc = startUtc + durationMinutes * MINUTE_MS;
              const expected = isWithinReach(schedule, startUtc, nowUtc) && oracle.isOpenThroughout(startUtc, endUtc);
              expect(isOffered({ schedule, timezone, startUtc, endUtc, nowUtc })).toBe(expected);
            }
          }
        },
      ),
      { numRuns: 4 * RUNS },
    );
  });

  it('suggested starts are the three nearest free starts', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { schedule, timezone, memberBusy, requestedStartUtc } = given;
        fc.pre(schedule.weekly.length > 0);
        const free = oracleOf(schedule, timezone).freeSlots({ ...given, ...searched(schedule, requestedStartUtc) });
        const others = free.filter(({ startMs, endMs }) => isFree(aSchedule(), startMs, endMs, memberBusy));
        expect(suggestStarts(given)).toEqual(threeNearest(others, requestedStartUtc));
      }),
      { numRuns: 2 * RUNS },
    );
  });

  it('suggested starts without published hours are the three free steps nearest to the requested start', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { memberBusy, requestedStartUtc, busy, nowUtc, durationMinutes } = given;
        const schedule = { ...given.schedule, weekly: [], overrides: [] };
        const { fromUtc, toUtc } = searched(schedule, requestedStartUtc);
        const others: Span[] = [];
        for (let step = -STEPS_TO_ANY_END; step <= STEPS_TO_ANY_END; step += 1) {
          const startMs = requestedStartUtc + step * schedule.slot_interval_minutes * MINUTE_MS;
          const endMs = startMs + durationMinutes * MINUTE_MS;
          if (startMs <= nowUtc || startMs < fromUtc || endMs > toUtc) continue;
          if (isFree(schedule, startMs, endMs, busy) && isFree(aSchedule(), startMs, endMs, memberBusy))
            others.push({ startMs, endMs });
        }
        expect(suggestStarts({ ...given, schedule })).toEqual(threeNearest(others, requestedStartUtc));
      }),
      { numRuns: 2 * RUNS },
    );
  });
});

function searched(schedule: ReturnType<typeof aSchedule>, requestedStartUtc: number) {
  const range = suggestionRange(requestedStartUtc);
  return {
    fromUtc: range.startMs + schedule.buffer_before_minutes * MINUTE_MS,
    toUtc: range.endMs - schedule.buffer_after_minutes * MINUTE_MS,
  };
}

function threeNearest(slots: Span[], requestedStartUtc: number): Span[] {
  const away = (slot: Span) => Math.abs(slot.startMs - requestedStartUtc);
  const others = slots.filter((slot) => slot.startMs !== requestedStartUtc);
  return others.sort((a, b) => away(a) - away(b) || a.startMs - b.startMs).slice(0, 3);
}
