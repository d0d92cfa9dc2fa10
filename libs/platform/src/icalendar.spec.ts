import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { sync as readSync } from 'node-ical';
import { type Calendar, type CalendarEntry, toICalendar } from './icalendar.js';

const START = Date.parse('2027-03-01T15:00:00Z');
const entry = (overrides: Partial<CalendarEntry> = {}): CalendarEntry => ({
  uid: 'ses_1',
  sequence: 2,
  startMs: START,
  endMs: START + 1_800_000,
  changedAtMs: START - 1,
  summary: 'Swimming lesson',
  isCancelled: false,
  ...overrides,
});

const write = (calendar: Omit<Calendar, 'product'>): string =>
  toICalendar({ product: '-//Example//Lessons//EN', ...calendar });

/** Reads a calendar with an independent library. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const instant = (component: ICAL.Component, name: string) =>
    (component.getFirstPropertyValue(name) as ICAL.Time).toUnixTime() * 1000;
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
  return { calendar, events };
}

/** Reads the times with another independent library. */
const timesIn = (text: string) =>
  Object.values(readSync.parseICS(text)).flatMap((component) =>
    component?.type === 'VEVENT' ? [[component.start.getTime(), component.end!.getTime()]] : [],
  );

const instants = fc
  .integer({ min: Date.parse('2025-01-01') / 1000, max: Date.parse('2100-01-01') / 1000 })
  .map((seconds) => seconds * 1000);

describe('a calendar', () => {
  it('has the instants of its events in two readers', () => {
    fc.assert(
      fc.property(fc.array(instants, { minLength: 1, maxLength: 8 }), (starts) => {
        const entries = starts.map((startMs, index) => entry({ uid: `${index}`, startMs, endMs: startMs + 3_600_000 }));
        const times = entries.map(({ startMs, endMs }) => [startMs, endMs]);
        const text = write({ entries });
        expect(read(text).events.map(({ startMs, endMs }) => [startMs, endMs])).toEqual(times);
        expect(timesIn(text)).toEqual(times);
      }),
    );
  });

  it('writes times in UTC and no zone, however far its events are apart', () => {
    const entries = [entry(), entry({ startMs: Date.parse('9998-01-01'), endMs: Date.parse('9998-01-02') })];
    const tookMs = () => {
      const beganAt = performance.now();
      write({ entries });
      return performance.now() - beganAt;
    };
    // Other load may delay some of these.
    expect(Math.min(...Array.from({ length: 5 }, tookMs))).toBeLessThan(50);
    const text = write({ entries });
    expect(text).toContain('\r\nDTSTART:20270301T150000Z\r\nDTEND:20270301T153000Z\r\n');
    expect(text).not.toMatch(/TZID|VTIMEZONE/);
  });

  it('keeps any text in its property, on lines of at most 75 octets', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (summary) => {
        const text = write({ name: summary, entries: [entry({ summary })] });
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
    const { events } = read(write({ entries: [entry({ summary, attendee, location: summary })] }));
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
    const text = write({
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
    const { calendar, events } = read(write({ entries: [] }));
    expect(events).toEqual([]);
    expect(calendar.getAllSubcomponents()).toHaveLength(1);
  });
});
