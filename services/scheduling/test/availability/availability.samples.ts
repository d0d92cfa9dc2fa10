import { type AvailabilitySchedule, availabilitySchedule, WEEKDAYS } from '@swim/contracts';
import fc from 'fast-check';
import { clockChangeDays, type OracleSpan, remembered } from './availability.oracle.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_YEAR = 2024;
const LAST_YEAR = 2040;

/**
 * Zones with every kind of rule that exists today: offsets of half and quarter hours, changes at, before and after midnight,
 * no changes.
 */
export const ZONES = [
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/New_York',
  'Europe/Berlin',
  'America/Nuuk',
  'Africa/Cairo',
  'America/Havana',
  'America/Santiago',
  'Asia/Beirut',
  'Antarctica/Troll',
];

/** One instructor and one query, all within a few days of `aroundMs` (UTC midnight, mostly of a day of a clock change). */
export interface Sample {
  timezone: string;
  aroundMs: number;
  schedule: AvailabilitySchedule;
  fromUtc: number;
  toUtc: number;
  nowUtc: number;
  durationMinutes: number;
  busy: OracleSpan[];
  memberBusy: OracleSpan[];
}

/** A schedule with the contract's defaults. */
export const aSchedule = (given: Partial<AvailabilitySchedule> = {}): AvailabilitySchedule =>
  availabilitySchedule.parse(given);

const changeDays = new Map<string, number[]>();

const changesOf = (timezone: string) =>
  remembered(changeDays, timezone, () => clockChangeDays(timezone, FIRST_YEAR, LAST_YEAR));

const anyDay = fc.integer({ min: Date.UTC(FIRST_YEAR, 0, 1) / DAY_MS, max: Date.UTC(LAST_YEAR, 11, 31) / DAY_MS });

const zoneAndDay = fc.constantFrom(...ZONES).chain((timezone) => {
  const changes = changesOf(timezone);
  const day =
    changes.length === 0
      ? anyDay
      : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...changes) }, { weight: 1, arbitrary: anyDay });
  return day.map((epochDay) => ({ timezone, aroundMs: epochDay * DAY_MS }));
});

const minuteOfDay = fc.oneof(
  fc.integer({ min: 0, max: 96 }).map((quarters) => quarters * 15),
  fc.integer({ min: 0, max: 16 }).map((quarters) => quarters * 15),
  fc.integer({ min: 0, max: 1440 }),
  fc.constantFrom(0, 1380, 1410, 1440),
);

const clock = (minutes: number) => new Date(minutes * MINUTE_MS).toISOString().slice(11, 16);
const timeOfDay = (minutes: number) => (minutes === 1440 ? '24:00' : clock(minutes));

const window = fc
  .tuple(minuteOfDay, minuteOfDay)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ start: timeOfDay(Math.min(a, b)), end: timeOfDay(Math.max(a, b)) }));

const weeklyWindow = fc.tuple(fc.constantFrom(...WEEKDAYS), window).map(([day, hours]) => ({ day, ...hours }));

const overrideNear = (aroundMs: number) =>
  fc
    .tuple(fc.integer({ min: -2, max: 3 }), fc.option(fc.array(window, { maxLength: 3 }), { freq: 3 }))
    .map(([offsetDays, windows]) => {
      const date = new Date(aroundMs + offsetDays * DAY_MS).toISOString().slice(0, 10);
      return windows ? { date, windows } : { date, unavailable: true };
    });

const mostlyNone = (max: number) =>
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: max / 5 }).map((fives) => fives * 5),
    fc.integer({ min: 0, max }),
  );

const scheduleNear = (aroundMs: number) =>
  fc
    .record({
      weekly: fc.array(weeklyWindow, { maxLength: 20, size: 'max' }),
      overrides: fc.array(overrideNear(aroundMs), { maxLength: 3 }),
      buffer_before_minutes: mostlyNone(240),
      buffer_after_minutes: mostlyNone(240),
      minimum_notice_minutes: mostlyNone(4000),
      maximum_days_ahead: fc.oneof(fc.constant(365), fc.integer({ min: 1, max: 12 })),
      slot_interval_minutes: fc.oneof(fc.constantFrom(15, 30, 60), fc.integer({ min: 5, max: 240 })),
    })
    .map(aSchedule);

const instantWithin = (fromMs: number, toMs: number) =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .integer({ min: 0, max: Math.floor((toMs - fromMs) / (5 * MINUTE_MS)) })
        .map((fives) => fromMs + fives * 5 * MINUTE_MS),
    },
    { weight: 1, arbitrary: fc.integer({ min: fromMs, max: toMs }) },
  );

const busyNear = (aroundMs: number, most: number) => {
  const lengthMs = fc.integer({ min: 1, max: 72 }).map((fives) => fives * 5 * MINUTE_MS);
  const span = fc
    .tuple(instantWithin(aroundMs - 2 * DAY_MS, aroundMs + 3 * DAY_MS), lengthMs)
    .map(([startMs, length]) => ({ startMs, endMs: startMs + length }));
  return fc.array(span, { maxLength: most });
};

/** Random samples; `fast-check` prints the seed of one that fails. */
export const sample: fc.Arbitrary<Sample> = zoneAndDay.chain(({ timezone, aroundMs }) =>
  fc
    .record({
      schedule: scheduleNear(aroundMs),
      fromUtc: instantWithin(aroundMs - DAY_MS, aroundMs + DAY_MS),
      lengthMs: instantWithin(0, 2 * DAY_MS),
      nowUtc: fc.oneof(fc.constant(aroundMs - 5 * DAY_MS), instantWithin(aroundMs - 5 * DAY_MS, aroundMs + DAY_MS)),
      durationMinutes: fc.oneof(fc.constantFrom(15, 30, 60), fc.integer({ min: 15, max: 240 })),
      busy: busyNear(aroundMs, 12),
      memberBusy: busyNear(aroundMs, 6),
    })
    .map(({ lengthMs, ...rest }) => ({ ...rest, timezone, aroundMs, toUtc: rest.fromUtc + lengthMs })),
);

/** A sample with the requested start of a session near it. */
export const input: fc.Arbitrary<Sample & { requestedStartUtc: number }> = sample.chain((given) =>
  instantWithin(given.aroundMs - DAY_MS, given.aroundMs + DAY_MS).map((requestedStartUtc) => ({
    ...given,
    requestedStartUtc,
  })),
);
