import type { CalendarDescription, Locale } from '@swim/contracts';
import type { CalendarEntry } from '@swim/platform/icalendar';
import type { CalendarLesson } from '../sessions/lesson-times.service.js';

/** The texts of a feed in one language. */
interface FeedTexts {
  calendar: string;
  lesson: string;
  lessonWith(instructor: string): string;
}

const TEXTS: Readonly<Record<Locale, FeedTexts>> = {
  en: {
    calendar: 'Swimming lessons',
    lesson: 'Swimming lesson',
    lessonWith: (instructor) => `Swimming lesson with ${instructor}`,
  },
  de: {
    calendar: 'Schwimmstunden',
    lesson: 'Schwimmstunde',
    lessonWith: (instructor) => `Schwimmstunde mit ${instructor}`,
  },
  es: {
    calendar: 'Clases de natación',
    lesson: 'Clase de natación',
    lessonWith: (instructor) => `Clase de natación con ${instructor}`,
  },
  fr: {
    calendar: 'Cours de natation',
    lesson: 'Cours de natation',
    lessonWith: (instructor) => `Cours de natation avec ${instructor}`,
  },
};

/** The title of a feed. */
export const titleOf = (locale: Locale): string => TEXTS[locale].calendar;

/** What the entries of a feed are written from. */
export interface FeedSource {
  description: CalendarDescription;
  /** Name and address of pools by their ids. */
  places: ReadonlyMap<string, string>;
  /** The instructor of the feed; null in the feed of a member. */
  instructorId: string | null;
}

/**
 * The entries of lessons, in their order. A member's name the instructor, in the zone of the account; an instructor's name
 * nobody, in the zone of the instructor: a feed is read by programs and services that the account does not control.
 */
export function entriesOf(
  lessons: readonly CalendarLesson[],
  { description: { locale, timezone, instructors }, places, instructorId }: FeedSource,
): CalendarEntry[] {
  const byId = new Map(instructors.map((instructor) => [instructor.id, instructor]));
  const own = instructorId === null ? undefined : byId.get(instructorId);
  return lessons.map((lesson): CalendarEntry => {
    const instructor = byId.get(lesson.instructorId);
    const isNamed = instructorId === null && instructor !== undefined;
    return {
      uid: lesson._id,
      sequence: lesson.version - 1,
      startMs: lesson.start.getTime(),
      endMs: lesson.end.getTime(),
      timezone: own?.timezone ?? timezone,
      changedAtMs: lesson.updatedAt.getTime(),
      summary: isNamed ? TEXTS[locale].lessonWith(instructor.name) : TEXTS[locale].lesson,
      location: places.get(lesson.location?.pool_id ?? ''),
      isCancelled: lesson.status === 'cancelled',
    };
  });
}

/**
 * The lessons of an instructor, with one of those that the members of a booking have together: the first of them that is not
 * cancelled. Cancelled ones stay, since calendars may have their entries.
 */
export function withoutCompanions(lessons: readonly CalendarLesson[]): CalendarLesson[] {
  const first = new Map<string, CalendarLesson>();
  for (const lesson of lessons) {
    if (lesson.bookingId === null || lesson.status === 'cancelled') continue;
    const together = groupOf(lesson);
    const known = first.get(together);
    if (!known || lesson._id < known._id) first.set(together, lesson);
  }
  return lessons.filter(
    (lesson) =>
      lesson.bookingId === null || lesson.status === 'cancelled' || first.get(groupOf(lesson))!._id === lesson._id,
  );
}

const groupOf = ({ bookingId, start, end }: CalendarLesson): string =>
  `${bookingId} ${start.getTime()} ${end.getTime()}`;
