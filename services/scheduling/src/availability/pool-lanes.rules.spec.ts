import { describe, expect, it } from '@jest/globals';
import { aSchedule } from '../../test/availability/availability.samples.js';
import type { Span } from '../calendar/hours/span.rules.js';
import { freeSlotsInPool, fullOn } from './pool-lanes.rules.js';

const DATE = '2027-01-04';
const at = (time: string) => Date.parse(`${DATE}T${time}Z`);
const span = (start: string, end: string): Span => ({ startMs: at(start), endMs: at(end) });
const aDay = (...spans: Span[]) => ({
  _id: `pool_1:${DATE}`,
  busy: spans.map(({ startMs, endMs }) => ({ s: new Date(startMs), e: new Date(endMs) })),
});

describe('the time at which a pool is full', () => {
  it('is where as many lessons overlap as there are lanes, or more', () => {
    const day = aDay(span('10:00', '11:00'), span('10:30', '11:30'), span('10:45', '11:00'));
    expect(fullOn(day, 1)).toEqual([span('10:00', '11:30')]);
    expect(fullOn(day, 2)).toEqual([span('10:30', '11:00')]);
    expect(fullOn(day, 4)).toEqual([]);
  });

  it('is not where one lesson follows another', () => {
    expect(fullOn(aDay(span('10:00', '10:30'), span('10:30', '11:00')), 2)).toEqual([]);
  });

  it('ends with the day, whose lessons the next day has too', () => {
    const overnight = { startMs: at('23:30'), endMs: at('23:30') + 3_600_000 };
    expect(fullOn(aDay(overnight), 1)).toEqual([{ startMs: at('23:30'), endMs: at('23:30') + 1_800_000 }]);
  });
});

describe('free slots in a pool', () => {
  it('overlap no time at which it is full, and may touch it whatever the buffers are', () => {
    const slots = freeSlotsInPool({
      schedule: aSchedule({
        weekly: [{ day: 'mon', start: '09:00', end: '11:00' }],
        slot_interval_minutes: 30,
        buffer_before_minutes: 15,
        buffer_after_minutes: 15,
      }),
      timezone: 'UTC',
      busy: [],
      full: [span('09:30', '10:00')],
      fromUtc: at('00:00'),
      toUtc: at('23:00'),
      nowUtc: Date.parse('2027-01-01T00:00Z'),
      durationMinutes: 30,
    });
    expect(slots).toEqual([span('09:00', '09:30'), span('10:00', '10:30'), span('10:30', '11:00')]);
  });
});
