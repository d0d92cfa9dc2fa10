import { describe, expect, it } from '@jest/globals';
import { type CalendarDescription, LOCALES } from '@swim/contracts';
import type { CalendarLesson } from '../sessions/reading/lesson-times.service.js';
import { entriesOf, titleOf } from './feed.rules.js';

const lesson = (id: string, changes: Partial<CalendarLesson> = {}): CalendarLesson => ({
  _id: id,
  instructorId: 'ins_1',
  start: new Date('2027-03-01T15:00:00Z'),
  end: new Date('2027-03-01T15:30:00Z'),
  location: null,
  status: 'scheduled',
  version: 1,
  updatedAt: new Date('2027-01-01T00:00:00Z'),
  ...changes,
});
const description: CalendarDescription = {
  locale: 'en',
  instructors: [{ id: 'ins_1', name: 'Ines' }],
};
const places = new Map([['pool_1', 'Baths, Uferweg 1']]);
const entryOf = (instructorId: string | null, changes: Partial<CalendarLesson> = {}) =>
  entriesOf([lesson('ses_1', changes)], { description, places, instructorId })[0];

describe('the entry of a lesson', () => {
  it('names the instructor in a feed of a member, and nobody in a feed of an instructor', () => {
    expect(entryOf(null)).toMatchObject({ summary: 'Swimming lesson with Ines' });
    expect(entryOf('ins_1')).toMatchObject({ summary: 'Swimming lesson' });
  });

  it('counts the places taken in a feed of an instructor', () => {
    expect(entryOf('ins_1', { places: { taken: 2, capacity: 6 } })).toMatchObject({ summary: 'Swimming lesson (2/6)' });
  });

  it('names nobody where the instructor no longer exists', () => {
    expect(entryOf(null, { instructorId: 'ins_2' })).toMatchObject({ summary: 'Swimming lesson' });
  });

  it('has the place of a pool that exists, and no other', () => {
    const at = (pool_id: string | null) => ({ location: { type: 'pool' as const, pool_id } });
    expect(entryOf(null, at('pool_1'))?.location).toBe('Baths, Uferweg 1');
    expect(entryOf(null, at('pool_2'))?.location).toBeUndefined();
    expect(entryOf(null)?.location).toBeUndefined();
  });

  it('counts its changes, and marks a cancelled one', () => {
    expect(entryOf(null)).toMatchObject({ uid: 'ses_1', sequence: 0, isCancelled: false });
    const cancelled = { sequence: 3, isCancelled: true, summary: 'Cancelled: Swimming lesson with Ines' };
    expect(entryOf(null, { version: 4, status: 'cancelled' })).toMatchObject(cancelled);
  });

  it('has texts in every language', () => {
    const named = (
      locale: (typeof LOCALES)[number],
      instructorId: string | null,
      status: 'scheduled' | 'cancelled' = 'scheduled',
    ) =>
      entriesOf([lesson('ses_1', { status })], { description: { ...description, locale }, places, instructorId })[0]!
        .summary;
    for (const locale of LOCALES) {
      expect(titleOf(locale)).not.toBe('');
      expect(named(locale, null)).toMatch(/^.+ Ines$/);
      expect(named(locale, 'ins_1')).not.toContain('Ines');
      expect(named(locale, null, 'cancelled')).toMatch(new RegExp(`^.+: ${named(locale, null)}$`));
    }
    expect(new Set(LOCALES.map((locale) => named(locale, null))).size).toBe(LOCALES.length);
  });
});
