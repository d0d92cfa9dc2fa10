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
