import type { AvailabilitySchedule } from '@swim/contracts';

/**
 * A slow reference implementation of availability.rules.ts that shares no code and no method with it: it asks Intl for the
 * local name of every single minute, and uses neither offsets, changes of the clock nor Temporal. All instants are epoch
 * milliseconds, all `…Minute` are minutes since 1970-01-01T00:00, in local time where so named, else in UTC.
 */
export interface Oracle {
  openSpans(fromUtc: number, toUtc: number): OracleSpan[];
  freeSlots(query: OracleQuery): OracleSpan[];
  isOpenThroughout(startUtc: number, endUtc: number): boolean;
}

export interface OracleSpan {
  startMs: number;
  endMs: number;
}

export interface OracleQuery {
  busy: readonly OracleSpan[];
  fromUtc: number;
  toUtc: number;
  nowUtc: number;
  durationMinutes: number;
}

interface Window {
  firstMinute: number;
  endMinute: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MINUTES = 1440;
const SUNDAY_FIRST = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const formats = new Map<string, Intl.DateTimeFormat>();
const walls = new Map<string, Map<number, Int32Array>>();

/** The cached value of a key, computed at first use. */
export function remembered<K, V>(values: Map<K, V>, key: K, make: () => V): V {
  let value = values.get(key);
  if (value === undefined) {
    value = make();
    values.set(key, value);
  }
  return value;
}

function readWall(timezone: string, instantMs: number): number {
  const format = remembered(formats, timezone, () => {
    const twoDigits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, hourCycle: 'h23', year: 'numeric', ...twoDigits });
  });
  const text = format.format(instantMs);
  return Date.parse(`${text.slice(0, 10)}T${text.slice(12)}Z`) / MINUTE_MS;
}

function wallMinuteAt(timezone: string, minute: number): number {
  const days = remembered(walls, timezone, () => new Map<number, Int32Array>());
  const day = Math.floor(minute / DAY_MINUTES);
  const wall = remembered(days, day, () =>
    Int32Array.from({ length: DAY_MINUTES }, (_, index) => readWall(timezone, (day * DAY_MINUTES + index) * MINUTE_MS)),
  );
  return wall[minute - day * DAY_MINUTES]!;
}

/** UTC days (days since 1970-01-01) of these years during which the zone changes its clock. */
export function clockChangeDays(timezone: string, firstYear: number, lastYear: number): number[] {
  const days: number[] = [];
  const lastDay = Date.UTC(lastYear + 1, 0, 1) / MINUTE_MS / DAY_MINUTES;
  for (let day = Date.UTC(firstYear, 0, 1) / MINUTE_MS / DAY_MINUTES; day < lastDay; day += 1) {
    const startMs = day * DAY_MINUTES * MINUTE_MS;
    const wallMinutes = readWall(timezone, startMs + 24 * HOUR_MS) - readWall(timezone, startMs);
    if (wallMinutes !== DAY_MINUTES) days.push(day);
  }
  return days;
}

/** The first minute with this local date and time; a skipped time counts on from the last minute before the gap. */
function minuteCalled(timezone: string, wallDay: number, time: string): number {
  const [hours, minutes] = time.split(':');
  const minuteOfDay = wallDay * DAY_MINUTES + Number(hours) * 60 + Number(minutes);
  for (let minute = minuteOfDay - 15 * 60; minute < minuteOfDay + 37 * 60; minute += 1) {
    const wall = wallMinuteAt(timezone, minute);
    const wallBefore = wallMinuteAt(timezone, minute - 1);
    if (wall === minuteOfDay || (time === '24:00' && wall > minuteOfDay)) return minute;
    if (wallBefore < minuteOfDay && wall > minuteOfDay) return minute - 1 + (minuteOfDay - wallBefore);
  }
  throw new Error(`${timezone} has no ${time} on day ${wallDay}`);
}

