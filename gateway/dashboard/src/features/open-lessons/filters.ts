import { getDayOfWeek, parseDate } from '@internationalized/date';
import type { SwimmingLevel } from '@swim/sdk';
import { LEVELS } from '../../api/levels.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The filters of the page, as its address has them. */
export interface OpenLessonFilters {
  /** The id of the child; empty for the first. */
  readonly child: string;
  /** Empty for that of the child. */
  readonly level: SwimmingLevel | '';
  readonly weekday: Weekday | '';
  readonly pool: string;
}

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | '' =>
  values.find((value) => value === text) ?? '';

/** The filters that an address has. */
export const filtersOf = (params: URLSearchParams): OpenLessonFilters => ({
  child: params.get('child') ?? '',
  level: oneOf(LEVELS, params.get('level')),
  weekday: oneOf(WEEKDAYS, params.get('weekday')),
  pool: params.get('pool') ?? '',
});

/** The parameters of an address for filters; those that are not set are left out. */
export const paramsOf = (filters: OpenLessonFilters): URLSearchParams =>
  new URLSearchParams(Object.entries(filters).filter(([, value]) => value));

/** The weekday of a day, YYYY-MM-DD. */
export const weekdayOf = (day: string): Weekday => WEEKDAYS[getDayOfWeek(parseDate(day), 'en', 'mon')]!;

const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** The name of a weekday in a language. */
export const weekdayName = (weekday: Weekday, tag: string): string =>
  new Date(MONDAY + WEEKDAYS.indexOf(weekday) * DAY_MS).toLocaleDateString(tag, { weekday: 'long', timeZone: 'UTC' });
