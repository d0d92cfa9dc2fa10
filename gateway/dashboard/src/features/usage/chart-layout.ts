import type { UsageHour } from '@swim/sdk';

/** The kinds of requests in a bar, from its foot upwards. */
export const KINDS = ['succeeded', 'client_errors', 'server_errors', 'limited'] as const;
export type Kind = (typeof KINDS)[number];

/** How many requests of each kind an hour has. */
export const kindsOf = ({ requests, client_errors, server_errors, limited }: UsageHour): Record<Kind, number> => ({
  succeeded: requests - client_errors - server_errors,
  client_errors,
  server_errors,
  limited,
});

/** All requests of an hour, with those that a limit rejected. */
export const allOf = ({ requests, limited }: UsageHour): number => requests + limited;

/** The upper end of the axis: the limit, or the busiest hour. */
export type Scale = 'limit' | 'peak';

/** Below this share of the limit the bars of the busiest hour would be too low to read. */
const READABLE = 0.05;

/** The scale of a chart unless its reader chooses another: by the limit, if bars can be read then. */
export const scaleFor = (hours: readonly UsageHour[], limit: number): Scale =>
  peakOf(hours) >= limit * READABLE ? 'limit' : 'peak';

const peakOf = (hours: readonly UsageHour[]): number => Math.max(0, ...hours.map(allOf));

/** The lowest number not below another that is twice one with a single digit before its zeros: 2, 4, 18, 20, 40, 180 and so on. */
export function roundUp(value: number): number {
  const half = Math.max(1, value / 2);
  const magnitude = 10 ** Math.floor(Math.log10(half));
  return 2 * Math.ceil(half / magnitude) * magnitude;
}

/** The end of the axis: nothing is above it, and its half is a whole number. */
export const topOf = (hours: readonly UsageHour[], limit: number, scale: Scale): number =>
  roundUp(scale === 'limit' ? Math.max(limit, peakOf(hours)) : peakOf(hours));

/** A part of a bar, in the units of its height. */
export interface Part {
  readonly kind: Kind;
  readonly y: number;
  readonly height: number;
}

/** Least height of a bar, in pixels, so that it can be seen. */
const LEAST = 2;

/** The parts of an hour's bar in a chart of this height that ends with `top`; kinds without a request are left out. */
export function partsOf(hour: UsageHour, top: number, height: number): Part[] {
  const counts = kindsOf(hour);
  let y = height;
  return KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const part = Math.max(LEAST, (counts[kind] / top) * height);
    y -= part;
    return { kind, y, height: part };
  });
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const STEPS_OF_A_DAY = [1, 2, 3, 4, 6, 12];

/** Whether a chart is of more than two days: those are then what its labels name. */
export const isLong = (starts: readonly string[]): boolean => starts.length > 2 * DAY_HOURS;

/** The hours that have a label below them: those of full steps of the day, or of days; at most as many as fit, and at least one. */
export function labelled(starts: readonly string[], fitting: number, hourOf: (start: string) => number): Set<string> {
  const most = Math.max(1, Math.floor(fitting));
  const steps = isLong(starts) ? [] : STEPS_OF_A_DAY;
  const step = steps.find((each) => starts.length / each <= most) ?? DAY_HOURS;
  const found = starts.filter((start) => hourOf(start) % step === 0);
  const every = Math.ceil(found.length / most);
  return new Set(found.filter((_, index) => index % every === 0));
}

/** The end of an hour. */
export const endOf = (start: string): string => new Date(Date.parse(start) + HOUR_MS).toISOString();