function windowsOn(schedule: AvailabilitySchedule, timezone: string, wallDay: number): Window[] {
  const midnight = new Date(wallDay * DAY_MINUTES * MINUTE_MS);
  const weekly = schedule.weekly.filter(({ day }) => day === SUNDAY_FIRST[midnight.getUTCDay()]);
  const overrides = schedule.overrides.filter(({ date }) => Date.parse(`${date}T00:00Z`) === midnight.getTime());
  const closed = overrides.some(({ unavailable }) => unavailable === true);
  const dated = overrides.flatMap(({ windows }) => (windows && !closed ? windows : []));
  return (overrides.length > 0 ? dated : weekly).map(({ start, end }) => ({
    firstMinute: minuteCalled(timezone, wallDay, start),
    endMinute: minuteCalled(timezone, wallDay, end),
  }));
}

/** The oracle for one instructor. */
export function oracleOf(schedule: AvailabilitySchedule, timezone: string): Oracle {
  const windowsByDay = new Map<number, Window[]>();

  /** The windows of this minute's local date that contain it. */
  function windowsAround(minute: number): Window[] {
    const wallDay = Math.floor(wallMinuteAt(timezone, minute) / DAY_MINUTES);
    const windows = remembered(windowsByDay, wallDay, () => windowsOn(schedule, timezone, wallDay));
    return windows.filter(({ firstMinute, endMinute }) => firstMinute <= minute && minute < endMinute);
  }

  const startsSlot = (minute: number) =>
    windowsAround(minute).some(({ firstMinute }) => (minute - firstMinute) % schedule.slot_interval_minutes === 0);

  function isOpenThroughout(startUtc: number, endUtc: number): boolean {
    for (let minute = Math.floor(startUtc / MINUTE_MS); minute * MINUTE_MS < endUtc; minute += 1) {
      if (windowsAround(minute).length === 0) return false;
    }
    return true;
  }

  function openSpans(fromUtc: number, toUtc: number): OracleSpan[] {
    const spans: OracleSpan[] = [];
    for (let minute = Math.floor(fromUtc / MINUTE_MS); minute * MINUTE_MS < toUtc; minute += 1) {
      const startMs = Math.max(minute * MINUTE_MS, fromUtc);
      const endMs = Math.min((minute + 1) * MINUTE_MS, toUtc);
      if (startMs === endMs || windowsAround(minute).length === 0) continue;
      const last = spans.at(-1);
      if (last?.endMs === startMs) last.endMs = endMs;
      else spans.push({ startMs, endMs });
    }
    return spans;
  }

  function freeSlots({ busy, fromUtc, toUtc, nowUtc, durationMinutes }: OracleQuery): OracleSpan[] {
    const slots: OracleSpan[] = [];
    for (let minute = Math.ceil(fromUtc / MINUTE_MS); (minute + durationMinutes) * MINUTE_MS <= toUtc; minute += 1) {
      if (!startsSlot(minute)) continue;
      const startMs = minute * MINUTE_MS;
      const endMs = startMs + durationMinutes * MINUTE_MS;
      if (
        isWithinReach(schedule, startMs, nowUtc) &&
        isOpenThroughout(startMs, endMs) &&
        isFree(schedule, startMs, endMs, busy)
      ) {
        slots.push({ startMs, endMs });
      }
    }
    return slots;
  }

  return { openSpans, freeSlots, isOpenThroughout };
}

/** Whether a start is in the future, not too soon and not too far ahead. */
export function isWithinReach(schedule: AvailabilitySchedule, startUtc: number, nowUtc: number): boolean {
  const minutesAhead = (startUtc - nowUtc) / MINUTE_MS;
  const tooSoon = minutesAhead < schedule.minimum_notice_minutes;
  const tooFar = minutesAhead > schedule.maximum_days_ahead * DAY_MINUTES;
  return minutesAhead > 0 && !tooSoon && !tooFar;
}

/** Whether this time with its buffers overlaps none of the busy spans. */
export function isFree(
  schedule: AvailabilitySchedule,
  startUtc: number,
  endUtc: number,
  busy: readonly OracleSpan[],
): boolean {
  const fromMs = startUtc - schedule.buffer_before_minutes * MINUTE_MS;
  const toMs = endUtc + schedule.buffer_after_minutes * MINUTE_MS;
  return !busy.some(({ startMs, endMs }) => startMs < toMs && endMs > fromMs);
}
