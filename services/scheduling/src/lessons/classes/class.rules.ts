import {
  type ClassRecurrence,
  type Expansion,
  expand,
  type ParsedOf,
  type RecurrenceRejection,
  searchWordsOf,
  unrepresentable,
  type updateClass,
  type updateLesson,
} from '@swim/contracts';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import type { ClassDocument, ClassFields } from './class.schema.js';

/** A requested partial update. */
export type ClassChanges = ParsedOf<typeof updateClass>['changes'];
type LessonChanges = ParsedOf<typeof updateLesson>['changes'];
type RecurrenceChanges = NonNullable<ClassChanges['recurrence']>;

/** Why a class cannot be as requested, as an error of a field. */
export type ClassRejection = Pick<RecurrenceRejection, 'reason' | 'field' | 'message' | 'details' | 'bounds'>;

const OF_EXCEPT = 'recurrence.except.';

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A recurrence with its fields in one order, so that equal ones are the same text. */
export const ordered = ({
  start_local,
  timezone,
  weekdays,
  count,
  until,
  except,
}: ClassRecurrence): ClassRecurrence => ({
  start_local,
  timezone,
  weekdays,
  ...(count === undefined ? { until } : { count }),
  except,
});

/** The times of the lessons of a class. */
export const timesOf = ({
  recurrence,
  durationMinutes,
}: Pick<ClassFields, 'recurrence' | 'durationMinutes'>): Expansion | RecurrenceRejection =>
  expand({ ...recurrence, duration_minutes: durationMinutes });

/** What to tell about its dates on which the clocks change. */
export function clockWarningsOf(fields: Pick<ClassFields, 'recurrence' | 'durationMinutes'>): Expansion['warnings'] {
  const times = timesOf(fields);
  return 'reason' in times ? [] : times.warnings;
}

/** The recurrence after a change of some of its fields. Exceptions that are dates of it no longer go, unless they were sent. */
function mergedRecurrence(
  { count, until, ...now }: ClassRecurrence,
  changes: RecurrenceChanges,
  durationMinutes: number,
): ClassRecurrence {
  const hasEnd = changes.count !== undefined || changes.until !== undefined;
  const end = hasEnd ? {} : count === undefined ? { until } : { count };
  const merged = { ...now, ...end, ...changes } as ClassRecurrence;
  if (changes.except) return ordered(merged);
  for (let { except } = merged; ; ) {
    const times = timesOf({ recurrence: { ...merged, except }, durationMinutes });
    if (!('reason' in times) || !times.field.startsWith(OF_EXCEPT)) return ordered({ ...merged, except });
    const index = Number(times.field.slice(OF_EXCEPT.length));
    except = except.filter((_, at) => at !== index);
  }
}

/** What is to be stored for changes of fields that it can have: those that differ, in the spelling of the document. */
export function differingFields(now: ClassFields, changes: ClassChanges): Partial<ClassFields> {
  const durationMinutes = changes.duration_minutes ?? now.durationMinutes;
  const requested: Partial<Record<keyof ClassFields, unknown>> = {
    name: changes.name,
    description: changes.description,
    instructorId: changes.instructor_id,
    location: changes.location,
    recurrence: changes.recurrence && mergedRecurrence(now.recurrence, changes.recurrence, durationMinutes),
    durationMinutes: changes.duration_minutes,
    capacity: changes.capacity,
    levels: changes.levels,
    minAgeYears: changes.min_age_years,
    maxAgeYears: changes.max_age_years,
    priceCents: changes.price_cents,
  };
  const differs = ([field, value]: [string, unknown]) =>
    value !== undefined && !same(value, now[field as keyof ClassFields]);
  return Object.fromEntries(Object.entries(requested).filter(differs));
}

/** The fields that follow from these. */
export const derivedFrom = ({ name }: Partial<ClassFields>): Partial<ClassDocument> =>
  name === undefined ? {} : { searchWords: searchWordsOf(name) };

/** Why a class cannot have these fields; null when it can. */
export function classRejection(fields: ClassFields): ClassRejection | null {
  const { minAgeYears, maxAgeYears, priceCents, currency } = fields;
  if (minAgeYears !== null && maxAgeYears !== null && minAgeYears > maxAgeYears)
    return { reason: 'range_reversed', field: 'max_age_years', bounds: { expected: 'not below min_age_years' } };
  const times = timesOf(fields);
  return 'reason' in times ? times : unrepresentable('price_cents', priceCents, currency);
}

/** The fields that a lesson has from its class, in the spelling of the API; its time follows from the recurrence. */
export const OF_CLASS = {
  durationMinutes: 'duration_minutes',
  instructorId: 'instructor_id',
  location: 'location',
  capacity: 'capacity',
  levels: 'levels',
  minAgeYears: 'min_age_years',
  maxAgeYears: 'max_age_years',
  priceCents: 'price_cents',
} as const;
const FOLLOWED = { recurrence: 'date', ...OF_CLASS } as const;
type Followed = keyof typeof FOLLOWED;

/** Those of these fields that the lessons of a class follow. */
export const followedFields = (set: Partial<ClassFields>): Followed[] =>
  (Object.keys(FOLLOWED) as Followed[]).filter((field) => set[field] !== undefined);

/** The first field of a recurrence that is fixed once a class was opened, and differs; null without one. */
export function fixedField(now: ClassRecurrence, then: ClassRecurrence): string | null {
  const days = ({ weekdays }: ClassRecurrence) => [...weekdays].sort().join();
  if (days(now) !== days(then)) return 'recurrence.weekdays';
  if (now.timezone !== then.timezone) return 'recurrence.timezone';
  const isSameDate = now.start_local.slice(0, 10) === then.start_local.slice(0, 10);
  return isSameDate ? null : 'recurrence.start_local';
}

/** A lesson of a class, as far as it follows it. */
type FollowingLesson = Pick<LessonDocument, Exclude<Followed, 'recurrence'> | 'start' | 'ownFields'>;

/** What changes of a lesson that follows these fields of its class, but for those that were changed on the lesson itself. */
export function changesFor(
  lesson: FollowingLesson,
  fields: Omit<ClassFields, 'recurrence'> & { start: Date },
  followed: readonly (keyof ClassFields)[],
): LessonChanges {
  const changes = followed.flatMap((field): [string, unknown][] => {
    const name = FOLLOWED[field as Followed];
    const [now, then] =
      field === 'recurrence' ? [lesson.start, fields.start] : [lesson[field as never], fields[field as never]];
    return same(now, then) || lesson.ownFields?.includes(name)
      ? []
      : [[name, field === 'recurrence' ? fields.start.toISOString() : then]];
  });
  return Object.fromEntries(changes);
}
