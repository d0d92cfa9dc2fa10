import { describe, expect, it } from '@jest/globals';
import { MOST_DATES, type Recurrence, reasonOf, recurrence, WEEKDAYS } from '@swim/contracts';
import fc from 'fast-check';
import { type Expansion, expand } from './recurrence.rules.js';

const weekly = (changes: Partial<Recurrence> = {}): Recurrence => ({
  start_local: '2027-03-01T16:00',
  timezone: 'Europe/Berlin',
  weekdays: ['mon'],
  count: 5,
  except: [],
  duration_minutes: 60,
  ...changes,
});
const expanded = (changes: Partial<Recurrence> = {}): Expansion => {
  const result = expand(weekly(changes));
  if ('reason' in result) throw new Error(result.reason);
  return result;
};
const datesOf = (changes: Partial<Recurrence> = {}) => expanded(changes).sessions.map(({ date }) => date);
const until = (date: string, changes: Partial<Recurrence> = {}): Recurrence => {
  const { count: _, ...rest } = weekly(changes);
  return { ...rest, until: date };
};

describe('a recurrence', () => {
  it('stays at four o’clock when the clocks change', () => {
    expect(datesOf()).toEqual([
      '2027-03-01T15:00:00.000Z',
      '2027-03-08T15:00:00.000Z',
      '2027-03-15T15:00:00.000Z',
      '2027-03-22T15:00:00.000Z',
      '2027-03-29T14:00:00.000Z',
    ]);
  });

  it('counts its exceptions, as in RFC 5545', () => {
    const except = ['2027-03-29', '2027-03-08'];
    expect(datesOf({ except })).toEqual([
      '2027-03-01T15:00:00.000Z',
      '2027-03-15T15:00:00.000Z',
      '2027-03-22T15:00:00.000Z',
    ]);
  });

  it('ends with the date of until, in its zone', () => {
    const late = { start_local: '2027-03-01T23:30', timezone: 'America/Los_Angeles' };
    const result = expand(until('2027-03-15', late)) as Expansion;
    expect(result.sessions.map(({ date }) => date)).toEqual([
      '2027-03-02T07:30:00.000Z',
      '2027-03-09T07:30:00.000Z',
      '2027-03-16T06:30:00.000Z',
    ]);
  });

  it('begins with the first of its weekdays', () => {
    expect(datesOf({ weekdays: ['wed', 'tue'], count: 3 })).toEqual([
      '2027-03-02T15:00:00.000Z',
      '2027-03-03T15:00:00.000Z',
      '2027-03-09T15:00:00.000Z',
    ]);
  });

  it('moves a skipped time forward, takes the first of a repeated one, and warns of both', () => {
    const skipped = expanded({ start_local: '2027-03-28T02:30', weekdays: ['sun'], count: 1 });
    expect(skipped.sessions).toEqual([{ date: '2027-03-28T01:30:00.000Z', duration_minutes: 60 }]);
    expect(skipped.warnings).toEqual([
      { code: 'local_time_skipped', date: '2027-03-28', start: '2027-03-28T01:30:00.000Z' },
    ]);
    const repeated = expanded({ start_local: '2027-10-31T02:30', weekdays: ['sun'], count: 1 });
    expect(repeated.sessions).toEqual([{ date: '2027-10-31T00:30:00.000Z', duration_minutes: 60 }]);
    expect(repeated.warnings).toEqual([
      { code: 'local_time_repeated', date: '2027-10-31', start: '2027-10-31T00:30:00.000Z' },
    ]);
  });

  it('overlaps itself where the zone skipped a date', () => {
    const samoa = { start_local: '2011-12-29T16:00', timezone: 'Pacific/Apia', weekdays: [...WEEKDAYS], count: 3 };
    expect(expand(weekly(samoa))).toEqual({ reason: 'overlapping_sessions', field: 'recurrence.start_local' });
  });

  it.each<[string, Recurrence, object]>([
    ['of more than 52 dates', until('3000-01-01'), { reason: 'too_large', field: 'recurrence.until' }],
    [
      'that ends before it begins',
      until('2027-02-28'),
      { reason: 'range_reversed', bounds: { expected: 'no earlier than the date of start_local' } },
    ],
    [
      'without a date',
      until('2027-03-06', { weekdays: ['sun'] }),
      {
        reason: 'out_of_range',
        field: 'recurrence.until',
        bounds: { expected: 'late enough for one of the weekdays' },
      },
    ],
    [
      'with exceptions alone',
      weekly({ count: 2, except: ['2027-03-01', '2027-03-08'] }),
      { reason: 'too_long', field: 'recurrence.except', bounds: { max_items: 1 } },
    ],
    [
      'with an exception on another day of the week',
      weekly({ except: ['2027-03-08', '2027-03-09'] }),
      { reason: 'invalid_value', field: 'recurrence.except.1' },
    ],
    [
      'with an exception after its last date',
      weekly({ count: 1, except: ['2027-03-08'] }),
      { reason: 'invalid_value', field: 'recurrence.except.0', bounds: { allowed: ['2027-03-01'] } },
    ],
    [
      'past the year 9999',
      weekly({ start_local: '9999-12-31T23:30', timezone: 'UTC', weekdays: ['fri'], count: 1 }),
      { reason: 'out_of_range', field: 'recurrence.start_local' },
    ],
    [
      'with a later date past the year 9999',
      weekly({ start_local: '9999-12-20T10:00', timezone: 'UTC', count: 3 }),
      { reason: 'out_of_range', field: 'recurrence.start_local' },
    ],
  ])('%s is rejected', (_, input, rejection) => {
    expect(expand(input)).toMatchObject(rejection);
  });

  it('takes exactly 52 dates', () => {
    expect(datesOf({ count: 52 })).toHaveLength(52);
    expect((expand(until('2028-02-21')) as Expansion).sessions).toHaveLength(52);
    expect(expand(until('2028-02-28'))).toMatchObject({ reason: 'too_large', details: { maximum: 52 } });
  });

  it('takes 52 dates that are left of more until a date', () => {
    const last = until('2028-02-28', { except: ['2027-03-08'] });
    expect((expand(last) as Expansion).sessions).toHaveLength(52);
    expect(expand({ ...last, until: '2028-03-06' })).toMatchObject({ reason: 'too_large' });
  });
});

