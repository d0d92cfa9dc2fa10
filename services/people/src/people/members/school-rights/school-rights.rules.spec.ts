import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  concernsRights,
  type LessonTerm,
  rightsAfter,
  rightsAfterChange,
  rightsAfterLast,
  type SchoolRight,
  shortenedBy,
} from './school-rights.rules.js';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const onDay = (day: number) => new Date(day * DAY_MS);

const aLesson = (day: number, status: LessonTerm['status'] = 'scheduled', schoolId: string | null = 'school') => ({
  schoolId,
  endsAt: onDay(day),
  status,
});
const untilDay = (day: number): SchoolRight[] => [{ id: 'school', until: new Date(day * DAY_MS + YEAR_MS) }];

describe('a right after one lesson changed', () => {
  it.each([
    ['extends with a later new lesson', 5, null, aLesson(9), 9],
    ['stays with an earlier new lesson', 5, null, aLesson(3), 5],
    ['stays when an earlier lesson is cancelled', 5, aLesson(3), aLesson(3, 'cancelled'), 5],
    ['stays when the last lesson is completed', 5, aLesson(5), aLesson(5, 'completed'), 5],
    ['extends when the last lesson is moved to a later day', 5, aLesson(5), aLesson(9), 9],
    ['extends when an earlier lesson is moved past it', 5, aLesson(3), aLesson(9), 9],
  ])('%s', (_, until, before, after, expected) => {
    expect(rightsAfterChange(untilDay(until), { before, after })).toEqual(untilDay(expected));
  });

  it.each([
    ['the last lesson is cancelled', aLesson(5), aLesson(5, 'cancelled')],
    ['the last lesson is moved to an earlier day', aLesson(5), aLesson(3)],
    ['the lesson was that of no school', aLesson(3, 'scheduled', null), aLesson(3)],
    ['the school is new to the member', null, aLesson(9, 'scheduled', 'other')],
  ])('depends on other lessons when %s', (_, before, after) => {
    expect(rightsAfterChange(untilDay(5), { before, after })).toBeNull();
  });

  it.each([
    ['was cancelled', aLesson(5), aLesson(5, 'cancelled'), { schoolId: 'school', formerEnd: onDay(5) }],
    ['was moved to an earlier day', aLesson(5), aLesson(3), { schoolId: 'school', formerEnd: onDay(5) }],
    ['was moved to a later day', aLesson(3), aLesson(5), null],
    ['is new', null, aLesson(5), null],
    ['is with another school', aLesson(5, 'scheduled', 'other'), aLesson(3, 'scheduled', 'other'), null],
  ])('the lesson that a change has shortened, when it %s', (_, before, after, expected) => {
    expect(shortenedBy(untilDay(5), { before, after })).toEqual(expected);
  });

  it('does not depend on a lesson with an instructor of the member’s own account', () => {
    const after = aLesson(9, 'scheduled', null);
    expect(rightsAfterChange(untilDay(5), { before: null, after })).toEqual(untilDay(5));
  });
});

const status = fc.constantFrom<LessonTerm['status']>('scheduled', 'completed', 'cancelled');
const term = fc
  .record({ day: fc.nat(4), status, schoolId: fc.constantFrom('a', 'b', null) })
  .map(({ day, ...rest }) => ({ ...rest, endsAt: onDay(day) }));
const history = fc.array(fc.record({ lesson: fc.nat(3), after: term }), { maxLength: 12 });

/** The rights by all lessons. */
function computed(lessons: readonly LessonTerm[], known: readonly SchoolRight[]): SchoolRight[] {
  const schools = new Set(lessons.flatMap(({ schoolId }) => schoolId ?? []));
  return rightsAfter(
    [...schools].map((schoolId) => ({ schoolId, endsAt: lastEndOf(lessons, schoolId) })),
    known,
  );
}

function lastEndOf(lessons: readonly LessonTerm[], school: string): Date | null {
  const taking = lessons.filter(({ schoolId, status }) => schoolId === school && status !== 'cancelled');
  const ends = taking.map(({ endsAt }) => endsAt!.getTime());
  return ends.length === 0 ? null : new Date(Math.max(...ends));
}

const sorted = (rights: readonly SchoolRight[]) => rights.toSorted((a, b) => (a.id < b.id ? -1 : 1));

it('a right that follows one changed lesson is the one computed from all lessons, for any history', () => {
  fc.assert(
    fc.property(history, (changes) => {
      const lessons = new Map<number, ReturnType<typeof aLesson>>();
      let rights: SchoolRight[] = [];
      for (const { lesson, after } of changes) {
        const change = { before: lessons.get(lesson) ?? null, after };
        lessons.set(lesson, after);
        const all = computed([...lessons.values()], rights);
        if (!concernsRights(change)) expect(sorted(all)).toEqual(sorted(rights));
        const changed = rightsAfterChange(rights, change);
        if (changed) expect(sorted(changed)).toEqual(sorted(all));
        const shortened = shortenedBy(rights, change);
        if (!changed && shortened) {
          const { schoolId, formerEnd } = shortened;
          const upTo = [...lessons.values()].filter(({ endsAt }) => endsAt <= formerEnd);
          const last = { schoolId, endsAt: lastEndOf(upTo, schoolId) };
          expect(sorted(rightsAfterLast(rights, last))).toEqual(sorted(all));
        }
        rights = all;
      }
    }),
  );
});
