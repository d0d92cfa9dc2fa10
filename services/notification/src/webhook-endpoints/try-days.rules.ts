const DAY_MS = 24 * 3_600_000;
const FAILING_DAYS = 5;

/** The tries to an endpoint by days in UTC. */
export interface TryDays {
  /** A try of the last day that had any, by the clock of the account. */
  last: Date;
  /** On so many days in a row, up to that one, tries failed and none succeeded. */
  failed: number;
}

/** The days of an endpoint after a try; null when they stay as they are. A day on which one try succeeded is none of failures. */
export function daysAfter(days: TryDays | null, at: Date, isSuccess: boolean): TryDays | null {
  const passed = days ? dayOf(at) - dayOf(days.last) : Number.POSITIVE_INFINITY;
  if (isSuccess) return passed <= 0 && days?.failed === 0 ? null : { last: at, failed: 0 };
  if (passed <= 0) return null;
  return { last: at, failed: passed === 1 ? days!.failed + 1 : 1 };
}

/** Whether a try that fails disables its endpoint: five days of failures have passed, and this is a later day. */
export const isDisabledBy = (days: TryDays | null, at: Date): boolean =>
  days !== null && days.failed >= FAILING_DAYS && dayOf(at) > dayOf(days.last);

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);
