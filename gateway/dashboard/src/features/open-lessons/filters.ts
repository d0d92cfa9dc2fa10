import type { SwimmingLevel } from '@swim/sdk';
import { LEVELS } from '../../api/levels.ts';
import { WEEKDAYS, type Weekday } from '../../design/values/weekday.ts';

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
