import type { CreateClassBody, SwimClass, UpdateClassBody } from '@swim/sdk';
import { wholeOf } from '../../design/fields/whole-number.ts';
import { type TeachingValues, teachingOf, teachingValuesOf } from '../../design/teaching/teaching.ts';
import type { WallClock } from '../../design/values/wall-clock.ts';
import type { Weekday } from '../../design/values/weekday.ts';
import { datesOf, MOST_DATES } from './class-dates.ts';

/** The fields of the form of a class, as typed: its first date and time are by the clock of the instructor. */
export interface ClassValues extends WallClock, TeachingValues {
  readonly name: string;
  readonly description: string;
  readonly weekdays: readonly Weekday[];
  /** How many dates, those that are left out included. */
  readonly count: string;
  readonly except: readonly string[];
  readonly outsideHours: boolean;
}

/** What decides how the values of a form are read. */
interface Reading {
  readonly timeZone: string;
  readonly currency: string;
}

/** When the lessons of a form are; null while that is not complete. */
export function recurrenceOf({ date, time, weekdays, count, except }: ClassValues, timezone: string) {
  const dates = wholeOf(count);
  if (!date || !time || weekdays.length === 0 || dates === null || dates < 1 || dates > MOST_DATES) return null;
  const rule = { start_local: `${date}T${time}`, timezone, weekdays: [...weekdays], count: dates };
  const known = datesOf(rule);
  return { ...rule, except: except.filter((each) => known.includes(each)).toSorted() };
}

/** The body of a request for the form; null while it is not complete. */
export function bodyOf(values: ClassValues, { timeZone, currency }: Reading): CreateClassBody | null {
  const recurrence = recurrenceOf(values, timeZone);
  const teaching = teachingOf(values, currency);
  if (!values.name.trim() || recurrence === null || teaching === null) return null;
  return { ...teaching, name: values.name.trim(), description: values.description.trim() || null, recurrence };
}

/** The form of a class as it is. */
export function valuesOf(stored: SwimClass): ClassValues {
  const { start_local: start, weekdays, except } = stored.recurrence;
  return {
    ...teachingValuesOf(stored),
    name: stored.name,
    description: stored.description ?? '',
    date: start.slice(0, 10),
    time: start.slice(11),
    weekdays,
    count: String(datesOf(stored.recurrence).length),
    except,
    outsideHours: false,
  };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What a form changes of a class; null while it is not complete or changes nothing. */
export function changesOf(stored: SwimClass, values: ClassValues): UpdateClassBody | null {
  const { timezone: timeZone, until: _, ...rule } = stored.recurrence;
  const next = bodyOf(values, { timeZone, currency: stored.currency });
  if (next === null) return null;
  const { recurrence, location, ...fields } = next;
  const before: Readonly<Record<string, unknown>> = { ...stored };
  const rules: Readonly<Record<string, unknown>> = {
    ...rule,
    timezone: timeZone,
    count: datesOf(stored.recurrence).length,
  };
  const changedOf = (all: object, known: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(all).filter(([name, value]) => !isSame(value, known[name])));
  const dates = changedOf(recurrence, rules);
  const changes = {
    ...changedOf(fields, before),
    ...(location && values.pool !== (stored.location?.pool_id ?? '') ? { location } : {}),
    ...(Object.keys(dates).length > 0 ? { recurrence: dates } : {}),
  };
  if (Object.keys(changes).length === 0) return null;
  return { ...changes, version: stored.version, ...(values.outsideHours ? { outside_hours: true } : {}) };
}
