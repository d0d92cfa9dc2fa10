import { describe, expect, it } from '@jest/globals';
import { aSchedule } from '../../../test/availability/availability.samples.js';
import { freeSlots, isOffered, occupiedSpan, offerRejection, openWindows, type Span } from './availability.rules.js';

const MINUTE_MS = 60_000;
const BERLIN = 'Europe/Berlin';

const span = (start: string, end: string): Span => ({ startMs: Date.parse(start), endMs: Date.parse(end) });
const shown = (spans: Span[]) => spans.map(({ startMs, endMs }) => `${iso(startMs)}/${iso(endMs)}`);
const starts = (spans: Span[]) => spans.map(({ startMs }) => iso(startMs));
const iso = (instantMs: number) => `${new Date(instantMs).toISOString().slice(0, 16)}Z`;

/** Hours on every day of the week. */
const daily = (start: string, end: string) =>
  (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const).map((day) => ({ day, start, end }));

type Schedule = Partial<ReturnType<typeof aSchedule>>;

const windows = (given: Schedule, from: string, to: string, timezone = BERLIN) =>
  shown(openWindows(aSchedule(given), timezone, Date.parse(from), Date.parse(to)));

interface SlotsQuery {
  durationMinutes?: number;
  busy?: Span[];
  now?: string;
  timezone?: string;
}

const slots = (given: Schedule, from: string, to: string, requested: SlotsQuery = {}) =>
  starts(
    freeSlots({
      schedule: aSchedule({ maximum_days_ahead: 1100, ...given }),
      timezone: requested.timezone ?? BERLIN,
      busy: requested.busy ?? [],
      fromUtc: Date.parse(from),
      toUtc: Date.parse(to),
      nowUtc: requested.now ? Date.parse(requested.now) : Date.parse(from) - MINUTE_MS,
      durationMinutes: requested.durationMinutes ?? 30,
    }),
  );

