import type { Lesson, SwimmingLevel } from '@swim/sdk';
import { wholeOf } from '../fields/whole-number.ts';
import { amountText, centsOf } from '../values/amount.ts';

/** The fields that the forms of a lesson and of a class have in common, as typed. */
export interface TeachingValues {
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
}

/** What most lessons are. */
export const USUAL_TEACHING: TeachingValues = {
  instructor: '',
  minutes: '45',
  pool: '',
  capacity: '6',
  levels: [],
  minAge: '',
  maxAge: '',
  price: '',
};

const ageOf = (text: string): number | null => (text.trim() === '' ? null : (wholeOf(text) ?? Number.NaN));

/** Their part of the body of a request; null while it is not complete. */
export function teachingOf(values: TeachingValues, currency: string) {
  const [minutes, capacity, cents] = [
    wholeOf(values.minutes),
    wholeOf(values.capacity),
    centsOf(values.price, currency),
  ];
  const [youngest, oldest] = [ageOf(values.minAge), ageOf(values.maxAge)];
  if (!values.instructor || minutes === null || capacity === null || cents === null) return null;
  if (Number.isNaN(youngest) || Number.isNaN(oldest)) return null;
  return {
    instructor_id: values.instructor,
    duration_minutes: minutes,
    ...(values.pool && { location: { type: 'pool' as const, pool_id: values.pool } }),
    capacity,
    levels: [...values.levels],
    min_age_years: youngest,
    max_age_years: oldest,
    price_cents: cents,
  };
}

type Taught = Pick<
  Lesson,
  | 'instructor_id'
  | 'duration_minutes'
  | 'location'
  | 'capacity'
  | 'levels'
  | 'min_age_years'
  | 'max_age_years'
  | 'price_cents'
  | 'currency'
>;

/** The form of what is stored. */
export const teachingValuesOf = (taught: Taught): TeachingValues => ({
  instructor: taught.instructor_id,
  minutes: String(taught.duration_minutes),
  pool: taught.location?.pool_id ?? '',
  capacity: String(taught.capacity),
  levels: taught.levels,
  minAge: taught.min_age_years?.toString() ?? '',
  maxAge: taught.max_age_years?.toString() ?? '',
  price: amountText(taught.price_cents, taught.currency),
});
