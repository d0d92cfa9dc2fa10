const PARTS: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
};

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time zone by whose clock times are typed, unless it is the reader's. */
export const otherZone = (timeZone: string): string | undefined => (timeZone === OWN_ZONE ? undefined : timeZone);

/** An instant as weekday, date and time by the clock of a time zone, the reader's without one; a zone whose clock differs is named. */
export function instantText(at: string, tag: string, timeZone?: string): string {
  const date = new Date(at);
  const own = date.toLocaleString(tag, PARTS);
  if (!timeZone) return own;
  const text = date.toLocaleString(tag, { ...PARTS, timeZone });
  return text === own ? text : date.toLocaleString(tag, { ...PARTS, timeZone, timeZoneName: 'short' });
}
