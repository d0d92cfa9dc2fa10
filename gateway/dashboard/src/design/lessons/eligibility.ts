import type { Lesson, SwimmingLevel } from '@swim/sdk';

/** What of a lesson a member does not fit, as the API names it. */
export type Misfit = 'level' | 'min_age' | 'max_age';

export interface Person {
  readonly level: SwimmingLevel;
  /** The day of birth, YYYY-MM-DD. */
  readonly born: string;
}

/** The age in years on a day, YYYY-MM-DD. */
export function ageOn(born: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4));
  return day.slice(5) < born.slice(5) ? years - 1 : years;
}

/** What of a lesson a member does not fit on its day; null for nothing. A lesson without levels or ages fits everybody. */
export function misfitOf(
  lesson: Pick<Lesson, 'levels' | 'min_age_years' | 'max_age_years'>,
  { level, born }: Person,
  day: string,
): Misfit | null {
  const age = ageOn(born, day);
  if (lesson.levels.length > 0 && !lesson.levels.includes(level)) return 'level';
  if (lesson.min_age_years !== null && age < lesson.min_age_years) return 'min_age';
  return lesson.max_age_years !== null && age > lesson.max_age_years ? 'max_age' : null;
}
