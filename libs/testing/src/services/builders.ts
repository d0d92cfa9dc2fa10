import { type AvailabilitySchedule, availabilitySchedule, type Principal, SCOPES } from '@swim/contracts';
import { newId } from '@swim/platform';

/** A principal of the sandbox with all scopes. */
export const aPrincipal = (overrides: Partial<Principal> = {}): Principal => ({
  accountId: newId('acct'),
  kind: 'family',
  env: 'test',
  keyId: newId('key'),
  scopes: [...SCOPES],
  ...overrides,
});

/** The default school of tests. */
export const schoolPrincipal: Principal = aPrincipal({ kind: 'school' });

/** A schedule with defaults, open every day from 06:00 to 22:00. */
export const aSchedule = (overrides: Partial<AvailabilitySchedule> = {}): AvailabilitySchedule =>
  availabilitySchedule.parse({
    weekly: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => ({ day, start: '06:00', end: '22:00' })),
    maximum_days_ahead: 1_000,
    ...overrides,
  });

/** Times relative to an instant's day: midnight UTC so many days later, plus hours and minutes, as ISO 8601. */
export const daysAfter =
  (from: Date) =>
  (days: number, hours = 10, minutes = 0): string =>
    new Date(
      Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate() + days, hours, minutes),
    ).toISOString();

/** Midnight UTC `days` after the day on which this test file started, even if it runs past midnight. */
export const inDays = daysAfter(new Date());

/**
 * The next date that is at least 14 days ahead on which the clocks of Berlin go from 02:00 to 03:00, so that 02:30 does not
 * exist: the last Sunday of March. Plus so many days, as YYYY-MM-DD.
 */
export function springForward(days = 0): string {
  const year = Number(inDays(14).slice(0, 4));
  const lastSundays = [year, year + 1].map((each) => 31 - new Date(Date.UTC(each, 2, 31)).getUTCDay());
  const dates = lastSundays.map((day, index) => new Date(Date.UTC(year + index, 2, day)).toISOString());
  const change = dates.find((date) => date >= inDays(14))!;
  return daysAfter(new Date(change))(days).slice(0, 10);
}