describe('open windows', () => {
  it('follow the wall clock through the year', () => {
    const nine = { weekly: [{ day: 'mon' as const, start: '09:00', end: '12:00' }] };
    expect(windows(nine, '2027-03-22', '2027-03-30')).toEqual([
      '2027-03-22T08:00Z/2027-03-22T11:00Z',
      '2027-03-29T07:00Z/2027-03-29T10:00Z',
    ]);
  });

  it('skip an hour that the clock skips', () => {
    const sunday = (start: string, end: string) =>
      windows({ weekly: [{ day: 'sun', start, end }] }, '2027-03-27', '2027-03-30');
    expect(sunday('02:00', '03:00')).toEqual([]);
    expect(sunday('01:00', '04:00')).toEqual(['2027-03-28T00:00Z/2027-03-28T02:00Z']);
  });

  it('move a skipped start or end forward by the length of the gap', () => {
    const sunday = (start: string, end: string) =>
      windows({ weekly: [{ day: 'sun', start, end }] }, '2027-03-27', '2027-03-30');
    expect(sunday('02:30', '05:00')).toEqual(['2027-03-28T01:30Z/2027-03-28T03:00Z']);
    expect(sunday('01:00', '02:30')).toEqual(['2027-03-28T00:00Z/2027-03-28T01:30Z']);
  });

  it('never reach into the next date when the skipped time lies before midnight', () => {
    const saturday = { weekly: [{ day: 'sat' as const, start: '22:00', end: '23:30' }] };
    expect(windows(saturday, '2027-03-27', '2027-03-30', 'America/Nuuk')).toEqual([
      '2027-03-28T00:00Z/2027-03-28T01:00Z',
    ]);
  });

  it('last an hour longer when the clock repeats one', () => {
    expect(windows({ weekly: [{ day: 'sun', start: '02:00', end: '03:00' }] }, '2027-10-30', '2027-11-02')).toEqual([
      '2027-10-31T00:00Z/2027-10-31T02:00Z',
    ]);
  });

  it('run to 24:00, the start of the next local day, also where 23:00 occurs twice', () => {
    const thursday = { weekly: [{ day: 'thu' as const, start: '22:00', end: '24:00' }] };
    expect(windows(thursday, '2027-10-21', '2027-10-30', 'Africa/Cairo')).toEqual([
      '2027-10-21T19:00Z/2027-10-21T21:00Z',
      '2027-10-28T19:00Z/2027-10-28T22:00Z',
    ]);
  });

  it('are empty on the Friday that Apia skipped, and complete on the days around it', () => {
    const apia = (given: Schedule) => windows(given, '2011-12-29T12:00Z', '2011-12-31T09:00Z', 'Pacific/Apia');
    const thursday = '2011-12-29T19:00Z/2011-12-30T03:00Z';
    const saturday = '2011-12-30T19:00Z/2011-12-31T03:00Z';
    expect(apia({ weekly: daily('09:00', '17:00') })).toEqual([thursday, saturday]);
    expect(apia({ weekly: [{ day: 'fri', start: '09:00', end: '17:00' }] })).toEqual([]);
    expect(apia({ weekly: [{ day: 'thu', start: '23:00', end: '24:00' }] })).toEqual([
      '2011-12-30T09:00Z/2011-12-30T10:00Z',
    ]);
  });

  it('merge where they overlap or touch, also across midnight', () => {
    const weekly = [...daily('22:00', '24:00'), ...daily('00:00', '01:00'), ...daily('00:30', '02:00')];
    expect(windows({ weekly }, '2027-01-04T12:00Z', '2027-01-05T12:00Z')).toEqual([
      '2027-01-04T21:00Z/2027-01-05T01:00Z',
    ]);
  });

  it('are replaced on the date of an override, and empty on a date that is unavailable', () => {
    const overrides = [
      { date: '2027-01-05', windows: [{ start: '14:00', end: '15:00' }] },
      { date: '2027-01-06', unavailable: true },
      { date: '2027-01-07', windows: [] },
    ];
    expect(windows({ weekly: daily('09:00', '10:00'), overrides }, '2027-01-04', '2027-01-09')).toEqual([
      '2027-01-04T08:00Z/2027-01-04T09:00Z',
      '2027-01-05T13:00Z/2027-01-05T14:00Z',
      '2027-01-08T08:00Z/2027-01-08T09:00Z',
    ]);
  });

  it('add up over overrides of one date, unless one of them closes the date', () => {
    const twice = [
      { date: '2027-01-05', windows: [{ start: '08:00', end: '09:00' }] },
      { date: '2027-01-05', windows: [{ start: '14:00', end: '15:00' }] },
    ];
    expect(windows({ overrides: twice }, '2027-01-05', '2027-01-06')).toHaveLength(2);
    expect(
      windows({ overrides: [...twice, { date: '2027-01-05', unavailable: true }] }, '2027-01-05', '2027-01-06'),
    ).toEqual([]);
  });

  it('are clipped to the requested range', () => {
    expect(windows({ weekly: daily('09:00', '17:00') }, '2027-01-04T10:00Z', '2027-01-04T11:00Z')).toEqual([
      '2027-01-04T10:00Z/2027-01-04T11:00Z',
    ]);
    expect(windows({ weekly: daily('09:00', '17:00') }, '2027-01-05', '2027-01-04')).toEqual([]);
  });
});

