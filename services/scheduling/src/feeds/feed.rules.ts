import type { CalendarDescription, Locale } from '@swim/contracts';
import type { CalendarEntry } from '@swim/platform/icalendar';
import type { CalendarLesson } from '../sessions/reading/lesson-times.service.js';

/** The texts of a feed in one language. */
interface FeedTexts {
  calendar: string;
  lesson: string;
  lessonWith(instructor: string): string;
  cancelled(lesson: string): string;
}

const TEXTS: Readonly<Record<Locale, FeedTexts>> = {
  en: {
    calendar: 'Swimming lessons',
    lesson: 'Swimming lesson',
    lessonWith: (instructor) => `Swimming lesson with ${instructor}`,
    cancelled: (lesson) => `Cancelled: ${lesson}`,
  },
  de: {
    calendar: 'Schwimmstunden',
    lesson: 'Schwimmstunde',
    lessonWith: (instructor) => `Schwimmstunde mit ${instructor}`,
    cancelled: (lesson) => `Abgesagt: ${lesson}`,
  },
  es: {
    calendar: 'Clases de natación',
    lesson: 'Clase de natación',
    lessonWith: (instructor) => `Clase de natación con ${instructor}`,
    cancelled: (lesson) => `Cancelada: ${lesson}`,
  },
  fr: {
    calendar: 'Cours de natation',
    lesson: 'Cours de natation',
    lessonWith: (instructor) => `Cours de natation avec ${instructor}`,
    cancelled: (lesson) => `Annulé : ${lesson}`,
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
 * The entries of lessons, in their order. A member's name the instructor; an instructor's have the number of places taken, and
 * name nobody: a feed is read by programs and services that the account does not control. Many of them show cancelled entries like all others.
 */
export function entriesOf(
  lessons: readonly CalendarLesson[],
  { description: { locale, instructors }, places, instructorId }: FeedSource,
): CalendarEntry[] {
  const byId = new Map(instructors.map((instructor) => [instructor.id, instructor]));
  const texts = TEXTS[locale];
  return lessons.map((lesson): CalendarEntry => {
    const instructor = byId.get(lesson.instructorId);
    const isNamed = instructorId === null && instructor !== undefined;
    const taken = lesson.places ? ` (${lesson.places.taken}/${lesson.places.capacity})` : '';
    const summary = isNamed ? texts.lessonWith(instructor.name) : `${texts.lesson}${taken}`;
    const isCancelled = lesson.status === 'cancelled';
    return {
      uid: lesson._id,
      sequence: lesson.version - 1,
      startMs: lesson.start.getTime(),
      endMs: lesson.end.getTime(),
      changedAtMs: lesson.updatedAt.getTime(),
      summary: isCancelled ? texts.cancelled(summary) : summary,
      location: places.get(lesson.location?.pool_id ?? ''),
      isCancelled,
    };
  });
}
