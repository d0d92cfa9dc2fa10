import type { CreateLessonBody, Lesson, UpdateLessonBody } from '@swim/sdk';
import { type TeachingValues, teachingOf, teachingValuesOf } from '../../design/teaching/teaching.ts';
import { instantAt, type WallClock, wallClockAt } from '../../design/values/wall-clock.ts';

/** The fields of the form of a lesson, as typed; its time is by the clock of the instructor. */
export interface LessonValues extends WallClock, TeachingValues {
  readonly bookable: boolean;
  readonly outsideHours: boolean;
}

/** What decides how the values of a form are read. */
interface Reading {
  readonly timeZone: string;
  readonly currency: string;
}

/** The body of a request for the form; null while it is not complete. */
export function bodyOf(values: LessonValues, { timeZone, currency }: Reading): CreateLessonBody | null {
  const date = instantAt(values, timeZone);
  const teaching = teachingOf(values, currency);
  if (date === null || teaching === null) return null;
  return { ...teaching, date, bookable: values.bookable, ...(values.outsideHours && { outside_hours: true }) };
}

/** The form of a lesson as it is. */
export const valuesOf = (lesson: Lesson, timeZone: string): LessonValues => ({
  ...teachingValuesOf(lesson),
  ...wallClockAt(lesson.date, timeZone),
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
