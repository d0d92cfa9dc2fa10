import type { ELIGIBILITY_RULES, PlacedMember, TeachingRules } from '@swim/contracts';
import { Temporal } from 'temporal-polyfill';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';

type Fitting = Pick<LessonDocument, 'levels' | 'minAgeYears' | 'maxAgeYears' | 'start'>;
type Rule = (typeof ELIGIBILITY_RULES)[number];

/** The age in whole years on the date of an instant in a zone. */
export function ageOn(dateOfBirth: string, at: Date, timezone: string): number {
  const date = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDate();
  return Temporal.PlainDate.from(dateOfBirth).until(date, { largestUnit: 'years' }).years;
}

/** The requirement of a lesson that a member does not meet; null when the lesson fits. A lesson without levels or ages fits each. */
export function unfitFor(lesson: Fitting, member: PlacedMember, timezone: string): Rule | null {
  if (lesson.levels.length > 0 && !lesson.levels.includes(member.level)) return 'level';
  if (lesson.minAgeYears === null && lesson.maxAgeYears === null) return null;
  const age = ageOn(member.dateOfBirth, lesson.start, timezone);
  if (lesson.minAgeYears !== null && age < lesson.minAgeYears) return 'min_age';
  return lesson.maxAgeYears !== null && age > lesson.maxAgeYears ? 'max_age' : null;
}

/** What keeps a family from places in a lesson: they are booked too late, or it does not fit one of the members. */
export type PlaceRejection =
  | { reason: 'outside_availability'; offer: { rule: 'notice'; opensAtMs: number } }
  | { reason: 'not_eligible'; memberId: string; rule: Rule };

/** By which a family is bound: the schedule of the instructor, the zone of the lesson, and the time. */
export interface PlaceRules {
  schedule: Pick<TeachingRules['schedule'], 'minimum_notice_minutes'>;
  timezone: string;
  nowMs: number;
}

/** What keeps a family from places in a lesson for these members; null when nothing does, but that others may have taken them. */
export function placeRejection(
  lesson: Fitting,
  members: readonly PlacedMember[],
  { schedule, timezone, nowMs }: PlaceRules,
): PlaceRejection | null {
  const opensAtMs = nowMs + schedule.minimum_notice_minutes * 60_000;
  if (lesson.start.getTime() < opensAtMs)
    return { reason: 'outside_availability', offer: { rule: 'notice', opensAtMs } };
  for (const member of members) {
    const rule = unfitFor(lesson, member, timezone);
    if (rule) return { reason: 'not_eligible', memberId: member.id, rule };
  }
  return null;
}
