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
  const byZone = Map.groupBy(entries, ({ timezone }) => timezone);
  const zones = new Map([...byZone].map(([timezone, own]) => [timezone, zoneOf(timezone, own)]));
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
    // A calendar must have a component (RFC 5545 section 3.4).
    ...(entries.length === 0 ? vtimezone('UTC', observance('STANDARD', LONG_AGO, 0, 0)) : []),
    ...[...zones.values()].flatMap(zoneLines),
    ...entries.flatMap((entry) => entryLines(entry, zones.get(entry.timezone)!)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function entryLines(entry: CalendarEntry, zone: Zone): string[] {
  const changedAt = utc(entry.changedAtMs);
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(entry.uid)}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${changedAt}`,
    `LAST-MODIFIED:${changedAt}`,
    `DTSTART${localTime(entry.startMs, zone)}`,
    `DTEND${localTime(entry.endMs, zone)}`,
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

/** A change of a zone's clock: its offsets from UTC before and after, in ms. */
interface Transition {
  atMs: number;
  beforeMs: number;
  afterMs: number;
}

/** What the clock of a zone does while the events take place: computed once, since a calendar has many events. */
interface Zone {
  timezone: string;
  /** The offset before the first transition. */
  offsetMs: number;
  transitions: readonly Transition[];
}

function zoneOf(timezone: string, entries: readonly CalendarEntry[]): Zone {
  const endMs = entries.reduce((last, each) => Math.max(last, each.endMs), Number.NEGATIVE_INFINITY) + DAY_MS;
  const beginMs = entries.reduce((first, each) => Math.min(first, each.startMs), Number.POSITIVE_INFINITY) - DAY_MS;
  const begin = Temporal.Instant.fromEpochMilliseconds(beginMs).toZonedDateTimeISO(timezone);
  const transitions: Transition[] = [];
  for (let at = begin; ; ) {
    const next = at.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds > endMs) break;
    transitions.push({ atMs: next.epochMilliseconds, beforeMs: offsetOf(at), afterMs: offsetOf(next) });
    at = next;
  }
  return { timezone, offsetMs: offsetOf(begin), transitions };
}

const offsetOf = ({ offsetNanoseconds }: Temporal.ZonedDateTime): number => offsetNanoseconds / 1e6;

/** The value of a time, with its parameter: in UTC where a clock that is set back shows the local time twice. */
function localTime(instantMs: number, { timezone, offsetMs, transitions }: Zone): string {
  const last = transitions.findLast(({ atMs }) => atMs <= instantMs);
  // A repeated local time means its first occurrence, but not to all clients.
  const isRepeated = transitions.some(({ atMs, beforeMs, afterMs }) => {
    const backMs = beforeMs - afterMs;
    return instantMs >= atMs - backMs && instantMs < atMs + backMs;
  });
  if (isRepeated || isUtc(timezone)) return `:${utc(instantMs)}`;
  return `;TZID=${timezone}:${basic(instantMs + (last?.afterMs ?? offsetMs))}`;
}

/** A VTIMEZONE (RFC 5545 section 3.6.5). */
function zoneLines({ timezone, offsetMs, transitions }: Zone): string[] {
  if (isUtc(timezone)) return [];
  const lines = transitions.flatMap(({ atMs, beforeMs, afterMs }) =>
    observance(afterMs > beforeMs ? 'DAYLIGHT' : 'STANDARD', basic(atMs + beforeMs), beforeMs, afterMs),
  );
  const first = observance('STANDARD', LONG_AGO, offsetMs, offsetMs);
  return vtimezone(timezone, [...first, ...lines]);
}

const vtimezone = (timezone: string, observances: readonly string[]): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${timezone}`,
  ...observances,
  'END:VTIMEZONE',
];

const observance = (kind: 'STANDARD' | 'DAYLIGHT', begin: string, fromMs: number, toMs: number): string[] => [
  `BEGIN:${kind}`,
  `DTSTART:${begin}`,
  `TZOFFSETFROM:${offset(fromMs)}`,
  `TZOFFSETTO:${offset(toMs)}`,
  `END:${kind}`,
];

const isUtc = (timezone: string): boolean => timezone === 'UTC' || timezone === 'Etc/UTC';

const utc = (instantMs: number): string => `${basic(instantMs)}Z`;
/** The date and time that a clock in UTC shows: `20270301T150000`. */
const basic = (instantMs: number): string => new Date(instantMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

/** An offset from UTC: `+0530`, with seconds where it has any. */
function offset(ms: number): string {
  const seconds = Math.abs(ms) / 1_000;
  const parts = [seconds / 3_600, (seconds / 60) % 60, ...(seconds % 60 === 0 ? [] : [seconds % 60])];
  return (ms < 0 ? '-' : '+') + parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join('');
}

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
