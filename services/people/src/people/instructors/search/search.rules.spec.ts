import { describe, expect, it } from '@jest/globals';
import { type AvailabilitySchedule, availabilitySchedule, MOST_IN_BATCH, MOST_POOLS } from '@swim/contracts';
import fc from 'fast-check';
import {
  bySearchOrder,
  type Candidate,
  closedAfter,
  datesAround,
  type HourlyCandidate,
  heldOnBy,
  hoursOn,
  inBatches,
  indexAfter,
  lastDayCertified,
} from './search.rules.js';

const aSchedule = (given: Partial<AvailabilitySchedule> = {}) => availabilitySchedule.parse(given);
const weekly = (['mon', 'wed', 'sun'] as const).map((day) => ({ day, start: '09:00', end: '12:00' }));
const afternoon = [{ start: '14:00', end: '15:00' }];

describe('the hours around a time', () => {
  it('for a date: are those of the weekday and of the date itself', () => {
    // 2027-03-01 is a Monday.
    const overrides = [
      { date: '2027-03-01', windows: afternoon },
      { date: '2027-03-02', unavailable: true },
    ];
    expect(hoursOn(['2027-03-01'])(aSchedule({ weekly, overrides }))).toEqual(
      aSchedule({ weekly: [weekly[0]!], overrides: [overrides[0]!] }),
    );
  });

  it('for an instant: include those of the dates around it', () => {
    const overrides = ['2027-02-27', '2027-02-28', '2027-03-01', '2027-03-02', '2027-03-03'].map((date) => ({
      date,
      windows: afternoon,
    }));
    const around = hoursOn(datesAround('2027-03-01T23:50:00.000Z'))(aSchedule({ weekly, overrides }))!;
    expect(around.overrides.map(({ date }) => date)).toEqual(['2027-02-28', '2027-03-01', '2027-03-02']);
    expect(around.weekly.map(({ day }) => day)).toEqual(['mon', 'sun']);
  });

  it('keep all other fields of the schedule', () => {
    const rest = { buffer_before_minutes: 5, minimum_notice_minutes: 60, slot_interval_minutes: 20 };
    expect(hoursOn(['2027-03-01'])(aSchedule({ weekly, ...rest }))).toMatchObject(rest);
  });

  it('are null when none are published then', () => {
    expect(hoursOn(['2027-03-01'])(aSchedule())).toBeNull();
    expect(hoursOn(['2027-03-02'])(aSchedule({ weekly }))).toBeNull();
    expect(hoursOn(['2027-03-01'])(aSchedule({ overrides: [{ date: '2027-03-01', unavailable: true }] }))).toBeNull();
    expect(hoursOn(['2027-03-01'])(aSchedule({ overrides: [{ date: '2027-03-01', windows: [] }] }))).toBeNull();
  });

  it.each(['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '9999-12-31'])('are defined at %s', (at) => {
    expect(hoursOn(datesAround(at))(aSchedule({ overrides: [{ date: '2027-03-01', windows: afternoon }] }))).toBeNull();
  });
});

describe('hours until the end of a certification', () => {
  it('lose the windows of the dates after it, weekly ones and those of one date, and no others', () => {
    const overrides = ['2027-03-01', '2027-03-02', '2027-03-08'].map((date) => ({ date, windows: afternoon }));
    const given = aSchedule({ weekly, overrides });
    const dates = ['2027-03-01', '2027-03-02', '2027-03-03', '2027-03-08'];
    expect(closedAfter(given, '2027-03-02', dates)).toEqual({
      ...given,
      overrides: [
        ...overrides.slice(0, 2),
        { date: '2027-03-03', unavailable: true },
        { date: '2027-03-08', unavailable: true },
      ],
    });
  });

  it('are all where it lasts for ever', () => {
    const given = aSchedule({ weekly });
    expect(closedAfter(given, null, ['2027-03-01'])).toBe(given);
  });

  it.each([
    [[], 'WSI', null],
    [['2027-03-01', '2027-03-08', '2027-03-05'], 'wsi', '2027-03-08'],
    [['2027-03-01', null], 'WSÍ', null],
    [['2027-03-01'], undefined, null],
  ])('with certifications until %j end, asked for %s, after %s', (ends, requested, last) => {
    const held = ends.map((expiresAt) => ({ typeKey: 'wsi', expiresAt }));
    expect(lastDayCertified([...held, { typeKey: 'other', expiresAt: '2028-01-01' }], requested)).toBe(last);
  });
});