const formats = new Map<string, Intl.DateTimeFormat>();
/** What the clocks of a zone show at an instant, by `Intl`, as the epoch ms of the same reading in UTC. */
function wallClock(ms: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  return Date.parse(`${format.format(ms).replace(' ', 'T')}Z`);
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The start of a local time, given as the epoch ms of the same reading in UTC, found by the offsets a day before and after. */
function startByOffsets(localMs: number, timezone: string): { startMs: number; code: string | null } {
  const offsetsMs = [localMs - DAY_MS, localMs + DAY_MS].map((ms) => wallClock(ms, timezone) - ms);
  const shown = [...new Set(offsetsMs.map((offsetMs) => localMs - offsetMs))]
    .filter((ms) => wallClock(ms, timezone) === localMs)
    .sort((one, other) => one - other);
  if (shown.length === 0) return { startMs: localMs - offsetsMs[0]!, code: 'local_time_skipped' };
  return { startMs: shown[0]!, code: shown.length > 1 ? 'local_time_repeated' : null };
}

const BOTH = ['local_time_repeated', 'local_time_skipped'];
/** Zones, with what happens in the first hours of Sundays. In Santiago the clocks go back on Saturdays at midnight. */
const CHANGES: [timezone: string, codes: string[]][] = [
  ['Europe/Berlin', BOTH],
  ['America/New_York', BOTH],
  ['America/St_Johns', BOTH],
  ['Australia/Lord_Howe', BOTH],
  ['Pacific/Chatham', BOTH],
  ['America/Santiago', ['local_time_skipped']],
  ['Asia/Kathmandu', []],
  ['UTC', []],
];
const weekdayOf = (ms: number) => WEEKDAYS[(new Date(ms).getUTCDay() + 6) % 7]!;
const textOf = (ms: number, length: number) => new Date(ms).toISOString().slice(0, length);

/** What a recurrence without exceptions at these dates (epoch ms of midnight UTC) has to become. */
function expectedOf(dates: number[], minutes: number, timezone: string) {
  const starts = dates.map((ms) => ({ date: textOf(ms, 10), ...startByOffsets(ms + minutes * MINUTE_MS, timezone) }));
  const warned = starts.filter(({ code }) => code !== null);
  return {
    starts: starts.map(({ startMs }) => textOf(startMs, 24)),
    warnings: warned.map(({ code, date, startMs }) => ({ code, date, start: textOf(startMs, 24) })),
  };
}

describe('a recurrence on the Sundays of 2027', () => {
  const sundays = Array.from({ length: MOST_DATES }, (_, week) => Date.UTC(2027, 0, 3 + 7 * week));
  it.each(CHANGES)(
    'has at each quarter of the first four hours the starts by the offsets of %s',
    (timezone, changes) => {
      const codes = new Set<string>();
      for (let minutes = 0; minutes < 4 * 60; minutes += 15) {
        const start_local = textOf(sundays[0]! + minutes * MINUTE_MS, 16);
        const { sessions, warnings } = expanded({ start_local, timezone, weekdays: ['sun'], count: MOST_DATES });
        const expected = expectedOf(sundays, minutes, timezone);
        expect(sessions.map(({ date }) => date)).toEqual(expected.starts);
        expect(warnings).toEqual(expected.warnings);
        for (const { code } of warnings) codes.add(code);
      }
      expect([...codes].sort()).toEqual(changes);
    },
  );
});

describe('a random recurrence', () => {
  const recurrences = fc
    .record({
      timezone: fc.constantFrom(...CHANGES.map(([timezone]) => timezone)),
      weekdays: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1, maxLength: 7 }),
      count: fc.integer({ min: 1, max: MOST_DATES }),
      day: fc.integer({ min: 0, max: 365 }),
      minutes: fc.integer({ min: 0, max: 24 * 60 - 1 }),
      isExcepted: fc.array(fc.boolean(), { minLength: MOST_DATES, maxLength: MOST_DATES }),
    })
    .map(({ day, isExcepted, ...rest }) => {
      const midnightMs = Date.UTC(2027, 0, 1 + day);
      // 52 dates take a year at most.
      const days = Array.from({ length: 7 * MOST_DATES }, (_, index) => midnightMs + index * DAY_MS);
      const dates = days.filter((ms) => rest.weekdays.includes(weekdayOf(ms))).slice(0, rest.count);
      const start_local = textOf(midnightMs + rest.minutes * MINUTE_MS, 16);
      const except = dates.filter((_, index) => index > 0 && isExcepted[index]);
      return { ...rest, start_local, dates, except };
    });

  it('has its dates without the exceptions, at the starts that the offsets of its zone give', () => {
    fc.assert(
      fc.property(recurrences, ({ dates, except, minutes, ...input }) => {
        const chosen = dates.filter((ms) => !except.includes(ms));
        const expected = expectedOf(chosen, minutes, input.timezone);
        const { sessions, warnings } = expanded({ ...input, except: except.map((ms) => textOf(ms, 10)) });
        expect(sessions.map(({ date }) => date)).toEqual(expected.starts);
        expect(warnings).toEqual(expected.warnings);
      }),
      { numRuns: 100 },
    );
  });

  it('that ends with its last date equals the one of as many dates', () => {
    fc.assert(
      fc.property(recurrences, ({ dates, except, minutes, count, ...input }) => {
        const last = textOf(dates.at(-1)!, 10);
        expect(expand(until(last, input))).toEqual(expanded({ ...input, count }));
      }),
      { numRuns: 50 },
    );
  });
});

