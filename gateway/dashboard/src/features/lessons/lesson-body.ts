import type { CreateLessonBody, Lesson, SwimmingLevel, UpdateLessonBody } from '@swim/sdk';
import { wholeOf } from '../../design/fields/whole-number.ts';
import { amountText, centsOf } from '../../design/values/amount.ts';
import { instantAt, type WallClock, wallClockAt } from '../../design/values/wall-clock.ts';

/** The fields of the form of a lesson, as typed; its time is by the clock of the instructor. */
export interface LessonValues extends WallClock {
  readonly instructor: string;
  readonly minutes: string;
  /** Empty for the first pool of the instructor. */
  readonly pool: string;
  readonly capacity: string;
  readonly levels: readonly SwimmingLevel[];
  /** Empty for no limit. */
  readonly minAge: string;
  readonly maxAge: string;
  readonly price: string;
  readonly bookable: boolean;
  readonly outsideHours: boolean;
}

/** What decides how the values of a form are read. */
interface Reading {
  readonly timeZone: string;
  readonly currency: string;
}

const ageOf = (text: string): number | null => (text.trim() === '' ? null : (wholeOf(text) ?? Number.NaN));

/** The body of a request for the form; null while it is not complete. */
export function bodyOf(values: LessonValues, { timeZone, currency }: Reading): CreateLessonBody | null {
  const date = instantAt(values, timeZone);
  const [minutes, capacity, cents] = [
    wholeOf(values.minutes),
    wholeOf(values.capacity),
    centsOf(values.price, currency),
  ];
  const [youngest, oldest] = [ageOf(values.minAge), ageOf(values.maxAge)];
  if (!values.instructor || date === null || minutes === null || capacity === null || cents === null) return null;
  if (Number.isNaN(youngest) || Number.isNaN(oldest)) return null;
  return {
    instructor_id: values.instructor,
    date,
    duration_minutes: minutes,
    ...(values.pool && { location: { type: 'pool', pool_id: values.pool } }),
    capacity,
    levels: [...values.levels],
    min_age_years: youngest,
    max_age_years: oldest,
    price_cents: cents,
    bookable: values.bookable,
    ...(values.outsideHours && { outside_hours: true }),
  };
}

/** The form of a lesson as it is. */
export const valuesOf = (lesson: Lesson, timeZone: string): LessonValues => ({
  instructor: lesson.instructor_id,
  ...wallClockAt(lesson.date, timeZone),
  minutes: String(lesson.duration_minutes),
  pool: lesson.location?.pool_id ?? '',
  capacity: String(lesson.capacity),
  levels: lesson.levels,
  minAge: lesson.min_age_years?.toString() ?? '',
  maxAge: lesson.max_age_years?.toString() ?? '',
  price: amountText(lesson.price_cents, lesson.currency),
  bookable: lesson.bookable,
  outsideHours: false,
});

/** What a form changes of a lesson; null while it is not complete or changes nothing. */
export function changesOf(lesson: Lesson, values: LessonValues, reading: Reading): UpdateLessonBody | null {
  const next = bodyOf(values, reading);
  if (next === null) return null;
  const { outside_hours: outside, ...fields } = next;
  const before: Readonly<Record<string, unknown>> = { ...lesson };
  const changed = Object.entries(fields).filter(([name, value]) =>
    name === 'location'
      ? values.pool !== (lesson.location?.pool_id ?? '')
      : JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  if (changed.length === 0) return null;
  return { ...Object.fromEntries(changed), version: lesson.version, ...(outside && { outside_hours: true }) };
}
