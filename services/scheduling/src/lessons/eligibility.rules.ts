import type { ELIGIBILITY_RULES, PlacedMember } from '@swim/contracts';
import { Temporal } from 'temporal-polyfill';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';

type Fitting = Pick<LessonDocument, 'levels' | 'minAgeYears' | 'maxAgeYears' | 'start'>;
type Rule = (typeof ELIGIBILITY_RULES)[number];

/** The age in whole years on the date of an instant in a zone. */
export function ageOn(dateOfBirth: string, at: Date, timezone: string): number {
  const date = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDate();
  return Temporal.PlainDate.from(dateOfBirth).until(date, { largestUnit: 'years' }).years;
}

/** What of a lesson a member does not fit; null when the lesson fits. A lesson without levels or ages fits each. */
export function unfitFor(lesson: Fitting, member: PlacedMember, timezone: string): Rule | null {
  if (lesson.levels.length > 0 && !lesson.levels.includes(member.level)) return 'level';
  const age = ageOn(member.dateOfBirth, lesson.start, timezone);
  if (lesson.minAgeYears !== null && age < lesson.minAgeYears) return 'min_age';
  return lesson.maxAgeYears !== null && age > lesson.maxAgeYears ? 'max_age' : null;
}
