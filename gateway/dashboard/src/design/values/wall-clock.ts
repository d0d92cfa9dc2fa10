import { fromAbsolute, parseDateTime, toZoned } from '@internationalized/date';

/** A time as the fields of a form have it: YYYY-MM-DD and HH:MM, by the clock of a time zone. */
export interface WallClock {
  readonly date: string;
  readonly time: string;
}

/** The time of an instant. */
export function wallClockAt(instant: string, timeZone: string): WallClock {
  const local = fromAbsolute(Date.parse(instant), timeZone).toString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}

/** The instant of a time, ISO 8601; null where it is none. One that is skipped moves forward, of a repeated one it is the first. */
export function instantAt({ date, time }: WallClock, timeZone: string): string | null {
  try {
    return toZoned(parseDateTime(`${date}T${time}`), timeZone)
      .toDate()
      .toISOString();
  } catch {
    return null;
  }
}