describe('the input of a recurrence', () => {
  it.each<[string, object, string, string]>([
    ['count and until', { until: '2027-05-01' }, 'until', 'mutually_exclusive'],
    ['neither count nor until', { count: undefined }, 'count', 'required'],
    ['no date', { count: 0 }, 'count', 'too_small'],
    ['53 dates', { count: 53 }, 'count', 'too_large'],
    ['a part of a date', { count: 1.5 }, 'count', 'invalid_type'],
    ['Feb 30', { start_local: '2027-02-30T16:00' }, 'start_local', 'invalid_date'],
    ['Feb 30 as its end', { count: undefined, until: '2027-02-30' }, 'until', 'invalid_date'],
    ['Feb 30 as an exception', { except: ['2027-02-30'] }, 'except.0', 'invalid_date'],
    ['a start with an offset', { start_local: '2027-03-01T16:00Z' }, 'start_local', 'invalid_format'],
    ['the hour 24', { start_local: '2027-03-01T24:00' }, 'start_local', 'invalid_format'],
    ['an unknown zone', { timezone: 'Mars/Olympus' }, 'timezone', 'unknown_timezone'],
    ['no weekday', { weekdays: [] }, 'weekdays', 'too_short'],
    ['an unknown weekday', { weekdays: ['monday'] }, 'weekdays.0', 'invalid_value'],
    ['a weekday twice', { weekdays: ['mon', 'mon'] }, 'weekdays', 'duplicate_value'],
    ['an exception twice', { except: ['2027-03-08', '2027-03-08'] }, 'except', 'duplicate_value'],
    ['a lesson that is too long', { duration_minutes: 241 }, 'duration_minutes', 'too_large'],
    ['a rule of iCalendar', { rrule: 'FREQ=DAILY' }, '', 'unknown_field'],
  ])('rejects %s', (_, changes, field, reason) => {
    const [issue] = recurrence.safeParse({ ...weekly(), ...changes }, { reportInput: true }).error!.issues;
    expect([issue!.path.join('.'), reasonOf(issue!)]).toEqual([field, reason]);
  });
});
