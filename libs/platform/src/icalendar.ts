const MOST_OCTETS = 75;

/** An event of a calendar (RFC 5545 section 3.6.1); instants in epoch ms. */
export interface CalendarEntry {
  uid: string;
  /** The sequence grows with every change. */
  sequence: number;
  startMs: number;
  endMs: number;
  changedAtMs: number;
  summary: string;
  location?: string | undefined;
  isCancelled: boolean;
  /** The organizer and attendees are e-mail addresses of an invitation. */
  organizer?: string | undefined;
  attendee?: string | undefined;
}

/** A calendar: a feed, or an attachment with a method of iTIP (RFC 5546). */
export interface Calendar {
  /** Names the program that writes it (RFC 5545 section 3.7.3). */
  product: string;
  name?: string | undefined;
  method?: 'PUBLISH' | 'REQUEST' | 'CANCEL' | undefined;
  /** How often clients should read a feed again (RFC 7986 section 5.7). */
  refreshMinutes?: number | undefined;
  entries: readonly CalendarEntry[];
}

// A calendar must have a component (RFC 5545 section 3.4): one without events has this.
const NO_EVENTS = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** Writes a calendar as `text/calendar` (RFC 5545), with times in UTC: readers differ in what they make of time zones. */
export function toICalendar({ product, name, method, refreshMinutes, entries }: Calendar): string {
  const refresh = `PT${refreshMinutes}M`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${product}`,
    'CALSCALE:GREGORIAN',
    ...(method ? [`METHOD:${method}`] : []),
    ...(name === undefined ? [] : [`NAME:${escaped(name)}`, `X-WR-CALNAME:${escaped(name)}`]),
    ...(refreshMinutes === undefined
      ? []
      : [`REFRESH-INTERVAL;VALUE=DURATION:${refresh}`, `X-PUBLISHED-TTL:${refresh}`]),
    ...(entries.length === 0 ? NO_EVENTS : entries.flatMap(entryLines)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function entryLines(entry: CalendarEntry): string[] {
  const changedAt = utc(entry.changedAtMs);
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(entry.uid)}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${changedAt}`,
    `LAST-MODIFIED:${changedAt}`,
    `DTSTART:${utc(entry.startMs)}`,
    `DTEND:${utc(entry.endMs)}`,
    `SUMMARY:${escaped(entry.summary)}`,
    ...(entry.location === undefined ? [] : [`LOCATION:${escaped(entry.location)}`]),
    `STATUS:${entry.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${entry.isCancelled ? 'TRANSPARENT' : 'OPAQUE'}`,
    ...(entry.organizer === undefined ? [] : [`ORGANIZER:mailto:${address(entry.organizer)}`]),
    ...(entry.attendee === undefined
      ? []
      : [`ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${address(entry.attendee)}`]),
    'END:VEVENT',
  ];
}

/** Formats an instant in UTC: `20270301T150000Z`. */
const utc = (instantMs: number): string => `${new Date(instantMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

// A line break inside of a value would begin another property.
const escaped = (text: string): string => (SPECIAL.test(text) ? withEscapes(text) : text);
const SPECIAL = /[\\;,\p{Cc}]/u;
const withEscapes = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|[\r\n]/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');
const address = (mailbox: string): string => mailbox.replaceAll(/[\p{Cc}\s]/gu, '');

/** Folds a line into lines of at most 75 octets; a character is never divided (RFC 5545 section 3.1). */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= MOST_OCTETS) return line;
  let [text, octets] = ['', 0];
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > MOST_OCTETS) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += length;
  }
  return text;
}
