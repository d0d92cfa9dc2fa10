import { describe, expect, it } from '@jest/globals';
import { aSchedule } from '../../../test/availability/availability.samples.js';
import type { Span } from './availability.rules.js';
import { timesToOffer } from './offer.rules.js';

const at = (time: string): number => Date.parse(`2027-01-04T${time}Z`);
const span = (start: string, end: string): Span => ({ startMs: at(start), endMs: at(end) });
const DAILY = (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const).map((day) => ({
  day,
  start: '07:00',
  end: '14:00',
}));

/** The times of three hours that a lesson from 10:00 to 13:00 leaves. */
const offered = (memberBusy: Span[]) =>
  timesToOffer({
    schedule: aSchedule({ weekly: DAILY, slot_interval_minutes: 30 }),
    timezone: 'UTC',
    enforceAvailability: true,
    released: span('10:00', '13:00'),
    busy: [],
    memberBusy,
    fromUtc: at('00:00'),
    toUtc: at('23:00'),
    nowUtc: Date.parse('2027-01-01T00:00Z'),
    durationMinutes: 180,
  }).map(({ startMs }) => new Date(startMs).toISOString().slice(11, 16));

describe('times to offer of a released lesson', () => {
  it('are the lesson itself, then the regular slots that overlap it', () => {
    expect(offered([])).toEqual(['10:00', '07:30', '08:00']);
  });

  it('overlap no lesson of the member, before the released time or after its start', () => {
    expect(offered([span('08:00', '09:30'), span('12:30', '13:30')])).toEqual(['09:30']);
  });
});