describe('the day on which a certification must be valid', () => {
  it.each([
    [undefined, '2027-03-01'],
    ['2027-03-05', '2027-03-05'],
    ['2027-03-05T10:00:00.000Z', '2027-03-05'],
    ['2027-02-01', '2027-03-01'],
  ])('is, with %s requested on 2027-03-01, %s', (available, day) => {
    expect(heldOnBy(new Date('2027-03-01T12:00:00Z'), new Map(), available)).toEqual({ day, later: [] });
  });

  it('is later for the schools whose clock is on a later day', () => {
    const now = new Date('2027-03-01T12:00:00Z');
    const later = new Date('2027-03-05T00:00:00Z');
    const nows = new Map([
      ['one', later],
      ['same day', new Date('2027-03-01T13:00:00Z')],
      ['other', later],
    ]);
    const schools = ['one', 'other'];
    expect(heldOnBy(now, nows, undefined)).toEqual({
      day: '2027-03-01',
      later: [{ day: '2027-03-05', schoolIds: schools }],
    });
    expect(heldOnBy(now, nows, '2027-03-06')).toEqual({ day: '2027-03-06', later: [] });
  });
});

describe('the order of a search', () => {
  const candidate = fc.record({ id: fc.stringMatching(/^[a-c]{1,3}$/), km: fc.constantFrom(0, 1.5, 2) });

  it('lists the nearest first, and the newest first among equals', () => {
    const all: Candidate[] = [
      { id: 'a', km: 2 },
      { id: 'a', km: 0 },
      { id: 'b', km: 2 },
    ];
    expect(all.sort(bySearchOrder).map(({ id, km }) => `${id}${km}`)).toEqual(['a0', 'b2', 'a2']);
    const placeless = ['a', 'c', 'b'].map((id) => ({ id, km: null }));
    expect(placeless.sort(bySearchOrder).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  it('continues after any position, whether or not its instructor is still there', () => {
    fc.assert(
      fc.property(fc.uniqueArray(candidate, { selector: ({ id }) => id }), candidate, (all, position) => {
        const ordered = all.toSorted(bySearchOrder);
        const index = indexAfter(ordered, position);
        expect(ordered.slice(0, index).every((one) => bySearchOrder(one, position) <= 0)).toBe(true);
        expect(ordered.slice(index).every((one) => bySearchOrder(one, position) > 0)).toBe(true);
      }),
    );
  });
});

describe('candidates in batches', () => {
  const candidate = (windows: number, id = 'ins'): HourlyCandidate => ({
    id,
    km: null,
    schoolId: 'acct',
    timezone: 'Europe/Berlin',
    schedule: aSchedule({ weekly: Array.from({ length: windows }, () => weekly[0]!) }),
    poolIds: [],
  });

  it('are one message up to the maximum number, however full their days are', () => {
    const all = Array.from({ length: MOST_IN_BATCH }, () => candidate(60));
    expect(inBatches(all)).toEqual([all]);
    expect(inBatches([...all, candidate(1)]).map(({ length }) => length)).toEqual([MOST_IN_BATCH, 1]);
    expect(inBatches([])).toEqual([]);
  });

  it('keep all in order, and each message below 4 MB, whatever the schedules', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 366 }), { maxLength: 40 });
    const full = Array.from({ length: 24 }, () => ({ start: '10:00', end: '11:00' }));
    fc.assert(
      fc.property(sizes, (overrideCounts) => {
        const all = overrideCounts.map((count, index) => {
          const overrides = Array.from({ length: count }, () => ({ date: '2027-03-01', windows: full }));
          return { ...candidate(100, `ins_${index}`), schedule: { ...candidate(100).schedule, overrides } };
        });
        const batches = inBatches(all);
        expect(batches.flat()).toEqual(all);
        for (const batch of batches) expect(JSON.stringify(batch).length).toBeLessThan(3 * 1024 * 1024);
      }),
      { numRuns: 20 },
    );
  });

  it('count the pools of an instructor', () => {
    const poolIds = Array.from({ length: MOST_POOLS }, (_, index) => `pool_${String(index).padStart(26, '0')}`);
    const all = Array.from({ length: MOST_IN_BATCH }, () => ({ ...candidate(10), poolIds }));
    const batches = inBatches(all);
    expect(batches.length).toBeGreaterThan(1);
    for (const batch of batches) expect(JSON.stringify(batch).length).toBeLessThan(3 * 1024 * 1024);
  });
});
