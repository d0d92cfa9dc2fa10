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
 * The entries of lessons, in their order. A member's name the instructor; an instructor's name nobody: a feed is read by
 * programs and services that the account does not control. Many of them show cancelled entries like all others.
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
    const summary = isNamed ? texts.lessonWith(instructor.name) : texts.lesson;
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

/**
 * The lessons of an instructor, with one for all members of a booking who have it together: it keeps the id of the first of them
 * when that one leaves, and is cancelled once all are. Cancelled ones stay, since calendars may have their entries.
 */
export const withoutCompanions = (lessons: readonly CalendarLesson[]): CalendarLesson[] =>
  [...Map.groupBy(lessons, groupOf).values()].map((group) => {
    const [first] = group.toSorted((a, b) => (a._id < b._id ? -1 : 1)) as [CalendarLesson];
    const { status, location } = group.find((lesson) => lesson.status !== 'cancelled') ?? first;
    const changes = group.reduce((sum, { version }) => sum + version - 1, 0);
    const updatedAt = new Date(Math.max(...group.map((lesson) => lesson.updatedAt.getTime())));
    return { ...first, status, location, version: changes + 1, updatedAt };
  });

const groupOf = ({ _id, bookingId, start, end }: CalendarLesson): string =>
  bookingId === null ? _id : `${bookingId} ${start.getTime()} ${end.getTime()}`;
