import { isDeepStrictEqual } from 'node:util';
import { type Location, type ParsedOf, unrepresentable, type updateLesson } from '@swim/contracts';
import { PUBLIC } from '@swim/mongo';
import { AppError, invalidState, staleVersion } from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { OF_CLASS } from '../lessons/classes/class.rules.js';

/** A requested partial update. */
export type LessonChanges = Omit<ParsedOf<typeof updateLesson>['changes'], 'notify_participants'>;

/** Where and when a lesson takes place. */
export interface LessonTarget {
  instructorId: string;
  startMs: number;
  endMs: number;
  location: Location | null;
}

/** Where and when a lesson would take place after the changes. */
export function targetOf(lesson: LessonDocument, changes: LessonChanges): LessonTarget {
  const startMs = changes.date ? Date.parse(changes.date) : lesson.start.getTime();
  return {
    instructorId: changes.instructor_id ?? lesson.instructorId,
    startMs,
    endMs: startMs + (changes.duration_minutes ?? lesson.durationMinutes) * 60_000,
    location: changes.location === undefined ? lesson.location : changes.location,
  };
}

/** The instructor whose lessons of a time somebody else takes over. */
export interface Taught {
  instructorId: string;
  from: Date;
  to: Date;
}

/** Throws where the school has given the lesson to another instructor, or moved it out of that time. */
export function assertTaught({ instructorId, start, end, status }: LessonDocument, taught: Taught): void {
  if (instructorId !== taught.instructorId || start >= taught.to || end <= taught.from)
    throw invalidState('Only a lesson of that instructor within that time can be handed over', status);
}

/** Whether time or instructor change: then the event is `lesson.rescheduled`. */
export const isRescheduled = (
  { instructorId, start, end }: LessonDocument,
  to: Pick<LessonTarget, 'instructorId' | 'startMs' | 'endMs'>,
): boolean => to.instructorId !== instructorId || to.startMs !== start.getTime() || to.endMs !== end.getTime();

/** Whether the sessions of the lesson have to follow. */
export const isMove = (lesson: LessonDocument, to: LessonTarget): boolean =>
  isRescheduled(lesson, to) || !isDeepStrictEqual(to.location, lesson.location);

/** The fields of a lesson that differ, but for those of a move. */
export function differing(now: LessonDocument, changes: LessonChanges): Partial<LessonDocument> {
  const { bookable } = changes;
  const requested: Partial<Record<keyof LessonDocument, unknown>> = {
    capacity: changes.capacity,
    levels: changes.levels,
    minAgeYears: changes.min_age_years,
    maxAgeYears: changes.max_age_years,
    priceCents: changes.price_cents,
    bookable,
  };
  const differs = ([field, value]: [string, unknown]) =>
    value !== undefined && !isDeepStrictEqual(value, now[field as keyof LessonDocument]);
  const set: Partial<LessonDocument> = Object.fromEntries(Object.entries(requested).filter(differs));
  if (set.bookable === undefined) return set;
  const others = now.readers.filter((reader) => reader !== PUBLIC);
  return { ...set, readers: bookable ? [...others, PUBLIC] : others };
}

/** Throws where the changes cannot be made to the lesson as it is. */
export function assertChangeable(now: LessonDocument, changes: LessonChanges): void {
  const { version, capacity, price_cents } = changes;
  if (version !== undefined && version !== now.version) throw staleVersion(version, now.version);
  if (now.status !== 'scheduled') throw invalidState('Only a scheduled lesson can be changed', now.status);
  const set = differing(now, changes);
  const [field] = Object.keys(changes).filter((name) => set[FIELDS[name as keyof typeof FIELDS]] !== undefined);
  if (now.isPrivate && field) throw new AppError('private_lesson', { field });
  const { minAgeYears, maxAgeYears } = { ...now, ...set };
  if (minAgeYears !== null && maxAgeYears !== null && minAgeYears > maxAgeYears)
    throw new AppError('range_reversed', {
      field: 'max_age_years',
      bounds: { expected: 'not below min_age_years' },
    });
  const rejection = price_cents === undefined ? null : unrepresentable('price_cents', price_cents, now.currency);
  if (rejection) throw new AppError(rejection.reason, rejection);
  if (capacity !== undefined && capacity < now.busy.length)
    throw new AppError('capacity_below_taken', { field: 'capacity', details: { places_taken: now.busy.length } });
}

/** The fields of a lesson that follow its class, unless they were changed on the lesson itself. */
const FOLLOWING = { start: 'date', ...OF_CLASS } as const;

/** What a lesson of a class records of a change: the work on its class that makes it, or the fields that are its own from then on. */
export function classMark(
  now: LessonDocument,
  set: Partial<LessonDocument>,
  classSeed: string | undefined,
): Partial<LessonDocument> {
  if (!now.classId) return {};
  if (classSeed) return { classSeed };
  const fields = Object.keys(FOLLOWING) as (keyof typeof FOLLOWING)[];
  const own = fields.filter((field) => field in set && !isDeepStrictEqual(set[field], now[field]));
  const named = own.map((field) => FOLLOWING[field]);
  return own.length === 0 ? {} : { ownFields: [...new Set([...(now.ownFields ?? []), ...named])] };
}

const FIELDS = {
  capacity: 'capacity',
  levels: 'levels',
  min_age_years: 'minAgeYears',
  max_age_years: 'maxAgeYears',
  price_cents: 'priceCents',
  bookable: 'bookable',
} as const;
