/** The greatest age of a member. */
export const MOST_YEARS = 120;

/**
 * Why this (valid) date is rejected as a date of birth; null when it is accepted. Dates are YYYY-MM-DD, today's is UTC; the
 * bounds are the contract's: a past date, at most 120 years ago.
 */
export function birthDateReason(date: string, today: string): 'not_in_past' | 'out_of_range' | null {
  if (date >= today) return 'not_in_past';
  // On a leap day the bound may be a February 29 that does not exist: as text it still lies between the 28th and March 1.
  const earliest = `${String(Number(today.slice(0, 4)) - MOST_YEARS).padStart(4, '0')}${today.slice(4)}`;
  return date < earliest ? 'out_of_range' : null;
}

/** The whole years from a date of birth to a date, both YYYY-MM-DD; born on February 29, a year is full on March 1. */
export const ageOn = (dateOfBirth: string, date: string): number =>
  Number(date.slice(0, 4)) - Number(dateOfBirth.slice(0, 4)) - (date.slice(5) < dateOfBirth.slice(5) ? 1 : 0);