describe('free slots', () => {
  const morning = { weekly: daily('09:00', '11:00') };

  it('step through a window by the interval and end inside it', () => {
    expect(slots(morning, '2027-01-04', '2027-01-05', { durationMinutes: 45 })).toEqual([
      '2027-01-04T08:00Z',
      '2027-01-04T08:30Z',
      '2027-01-04T09:00Z',
    ]);
  });

  it('occur twice in an hour that the clock repeats, every instant once', () => {
    const sunday = { weekly: [{ day: 'sun' as const, start: '02:00', end: '03:00' }] };
    expect(slots(sunday, '2027-10-30', '2027-11-02')).toEqual([
      '2027-10-31T00:00Z',
      '2027-10-31T00:30Z',
      '2027-10-31T01:00Z',
      '2027-10-31T01:30Z',
    ]);
  });

  it('keep to the grid of a window that the requested range cuts', () => {
    expect(slots(morning, '2027-01-04T08:10Z', '2027-01-04T09:29Z')).toEqual(['2027-01-04T08:30Z']);
  });

  it('cross from a window into one that touches it, each window with its own grid, each start once', () => {
    const weekly = [...daily('22:00', '24:00'), ...daily('00:00', '01:15'), ...daily('00:00', '01:00')];
    expect(
      slots({ weekly, slot_interval_minutes: 50 }, '2027-01-04T20:00Z', '2027-01-05T12:00Z', { durationMinutes: 60 }),
    ).toEqual(['2027-01-04T21:00Z', '2027-01-04T21:50Z', '2027-01-04T22:40Z', '2027-01-04T23:00Z']);
  });

  it('keep both buffers clear of busy time, and need no open hours for them', () => {
    const buffered = { ...morning, buffer_before_minutes: 15, buffer_after_minutes: 30 };
    const touching = [span('2027-01-04T07:00Z', '2027-01-04T07:45Z'), span('2027-01-04T10:00Z', '2027-01-04T10:05Z')];
    const all = ['2027-01-04T08:00Z', '2027-01-04T08:30Z', '2027-01-04T09:00Z'];
    expect(slots(buffered, '2027-01-04', '2027-01-05', { busy: touching })).toEqual(all);
    const closer = [span('2027-01-04T07:00Z', '2027-01-04T07:46Z'), span('2027-01-04T09:59Z', '2027-01-04T10:05Z')];
    expect(slots(buffered, '2027-01-04', '2027-01-05', { busy: closer })).toEqual(['2027-01-04T08:30Z']);
    expect(slots(buffered, '2027-01-04', '2027-01-05')).toEqual([...all, '2027-01-04T09:30Z']);
  });

  it('begin after the minimum notice and end with the days ahead', () => {
    const limits = { weekly: daily('09:00', '10:00'), minimum_notice_minutes: 90, maximum_days_ahead: 2 };
    expect(slots(limits, '2027-01-04', '2027-01-10', { now: '2027-01-04T07:00Z' })).toEqual([
      '2027-01-04T08:30Z',
      '2027-01-05T08:00Z',
      '2027-01-05T08:30Z',
    ]);
    expect(slots(limits, '2027-01-04', '2027-01-10', { now: '2027-01-04T08:30Z' }).at(-1)).toBe('2027-01-06T08:30Z');
  });

  it('start after the present moment', () => {
    expect(slots(morning, '2027-01-04', '2027-01-05', { now: '2027-01-04T09:00Z' })).toEqual(['2027-01-04T09:30Z']);
  });

  it('are empty where no hours are published', () => {
    expect(slots({}, '2027-01-04', '2027-01-05')).toEqual([]);
  });
});

