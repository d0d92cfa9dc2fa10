const HOUR_MS = 3_600_000;

/**
 * The first local date, `YYYY-MM-DD`, on which a lesson of the demo data can be given at a local time `HH:MM`: the date of `at`, or
 * the next one where less than an hour is left until then.
 */
export function firstDateOf(at: Date, time: string, timezone: string): string {
  const soon = localTimeOf(new Date(at.getTime() + HOUR_MS), timezone);
  if (soon.time <= time) return soon.date;
  const [year, month, day] = soon.date.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10);
}

function localTimeOf(at: Date, timeZone: string): { date: string; time: string } {
  // Swedish writes ISO 8601.
  const text = at.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const [date, time] = text.split(' ') as [string, string];
  return { date, time };
}
