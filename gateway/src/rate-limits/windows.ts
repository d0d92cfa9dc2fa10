const HOUR_BITS = 32;
const MINUTE_BITS = 20;

/** A window of an account's counter for one hour: the hour itself, or one of its minutes. */
export type Window = number;

/** The hour as a whole. */
export const HOUR: Window = 0;

/** A minute of the hour, from 0. */
export const minuteWindow = (minute: number): Window => minute + 1;

const shiftOf = (window: Window): bigint => BigInt(window === HOUR ? 0 : HOUR_BITS + MINUTE_BITS * (window - 1));

/**
 * What one request is in a window. All windows of an hour are digits of one number, so that one increment counts a request in
 * several: of the hour below 2^31, of each minute below 2^20; beyond that a minute spills one into the next.
 */
export const unitOf = (window: Window): bigint => 1n << shiftOf(window);

/** How many requests a total says of a window. The hour's can be below 0: what was given back after NATS began again. */
export function countIn(total: bigint, window: Window): number {
  const hour = BigInt.asIntN(HOUR_BITS, total);
  if (window === HOUR) return Number(hour);
  return Number(BigInt.asUintN(MINUTE_BITS, (total - hour) >> shiftOf(window)));
}
