import { between, type Filter } from '@swim/mongo';
import mongoose from 'mongoose';

/** Which lessons a list has. */
export interface LessonFilters {
  date_from?: string | undefined;
  date_to?: string | undefined;
  instructor_id?: string | undefined;
  account_id?: string | undefined;
  class_id?: string | undefined;
  pool_id?: string | undefined;
  level?: string | undefined;
  age_years?: number | undefined;
  bookable?: boolean | undefined;
  has_places?: boolean | undefined;
}

/** Lessons in which a place is free and can be taken. */
export const withPlaces = (now: Date): Filter => ({
  status: 'scheduled',
  keptAt: null,
  'closed.0': mongoose.trusted({ $exists: false }),
  $expr: mongoose.trusted({
    $and: [
      { $lt: [{ $size: '$busy' }, '$capacity'] },
      { $gt: [{ $subtract: ['$start', { $ifNull: ['$clockOffsetMs', 0] }] }, now] },
    ],
  }),
});

/** Lessons without levels or ages fit each. One that has begun has no places, by the clock of its school. */
export function toFilter(
  { date_from, date_to, instructor_id, account_id, class_id, pool_id, ...query }: LessonFilters,
  now: Date,
): Filter {
  const { level, age_years, bookable, has_places } = query;
  const hasPlaces = withPlaces(now);
  const conditions: object[] = [
    ...(level === undefined ? [] : [{ $or: [{ levels: mongoose.trusted({ $size: 0 }) }, { levels: level }] }]),
    ...(age_years === undefined ? [] : fittingAge(age_years)),
    ...(has_places === undefined ? [] : [has_places ? hasPlaces : { $nor: [hasPlaces] }]),
  ];
  return {
    ...between('start', date_from, date_to),
    ...(instructor_id === undefined ? {} : { instructorId: instructor_id }),
    ...(account_id === undefined ? {} : { schoolId: account_id }),
    ...(class_id === undefined ? {} : { classId: class_id }),
    ...(pool_id === undefined ? {} : { 'location.pool_id': pool_id }),
    ...(bookable === undefined ? {} : { bookable }),
    ...(conditions.length === 0 ? {} : { $and: conditions }),
  };
}

const fittingAge = (years: number): object[] => [
  { $or: [{ minAgeYears: null }, { minAgeYears: mongoose.trusted({ $lte: years }) }] },
  { $or: [{ maxAgeYears: null }, { maxAgeYears: mongoose.trusted({ $gte: years }) }] },
];
