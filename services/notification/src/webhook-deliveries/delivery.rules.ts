const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Pauses before the second try, the third and so on (contract, Events and webhooks). */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** How many times an event is tried. */
export const MOST_TRIES = PAUSES_MS.length + 1;
const JITTER = 0.1;
const MOST_RETRY_AFTER_MS = DAY_MS;
const GONE = 410;
const KEPT_DAYS = 30;
/** More than the clocks of two databases differ by: no event is missed that occurred after its endpoint was made. */
const SLACK_MS = 200;

/** The result of one try. */
export interface TryResult {
  /** Null when no answer came. */
  statusCode: number | null;
  /** Null after an answer of 2xx. */
  error: string | null;
  /** The header `Retry-After` of the answer. */
  retryAfter: string | null;
}

/** What follows from a try: when the next one is due, if there is one. */
export type Outcome = { kind: 'succeeded' } | { kind: 'retried'; dueAt: Date } | { kind: 'failed' };

/** Whether a try has delivered the event: answers of 2xx only. */
export const isDelivered = ({ statusCode }: Pick<TryResult, 'statusCode'>): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Whether the receiver wants nothing more. */
export const isGone = ({ statusCode }: Pick<TryResult, 'statusCode'>): boolean => statusCode === GONE;

/** The wait that an answer requests, in ms: `Retry-After` in seconds or as a date (RFC 9110), at most a day; else 0. */
export function requestedPauseMs(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0;
  const isSeconds = /^\d+$/.test(retryAfter);
  const ms = isSeconds ? Number(retryAfter) * SECOND_MS : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MOST_RETRY_AFTER_MS);
}

/**
 * What follows from a try, the `tries`th, that ended now. The pause is never shorter than the table's and up to 10 % longer;
 * `random` is from 0 to 1.
 */
export function outcomeOf(result: TryResult, tries: number, now: Date, random: number): Outcome {
  if (isDelivered(result)) return { kind: 'succeeded' };
  const pauseMs = PAUSES_MS[tries - 1];
  if (pauseMs === undefined || isGone(result)) return { kind: 'failed' };
  const ms = Math.max(pauseMs * (1 + JITTER * random), requestedPauseMs(result.retryAfter, now));
  return { kind: 'retried', dueAt: new Date(now.getTime() + Math.round(ms)) };
}

/** Whether an endpoint receives a type of event. */
export const receives = (events: readonly string[], type: string): boolean =>
  events.includes('*') || events.includes(type);

/**
 * Whether an endpoint gets an event that has come now: not one of before it was made, which comes again after NATS has lost what it
 * stored.
 */
export const isPaired = (
  { events, createdAt }: { events: readonly string[]; createdAt: Date },
  { type, occurredAt }: { type: string; occurredAt: Date },
): boolean => receives(events, type) && occurredAt.getTime() >= createdAt.getTime() - SLACK_MS;

/** How often each of these occurs. */
export function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The types that a replay delivers: those requested that the endpoint receives; null for all types. */
export function replayedTypes(events: readonly string[], requested: readonly string[] | undefined): string[] | null {
  if (!requested) return events.includes('*') ? null : [...events];
  return requested.filter((type) => receives(events, type));
}

/** Deliveries that were made before this instant are removed. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - KEPT_DAYS * DAY_MS);
