import { Temporal } from 'temporal-polyfill';

const MOST_OCTETS = 75;
const DAY_MS = 86_400_000;
// Before any event: the observance that is in force at first has no known beginning.
const LONG_AGO = '19700101T000000';
const PRODUCT = '-//Swim Lesson Scheduling//Lessons//EN';

/** An event of a calendar (RFC 5545 section 3.6.1); instants in epoch ms. */
export interface CalendarEntry {
  uid: string;
  /** Grows with every change. */
  sequence: number;
  startMs: number;
  endMs: number;
  /** IANA zone in which the times are written. */
  timezone: string;
  /** When it was changed last. */
  changedAtMs: number;
  summary: string;
  location?: string | undefined;
  isCancelled: boolean;
  /** Addresses of an invitation. */
  organizer?: string | undefined;
  attendee?: string | undefined;
}

/** A calendar: a feed, or an attachment with a method of iTIP (RFC 5546). */
export interface Calendar {
  name?: string | undefined;
  method?: 'PUBLISH' | 'REQUEST' | 'CANCEL' | undefined;
  /** How often clients should read a feed again (RFC 7986 section 5.7). */
  refreshMinutes?: number | undefined;
  entries: readonly CalendarEntry[];
}

/** Writes a calendar as `text/calendar` (RFC 5545). */
export function toICalendar({ name, method, refreshMinutes, entries }: Calendar): string {
  const refresh = `PT${refreshMinutes}M`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${PRODUCT}`,
    'CALSCALE:GREGORIAN',
    ...(method ? [`METHOD:${method}`] : []),
    ...(name === undefined ? [] : [`NAME:${escaped(name)}`, `X-WR-CALNAME:${escaped(name)}`]),
    ...(refreshMinutes === undefined
      ? []
      : [`REFRESH-INTERVAL;VALUE=DURATION:${refresh}`, `X-PUBLISHED-TTL:${refresh}`]),
    ...[...Map.groupBy(entries, ({ timezone }) => timezone)].flatMap(([zone, own]) => zoneLines(zone, own)),
    ...entries.flatMap(entryLines),
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
    `DTSTART${localTime(entry.startMs, entry.timezone)}`,
    `DTEND${localTime(entry.endMs, entry.timezone)}`,
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

/** The value of a time, with its parameter: in UTC where a clock that is set back shows the local time twice. */
function localTime(instantMs: number, timezone: string): string {
  if (isUtc(timezone)) return `:${utc(instantMs)}`;
  const wallClock = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone).toPlainDateTime();
  // A repeated local time means its first occurrence, but not to all clients.
  const [first, last] = (['earlier', 'later'] as const).map(
    (disambiguation) => wallClock.toZonedDateTime(timezone, { disambiguation }).epochMilliseconds,
  );
  const isRepeated = first !== last;
  return isRepeated ? `:${utc(instantMs)}` : `;TZID=${timezone}:${basic(wallClock)}`;
}

/** A VTIMEZONE (RFC 5545 section 3.6.5) with what the zone's clock does while the events take place. */
function zoneLines(timezone: string, entries: readonly CalendarEntry[]): string[] {
  if (isUtc(timezone)) return [];
  const endMs = entries.reduce((last, each) => Math.max(last, each.endMs), Number.NEGATIVE_INFINITY) + DAY_MS;
  const beginMs = entries.reduce((first, each) => Math.min(first, each.startMs), Number.POSITIVE_INFINITY) - DAY_MS;
  let at = Temporal.Instant.fromEpochMilliseconds(beginMs).toZonedDateTimeISO(timezone);
  const lines = observance('STANDARD', LONG_AGO, at.offset, at.offset);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds > endMs) break;
    const kind = next.offsetNanoseconds > at.offsetNanoseconds ? 'DAYLIGHT' : 'STANDARD';
    const wallClock = next.toInstant().toZonedDateTimeISO(at.offset).toPlainDateTime();
    lines.push(...observance(kind, basic(wallClock), at.offset, next.offset));
    at = next;
  }
  return ['BEGIN:VTIMEZONE', `TZID:${timezone}`, ...lines, 'END:VTIMEZONE'];
}

const observance = (kind: 'STANDARD' | 'DAYLIGHT', begin: string, from: string, to: string): string[] => [
  `BEGIN:${kind}`,
  `DTSTART:${begin}`,
  `TZOFFSETFROM:${from.replaceAll(':', '')}`,
  `TZOFFSETTO:${to.replaceAll(':', '')}`,
  `END:${kind}`,
];

const isUtc = (timezone: string): boolean => timezone === 'UTC' || timezone === 'Etc/UTC';

const utc = (instantMs: number): string => `${basic(Temporal.PlainDateTime.from(iso(instantMs)))}Z`;
const iso = (instantMs: number): string => new Date(instantMs).toISOString().slice(0, 19);
const basic = (wallClock: Temporal.PlainDateTime): string =>
  wallClock.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');

// A line break inside of a value would begin another property.
const escaped = (text: string): string =>
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