describe('an offered session', () => {
  const offered = (given: Schedule, start: string, end: string, now = '2027-01-01T00:00Z') =>
    isOffered({
      schedule: aSchedule(given),
      timezone: BERLIN,
      startUtc: Date.parse(start),
      endUtc: Date.parse(end),
      nowUtc: Date.parse(now),
    });
  const hours = { weekly: daily('09:00', '10:00') };

  it('lies within published hours and may start off the grid', () => {
    expect(offered(hours, '2027-01-04T08:07:03Z', '2027-01-04T09:00Z')).toBe(true);
    expect(offered(hours, '2027-01-04T08:07:03Z', '2027-01-04T09:00:00.001Z')).toBe(false);
    expect(offered(hours, '2027-01-04T07:59:59.999Z', '2027-01-04T09:00Z')).toBe(false);
  });

  it('keeps notice and days ahead', () => {
    expect(
      offered({ ...hours, minimum_notice_minutes: 60 }, '2027-01-04T08:00Z', '2027-01-04T09:00Z', '2027-01-04T07:00Z'),
    ).toBe(true);
    expect(
      offered({ ...hours, minimum_notice_minutes: 61 }, '2027-01-04T08:00Z', '2027-01-04T09:00Z', '2027-01-04T07:00Z'),
    ).toBe(false);
    expect(
      offered({ ...hours, maximum_days_ahead: 1 }, '2027-01-04T08:00Z', '2027-01-04T09:00Z', '2027-01-03T08:00Z'),
    ).toBe(true);
    expect(
      offered({ ...hours, maximum_days_ahead: 1 }, '2027-01-04T08:00Z', '2027-01-04T09:00Z', '2027-01-03T07:59Z'),
    ).toBe(false);
  });

  it('may be at any time for an instructor without published hours', () => {
    expect(
      offered({ minimum_notice_minutes: 600, maximum_days_ahead: 1 }, '2029-01-04T08:00Z', '2029-01-04T09:00Z'),
    ).toBe(true);
    expect(
      offered(
        { overrides: [{ date: '2027-01-05', windows: [{ start: '09:00', end: '10:00' }] }] },
        '2027-01-04T08:00Z',
        '2027-01-04T09:00Z',
      ),
    ).toBe(false);
  });

  it('is rejected throughout a date on which an instructor without hours is unavailable', () => {
    const away = { overrides: [{ date: '2027-01-05', unavailable: true as const }] };
    expect(offered(away, '2027-01-05T08:00Z', '2027-01-05T09:00Z')).toBe(false);
    expect(offered(away, '2027-01-04T22:30Z', '2027-01-04T23:30Z')).toBe(false);
    expect(offered(away, '2027-01-04T22:00Z', '2027-01-04T23:00Z')).toBe(true);
    expect(offered(away, '2027-01-05T23:00Z', '2027-01-06T00:00Z')).toBe(true);
  });
});

describe('the rejection of a time that is not offered', () => {
  const NOW = '2027-01-01T00:00:00.000Z';
  const rejection = (given: Schedule, start: string) => {
    const startUtc = Date.parse(start);
    const schedule = aSchedule({ weekly: daily('09:00', '10:00'), ...given });
    const query = { schedule, timezone: BERLIN, startUtc, endUtc: startUtc + 30 * 60_000, nowUtc: Date.parse(NOW) };
    const found = offerRejection(query);
    return found && 'opensAtMs' in found ? [found.rule, new Date(found.opensAtMs).toISOString()] : [found?.rule];
  };

  it('names the hours for a time outside them', () => {
    expect(rejection({}, '2027-01-04T10:00Z')).toEqual(['hours']);
  });

  it('names the notice, and the earliest start that it allows', () => {
    expect(rejection({ minimum_notice_minutes: 600 }, '2027-01-01T09:00Z')).toEqual([
      'notice',
      '2027-01-01T10:00:00.000Z',
    ]);
  });

  it('names the days ahead, and when the time comes within them', () => {
    const limits = { maximum_days_ahead: 10 };
    expect(rejection(limits, '2030-01-04T08:00Z')).toEqual(['days_ahead', '2029-12-25T08:00:00.000Z']);
    const opened = { ...limits, maximum_days_ahead: 1100 };
    expect(rejection(opened, '2030-01-04T08:00Z')).toEqual([undefined]);
    // Outside the hours it would be rejected at that instant too.
    expect(rejection(limits, '2030-01-04T10:00Z')).toEqual(['hours']);
  });
});

describe('an occupied span', () => {
  it('is the time plus the buffers before and after', () => {
    const schedule = aSchedule({ buffer_before_minutes: 10, buffer_after_minutes: 20 });
    expect(shown([occupiedSpan(schedule, Date.parse('2027-01-04T10:00Z'), Date.parse('2027-01-04T11:00Z'))])).toEqual([
      '2027-01-04T09:50Z/2027-01-04T11:20Z',
    ]);
  });
});
