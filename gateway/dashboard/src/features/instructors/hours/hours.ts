import type { Instructor } from '@swim/sdk';

type Schedule = Instructor['availability_schedule'];
export type Weekly = Schedule['weekly'];
export type Overrides = Schedule['overrides'];

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const DAY_MINUTES = 24 * 60;
/** The lengths that a cell of the grid can have, in minutes. */
const STEPS = [30, 15, 10, 5] as const;

/** Minutes since midnight of HH:MM. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** HH:MM of minutes since midnight; 24:00 at the end of the day. */
export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The longest cell into which all windows divide; null where none does, such as for 08:07. */
export function stepOf(weekly: Weekly): number | null {
  const times = weekly.flatMap(({ start, end }) => [minutesOf(start), minutesOf(end)]);
  return STEPS.find((step) => times.every((time) => time % step === 0)) ?? null;
}

/** The selected cells of a week: each the day (0 for Monday) times the minutes of a day, plus its start. */
export type Cells = ReadonlySet<number>;

export const cellAt = (day: number, minutes: number): number => day * DAY_MINUTES + minutes;

/** The cells with those of the rectangle between two of them, its corners, on or off. */
export function withArea(cells: Cells, corners: readonly [number, number], step: number, isOn: boolean): Cells {
  const next = new Set(cells);
  const [firstDay, lastDay] = ascending(corners.map((cell) => Math.floor(cell / DAY_MINUTES)));
  const [from, to] = ascending(corners.map((cell) => cell % DAY_MINUTES));
  for (let day = firstDay; day <= lastDay; day += 1)
    for (let minutes = from; minutes <= to; minutes += step)
      if (isOn) next.add(cellAt(day, minutes));
      else next.delete(cellAt(day, minutes));
  return next;
}

const ascending = (pair: number[]): [number, number] => [Math.min(...pair), Math.max(...pair)];

/** The cells that windows cover. */
export function cellsOf(weekly: Weekly, step: number): Cells {
  const cells = new Set<number>();
  for (const { day, start, end } of weekly)
    for (let at = minutesOf(start); at < minutesOf(end); at += step) cells.add(cellAt(DAYS.indexOf(day), at));
  return cells;
}

/** The windows that cells make; neighbours are one. */
export function weeklyOf(cells: Cells, step: number): Weekly {
  const weekly: Weekly = [];
  for (const [index, day] of DAYS.entries()) {
    const starts = [...cells]
      .map((cell) => cell - cellAt(index, 0))
      .filter((minutes) => minutes >= 0 && minutes < DAY_MINUTES)
      .sort((a, b) => a - b);
    for (const at of starts) {
      const last = weekly.at(-1);
      if (last?.day === day && minutesOf(last.end) === at) last.end = timeOf(at + step);
      else weekly.push({ day, start: timeOf(at), end: timeOf(at + step) });
    }
  }
  return weekly;
}

/** The hours that the grid shows: those in which most lessons are, and all that are published. */
export function shownHours(weekly: Weekly): { first: number; last: number } {
  const starts = weekly.map(({ start }) => Math.floor(minutesOf(start) / 60));
  const ends = weekly.map(({ end }) => Math.ceil(minutesOf(end) / 60));
  return { first: Math.min(7, ...starts), last: Math.max(20, ...ends) };
}

/** The hours of a period that replace those of the week. */
export interface Exception {
  readonly from: string;
  readonly to: string;
  /** Null where nothing is free. */
  readonly window: { readonly start: string; readonly end: string } | null;
}

const MOST_DATES = 366;

function datesOf({ from, to }: Exception): string[] {
  const dates: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to) && dates.length < MOST_DATES; at += 86_400_000)
    dates.push(new Date(at).toISOString().slice(0, 10));
  return dates;
}

/** The overrides with those of a period, which replace the earlier ones of its dates; by date. */
export function withException(overrides: Overrides, exception: Exception): Overrides {
  const dates = datesOf(exception);
  const { window } = exception;
  const added = dates.map((date) => (window ? { date, windows: [{ ...window }] } : { date, unavailable: true }));
  const kept = overrides.filter(({ date }) => !dates.includes(date));
  return [...kept, ...added].sort((a, b) => a.date.localeCompare(b.date));
}
