import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { type CalendarEntry, toICalendar } from './icalendar.js';

const START = Date.parse('2027-03-01T15:00:00Z');
const entry = (overrides: Partial<CalendarEntry> = {}): CalendarEntry => ({
  uid: 'ses_1',
  sequence: 2,
  startMs: START,
  endMs: START + 1_800_000,
  timezone: 'Europe/Berlin',
  changedAtMs: START - 1,
  summary: 'Swimming lesson',
  isCancelled: false,
  ...overrides,
});

/** What an independent library reads. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const zones = new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .map((zone) => [zone.getFirstPropertyValue('tzid'), new ICAL.Timezone(zone)]),
  );
  const instant = (component: ICAL.Component, name: string) => {
    const property = component.getFirstProperty(name)!;
    const time = property.getFirstValue() as ICAL.Time;
    const zone = zones.get(property.getParameter('tzid') as string);
    if (zone) time.zone = zone;
    return time.toUnixTime() * 1000;
  };
  const events = calendar.getAllSubcomponents('vevent').map((event) => ({
    startMs: instant(event, 'dtstart'),
    endMs: instant(event, 'dtend'),
    changedAtMs: instant(event, 'dtstamp'),
    summary: event.getFirstPropertyValue('summary'),
    status: event.getFirstPropertyValue('status'),
    uid: event.getFirstPropertyValue('uid'),
    sequence: event.getFirstPropertyValue('sequence'),
    names: event.getAllProperties().map(({ name }) => name),
  }));
  return { calendar, zones, events };
}

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const instants = fc
  .integer({ min: Date.parse('2025-01-01') / 1000, max: Date.parse('2030-01-01') / 1000 })
  .map((seconds) => seconds * 1000);

describe('a calendar', () => {
  it('has the instants of its events, in every zone', () => {
    fc.assert(
      fc.property(zones, fc.array(instants, { minLength: 1, maxLength: 8 }), (timezone, starts) => {
        const entries = starts.map((startMs) => entry({ timezone, startMs, endMs: startMs + 3_600_000 }));
        const { events } = read(toICalendar({ entries }));
        expect(events.map(({ startMs, endMs }) => [startMs, endMs])).toEqual(
          entries.map(({ startMs, endMs }) => [startMs, endMs]),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('has the instants around the hours that a clock skips and repeats', () => {
    for (const change of ['2027-03-28T01:00:00Z', '2027-10-31T01:00:00Z']) {
      for (let minutes = -120; minutes <= 120; minutes += 15) {
        const startMs = Date.parse(change) + minutes * 60_000;
        const { events } = read(toICalendar({ entries: [entry({ startMs, endMs: startMs + 900_000 })] }));
        expect(new Date(events[0]!.startMs)).toEqual(new Date(startMs));
        expect(new Date(events[0]!.endMs)).toEqual(new Date(startMs + 900_000));
      }
    }
  });

  it('writes the time of the clock on the wall and the zone that it is in', () => {
    const text = toICalendar({ entries: [entry()] });
    expect(text).toContain('\r\nDTSTART;TZID=Europe/Berlin:20270301T160000\r\n');
    expect(text).toContain('\r\nDTSTAMP:20270301T145959Z\r\n');
    expect(read(text).zones.size).toBe(1);
    expect(toICalendar({ entries: [entry({ timezone: 'UTC' })] })).not.toContain('VTIMEZONE');
  });

  it('keeps any text in its property, on lines of at most 75 octets', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (summary) => {
        const text = toICalendar({ name: summary, entries: [entry({ summary })] });
        for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        const { events, calendar } = read(text);
        expect(events[0]!.summary ?? '').toBe(summary.replaceAll(/\p{Cc}/gu, ''));
        expect(calendar.getAllSubcomponents('vevent')).toHaveLength(1);
      }),
    );
  });

  it('takes no property from a text with line breaks', () => {
    const summary = 'Lesson\r\nATTENDEE:mailto:x@example.test\nEND:VEVENT\r';
    const attendee = 'a@example.test\r\nX-EVIL:1';
    const { events } = read(toICalendar({ entries: [entry({ summary, attendee, location: summary })] }));
    expect(events[0]!.names).toEqual([
      'uid',
      'sequence',
      'dtstamp',
      'last-modified',
      'dtstart',
      'dtend',
      'summary',
      'location',
      'status',
      'transp',
      'attendee',
    ]);
    expect(events[0]!.summary).toBe('Lesson\nATTENDEE:mailto:x@example.test\nEND:VEVENT\n');
  });

  it('names its method, its name and how often it is to be read again, and what is cancelled', () => {
    const text = toICalendar({
      method: 'CANCEL',
      name: 'Lessons',
      refreshMinutes: 60,
      entries: [entry({ isCancelled: true })],
    });
    const { calendar, events } = read(text);
    expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL');
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Lessons');
    expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT60M');
    expect(calendar.getFirstPropertyValue('x-published-ttl')).toBe('PT60M');
    expect(events).toMatchObject([{ status: 'CANCELLED', uid: 'ses_1', sequence: 2 }]);
  });

  it('without events has the component that a calendar must have', () => {
    const { calendar, events } = read(toICalendar({ entries: [] }));
    expect(events).toEqual([]);
    expect(calendar.getAllSubcomponents()).toHaveLength(1);
  });
});
